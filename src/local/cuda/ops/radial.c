/* radial.c: multiplies an array by a function of |k|: uploads the tables, then makes one launch. */
#include "local/cuda/kernels/args/number_args.h"
#include "local/cuda/kernels/args/spectrum_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/planner/filter_fusion.h"

static unsigned fill_args(const mfft_radial_product *r, mfft_radial_args *args) {
  int order[4];
  mfft_filter_sort_loops(&r->shape, order);
  for (int i = 0; i < 4; i++) {
    args->n[i] = (unsigned long long)r->shape.n[order[i]];
    args->stride[i] = r->shape.stride[order[i]];
    args->table[i] = mfft_filter_table_of(&r->shape, order[i]);
  }
  while (args->shift < 8 && 1ull << args->shift < args->n[3]) args->shift++;
  const unsigned long long rows = args->n[0] * args->n[1] * args->n[2], height = MFFT_ARRAY_THREADS >> args->shift;
  const unsigned long long blocks = (rows + height - 1) / height, most = 1 << 20;
  return (unsigned)(blocks < most ? blocks : most);
}

mfft_status mfft_cuda_radial(mfft_precision precision, const mfft_radial_product *r, const void *in, void *out,
                             void *stream) {
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_RADIAL, .precision = precision};
  mfft_radial_args args = {.in = in, .out = out, .count = r->count, .per_log = r->per_log, .at_zero = r->at_zero};
  const size_t square_bytes = (size_t)r->indices * sizeof(double), value_bytes = (size_t)r->count * sizeof(double);
  mfft_cuda_current current;
  CUfunction function;
  void *memory = NULL; /* device memory of the squares, then of the values */
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  const unsigned blocks = fill_args(r, &args);
  MFFT_TRY(mfft_cuda_alloc(square_bytes + value_bytes, &memory));
  MFFT_GOTO(done, mfft_cuda_upload(memory, r->square, square_bytes));
  MFFT_GOTO(done, mfft_cuda_upload((char *)memory + square_bytes, r->value, value_bytes));
  args.square = memory;
  args.value = (const double *)((char *)memory + square_bytes);
  MFFT_GOTO(done, mfft_launch(current.driver, function, 0, blocks, 1, MFFT_ARRAY_THREADS, 0, &args, stream,
                              "multiplying by a function of |k|"));
  MFFT_GOTO(done, mfft_cuda_synchronize(stream));
done:
  mfft_cuda_free(memory);
  return status;
}
