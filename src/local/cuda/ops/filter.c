/* filter.c: one launch multiplies an array by a filter. */
#include "local/cuda/ops/filter.h"

#include "local/cuda/kernels/args/spectrum_args.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/planner/filter_fusion.h"

unsigned mfft_cuda_filter_args(const mfft_filter_shape *shape, const void *tables, const void *in, void *out,
                               mfft_filter_args *args) {
  int order[4]; /* [loop] */
  mfft_filter_sort_loops(shape, 1, order);
  *args = (mfft_filter_args){.in = in, .tables = tables, .out = out};
  for (int i = 0; i < 4; i++) {
    args->n[i] = (unsigned long long)shape->n[order[i]];
    args->stride[i] = shape->stride[order[i]];
    args->table[i] = mfft_filter_table_of(shape, order[i]);
  }
  while (args->shift < 8 && 1ull << args->shift < args->n[3]) args->shift++;
  const unsigned long long rows = args->n[0] * args->n[1] * args->n[2], height = MFFT_FILTER_THREADS >> args->shift;
  const unsigned long long blocks = args->n[3] ? (rows + height - 1) / height : 0, most = 1 << 20;
  return (unsigned)(blocks < most ? blocks : most);
}

mfft_status mfft_cuda_filter(mfft_precision precision, const mfft_filter_shape *shape, const void *tables, const void *in,
                             void *out, void *stream) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_FILTER, .precision = precision, .real = shape->real != 0};
  CUfunction function;
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  mfft_filter_args args;
  const unsigned blocks = mfft_cuda_filter_args(shape, tables, in, out, &args);
  if (!blocks) return MFFT_SUCCESS;
  return mfft_launch(current.driver, function, 0, blocks, 1, MFFT_FILTER_THREADS, 0, &args, stream, "launching a filter");
}
