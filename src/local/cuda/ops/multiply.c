/* multiply.c: multiplies a spectrum by that of a convolution kernel, by one launch. */
#include "local/cuda/kernels/args/spectrum_args.h"
#include "local/cuda/ops/filter.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/planner/filter_fusion.h"

mfft_status mfft_cuda_multiply(mfft_precision precision, const mfft_filter_shape *shape, int conjugate, const void *kernel,
                               void *array, void *stream) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const mfft_service_kernel service = {.service = MFFT_SERVICE_MULTIPLY, .precision = precision};
  CUfunction function;
  MFFT_TRY(mfft_service_load(&current, &service, &function));
  mfft_filter_args loops; /* the loops over the array, which are those of a filter */
  int order[4];           /* [loop] */
  const unsigned blocks = mfft_cuda_filter_args(shape, kernel, array, array, &loops);
  if (!blocks) return MFFT_SUCCESS;
  mfft_multiply_args args = {.kernel = kernel, .array = array, .conjugate = conjugate, .shift = loops.shift};
  mfft_filter_sort_loops(shape, 1, order);
  for (int i = 0; i < 4; i++) {
    args.n[i] = loops.n[i];
    args.stride[i] = loops.stride[i];
    args.kernel_stride[i] = order[i] ? loops.stride[i] : 0; /* axis 0 is the batch, all of which has one kernel */
  }
  return mfft_launch(current.driver, function, 0, blocks, 1, MFFT_FILTER_THREADS, 0, &args, stream, "multiplying spectra");
}
