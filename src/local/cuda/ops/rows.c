/* rows.c: computes sums over the rows of an array by one launch, and downloads the results. */
#include "local/cuda/kernels/args/number_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"

_Static_assert((int)MFFT_ROW_VECTORS_MOST == (int)MFFT_ROWS_VECTORS, "as many as callers may give");

enum { ROWS_OF_BLOCK = MFFT_ARRAY_THREADS / 32, MOST_BLOCKS = 1 << 14 };

static mfft_rows_args arguments(const mfft_reals_rows *w, void *array) {
  const mfft_reals *r = &w->reals;
  mfft_rows_args args = {.array = array,
                         .first = (unsigned long long)w->first,
                         .count = (unsigned long long)w->count,
                         .length = (unsigned long long)r->n[r->last + 1],
                         .n = {1, 1, 1},
                         .index = (unsigned long long)mfft_reals_row_index(w, 0),
                         .step = r->stride[r->last + 1],
                         .shift = {w->shift[0], w->shift[1]},
                         .factor = w->factor,
                         .store = w->store,
                         .vectors = w->vectors};
  unsigned long long weight = (unsigned long long)w->whole[r->last];
  for (int i = r->last, loop = 2; i >= 0; i--, loop--) {
    args.n[loop] = (unsigned long long)r->n[i];
    args.stride[loop] = r->stride[i];
    args.weight[loop] = weight;
    if (i) weight *= (unsigned long long)w->whole[i - 1];
  }
  return args;
}

mfft_status mfft_cuda_rows(mfft_precision precision, const mfft_reals_rows *w, void *array, void *stream) {
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_ROWS, .precision = precision};
  mfft_rows_args args = arguments(w, array);
  const size_t vector = (size_t)args.length * sizeof(double), vectors = (size_t)w->vectors * vector;
  const size_t results = (size_t)w->count * ((size_t)w->vectors + 2) * sizeof(double);
  const size_t checksums = w->checksum ? (size_t)w->count * sizeof *w->checksum : 0;
  const unsigned long long blocks = (args.count + ROWS_OF_BLOCK - 1) / ROWS_OF_BLOCK;
  void *memory = NULL; /* device memory of the vectors, the results, and the checksums */
  mfft_cuda_current current;
  CUfunction function;
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  MFFT_TRY(mfft_cuda_alloc(vectors + results + checksums, &memory));
  args.vector = memory;
  args.result = (double *)(void *)((char *)memory + vectors);
  if (checksums) args.checksum = (unsigned long long *)(void *)((char *)args.result + results);
  for (int v = 0; v < w->vectors; v++)
    MFFT_GOTO(done, mfft_cuda_upload((char *)memory + (size_t)v * vector, w->vector[v], vector));
  MFFT_GOTO(done, mfft_launch(current.driver, function, 0, blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS, 1,
                              MFFT_ARRAY_THREADS, 0, &args, stream, "passing over the rows of an array"));
  MFFT_GOTO(done, mfft_cuda_synchronize(stream));
  MFFT_GOTO(done, mfft_cuda_download(w->result, args.result, results));
  if (checksums) MFFT_GOTO(done, mfft_cuda_download(w->checksum, args.checksum, checksums));
done:
  mfft_cuda_free(memory);
  return status;
}
