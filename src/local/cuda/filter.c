/* filter.c: one launch multiplies an array by a filter. */
#include "local/cuda/filter.h"

#include "local/cuda/driver.h"
#include "local/cuda/load.h"

enum { FILTER_THREADS = 256 }; /* as in kernels/filter.cu */

/* The loops of the shape from the farthest to the nearest neighbours: the batch stays outside. */
static void sort_loops(const mfft_filter_shape *shape, mfft_filter_args *args) {
  int order[4] = {0, 1, 2, 3}; /* of shape->n */
  for (int i = 2; i < 4; i++)
    for (int j = i; j > 1; j--) {
      const int a = order[j - 1], b = order[j];
      if (shape->n[a] == 1 || (shape->n[b] != 1 && shape->stride[a] >= shape->stride[b])) break;
      order[j - 1] = b;
      order[j] = a;
    }
  for (int i = 0; i < 4; i++) {
    const int loop = order[i];
    args->n[i] = (unsigned long long)shape->n[loop];
    args->stride[i] = shape->stride[loop];
    args->factor[i] = loop ? shape->factor[loop - 1] : -1;
    args->divisor[i] = loop ? shape->divisor[loop - 1] : -1;
  }
}

mfft_status mfft_cuda_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  const mfft_kernel kernel = mfft_plain_kernel(MFFT_ENGINE_FILTER, precision);
  CUfunction function;
  MFFT_TRY(mfft_load_kernel(driver, context, &kernel, 0, limits.arch, &function));
  mfft_filter_args args = {.in = in, .tables = tables, .out = out};
  sort_loops(shape, &args);
  while (args.shift < 8 && 1ull << args.shift < args.n[3]) args.shift++;
  const unsigned long long rows = args.n[0] * args.n[1] * args.n[2], height = FILTER_THREADS >> args.shift;
  const unsigned long long blocks = (rows + height - 1) / height, most = 1 << 20;
  if (rows * args.n[3] == 0) return MFFT_SUCCESS;
  return mfft_launch(driver, function, 0, (unsigned)(blocks < most ? blocks : most), 1, FILTER_THREADS, 0, &args, stream,
                     "launching a filter");
}
