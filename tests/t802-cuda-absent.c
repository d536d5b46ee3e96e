// TEST needs=cuda+no-gpu
/* On a machine without a GPU the library loads, and every call that needs one returns an error that says so. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/backend.h"
#include "local/cuda/runtime/load.h"

int main(void) {
  if (mfft_backend_cuda.probe() == MFFT_SUCCESS) return TEST_SKIPPED; /* there is one */
  CHECK_FAILS(mfft_backend_cuda.probe(), MFFT_ERR_NO_DEVICE, "cuda: ");
  void *pointer = NULL;
  CHECK_FAILS(mfft_backend_cuda.alloc(64, &pointer), MFFT_ERR_NO_DEVICE, "fftw backend");
  mfft_fft_spec spec = {.precision = MFFT_SINGLE, .scale = 1, .naxes = 1, .axis[0] = {16, 1, 1}};
  mfft_fft *fft = NULL;
  CHECK_FAILS(mfft_backend_cuda.fft_create(&spec, &fft), MFFT_ERR_NO_DEVICE, "cuda: ");
  CHECK(pointer == NULL && fft == NULL, "outputs of failed calls");
  mfft_backend_cuda.free(NULL);
  mfft_backend_cuda.fft_destroy(NULL);
  return test_end();
}
#endif
