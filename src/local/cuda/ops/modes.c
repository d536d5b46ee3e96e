/* modes.c: two entries of one launch each: one fills an array with noise by wave number, the other adds the product of two
 * arrays to a third. */
#include "local/cuda/kernels/args/number_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"

enum { MOST_BLOCKS = 1 << 16 };

static mfft_status launch(const mfft_service_kernel *kernel, unsigned long long count, void *args, void *stream,
                          const char *what) {
  const unsigned long long blocks = (count + MFFT_ARRAY_THREADS - 1) / MFFT_ARRAY_THREADS;
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, kernel, &function));
  MFFT_TRY(mfft_launch(current.driver, function, 0, blocks < MOST_BLOCKS ? (unsigned)blocks : MOST_BLOCKS, 1,
                       MFFT_ARRAY_THREADS, 0, args, stream, what));
  return mfft_cuda_synchronize(stream);
}

mfft_status mfft_cuda_modes(mfft_precision precision, const mfft_modes_fill *fill, void *out, void *stream) {
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_MODES, .precision = precision};
  const mfft_reals *r = &fill->reals;
  const size_t bytes = (size_t)fill->squares * sizeof(double);
  mfft_modes_args args = {.out = out, .key = {(unsigned)fill->seed, (unsigned)(fill->seed >> 32)}, .squares = fill->squares};
  void *table = NULL;
  for (int a = 0; a < 3; a++) {
    args.extent[a] = (unsigned long long)r->n[a + 1];
    args.stride[a] = r->stride[a + 1];
    args.lo[a] = r->lo[a];
    args.n[a] = fill->n[a];
  }
  MFFT_TRY(mfft_cuda_alloc(bytes + 1, &table));
  args.deviation = table;
  mfft_status status = bytes ? mfft_cuda_upload(table, fill->deviation, bytes) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS)
    status = launch(&kernel, args.extent[0] * args.extent[1] * args.extent[2], &args, stream, "making noise by wave number");
  mfft_cuda_free(table);
  return status;
}

mfft_status mfft_cuda_product(mfft_precision precision, const mfft_reals_product *what, const void *a, const void *b,
                              void *c, void *stream) {
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_PRODUCT, .precision = precision};
  const mfft_real_loops loops = mfft_reals_loops(&what->reals);
  mfft_product_args args = {.a = a,
                            .b = b,
                            .c = c,
                            .count = (unsigned long long)mfft_reals_count(&what->reals),
                            .alpha = what->alpha,
                            .beta = what->beta};
  for (int i = 0; i < MFFT_REAL_LOOPS; i++) {
    args.n[i] = (unsigned long long)loops.n[i];
    args.stride[i] = loops.stride[i];
  }
  return launch(&kernel, args.count, &args, stream, "multiplying arrays");
}
