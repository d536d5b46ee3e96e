/* radial.c: multiplies an array by a function of |k|: uploads the tables, then makes one launch. */
#include <string.h>

#include "local/cuda/kernels/args/number_args.h"
#include "local/cuda/kernels/args/spectrum_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/filter.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"

/* Fills in the loops over the array, which are those of a filter; returns the number of thread blocks. */
static unsigned fill_loops(const mfft_radial_product *r, mfft_radial_args *args) {
  mfft_filter_args loops;
  const unsigned blocks = mfft_cuda_filter_args(&r->shape, NULL, args->in, args->out, &loops);
  memcpy(args->n, loops.n, sizeof args->n);
  memcpy(args->stride, loops.stride, sizeof args->stride);
  memcpy(args->table, loops.table, sizeof args->table);
  args->shift = loops.shift;
  return blocks;
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
  const unsigned blocks = fill_loops(r, &args);
  if (!blocks) return MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_alloc(square_bytes + value_bytes, &memory));
  MFFT_GOTO(done, mfft_cuda_upload(memory, r->square, square_bytes));
  MFFT_GOTO(done, mfft_cuda_upload((char *)memory + square_bytes, r->value, value_bytes));
  args.square = memory;
  args.value = (const double *)((char *)memory + square_bytes);
  MFFT_GOTO(done, mfft_launch(current.driver, function, 0, blocks, 1, MFFT_FILTER_THREADS, 0, &args, stream,
                              "multiplying by a function of |k|"));
  MFFT_GOTO(done, mfft_cuda_synchronize(stream));
done:
  mfft_cuda_free(memory);
  return status;
}
