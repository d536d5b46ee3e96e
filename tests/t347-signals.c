// TEST labels=cuda
// TEST labels=emulated
/* Signals with more flags than one launch handles: every flag gets the number of the use, and the counters are incremented
 * once per use. */
#include "check.h"
#include "mfft.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/device.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { FLAGS = 300 };

int main(void) {
  static mfft_signal out, in;
  char why[256];
  uint64_t now[2 + FLAGS]; /* both counters, then the flags */
  mfft_handle handle;
  void *memory = NULL;
  if (!mfft_backend_usable("cuda", why, sizeof why)) {
    printf("skipped: %s\n", why);
    return TEST_SKIPPED;
  }
  CHECK_OK(mfft_device_cuda.shared_alloc(sizeof now, &memory, &handle));
  uint64_t *base = memory;
  out.count = in.count = FLAGS;
  out.counter = base;
  in.counter = base + 1;
  for (int i = 0; i < FLAGS; i++) {
    out.flag[i] = in.flag[i] = base + 2 + i;
    out.peer[i] = in.peer[i] = i;
  }
  for (uint64_t use = 1; use <= 3; use++) {
    int missing;
    CHECK_OK(mfft_device_cuda.send(&out, NULL));
    CHECK_OK(mfft_device_cuda.await(&in, "a test", &missing, NULL));
    CHECK_OK(mfft_device_cuda.stream_synchronize(NULL));
    CHECK_OK(mfft_memory_download("cuda", now, memory, sizeof now));
    for (int i = 0; i < 2 + FLAGS; i++) CHECK(now[i] == use, "use %d: word %d is %lld", (int)use, i, (long long)now[i]);
  }
  mfft_device_cuda.shared_free(memory);
  return test_end();
}
#endif
