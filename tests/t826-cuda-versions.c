// TEST labels=emulated args=12.8,13,refused
// TEST labels=emulated args=12.8,12,taken
// TEST labels=emulated args=13.0,12,taken
/* A driver loads no machine code of a later CUDA than its own: an NVRTC of a later one is not used, and if there is no
 * other, creating a plan gives an error.  With an emulated driver and NVRTC of the named versions. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/backend.h"
#include "local/cuda/runtime/load.h"

int main(int argc, char **argv) {
  int major, minor;
  char driver[16];
  if (argc < 4 || sscanf(argv[1], "%d.%d", &major, &minor) != 2) return TEST_SKIPPED;
  const int fails = !strcmp(argv[3], "refused");
  snprintf(driver, sizeof driver, "%d", 1000 * major + 10 * minor);
  setenv("MFFT_EMULATED_DRIVER", driver, 1);
  setenv("MFFT_EMULATED_NVRTC", argv[2], 1);
  const mfft_fft_spec spec = {.precision = MFFT_SINGLE, .scale = 1, .naxes = 1, .axis[0] = {16, 1, 1}};
  mfft_fft *fft = NULL;
  if (fails) {
    static const char why[] = "is of CUDA 13, and the driver loads code of CUDA 12 or older";
    CHECK_FAILS(mfft_backend_cuda.probe(), MFFT_ERR_UNSUPPORTED, why);
    CHECK_FAILS(mfft_backend_cuda.fft_create(&spec, &fft), MFFT_ERR_UNSUPPORTED, why);
  } else {
    CHECK_OK(mfft_backend_cuda.probe());
    CHECK_OK(mfft_backend_cuda.fft_create(&spec, &fft));
  }
  CHECK(fails == (fft == NULL), "a plan after a failure, or none");
  mfft_backend_cuda.fft_destroy(fft);
  return test_end();
}
#endif
