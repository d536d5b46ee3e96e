/* devices.c: which numbers are those of a device; see tuned.h. */
#include "local/cuda/tuned/tuned.h"

/* The architectures that were measured; the first is also that of devices that were not. */
static const struct {
  int arch;
  const mfft_tuned *tuned;
} measured[] = {{90, &mfft_tuned_h200}};

static const mfft_tuned *find(int arch) {
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
    if (measured[i].arch == arch) return measured[i].tuned;
  return NULL;
}

const mfft_tuned *mfft_tuned_for(const mfft_device_limits *limits) {
  const mfft_tuned *known = find(limits->arch);
  return known ? known : measured[0].tuned;
}

int mfft_tuned_part_bytes(int arch, int cache_bytes) {
  const mfft_tuned *known = find(arch);
  const int half = cache_bytes / 2;
  return known && known->most_part_bytes < half ? known->most_part_bytes : half;
}
