/* normal.c: fills an array with white noise, by one launch. */
#include "local/cuda/kernels/args/number_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"

mfft_status mfft_cuda_normal(mfft_precision precision, const mfft_normal_fill *fill, void *out, void *stream) {
  const mfft_reals *r = &fill->reals;
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_NORMAL, .precision = precision};
  mfft_normal_args args = {.out = out,
                           .n = {1, 1, 1, 1},
                           .components = r->components,
                           .key = {(unsigned)fill->seed, (unsigned)(fill->seed >> 32)},
                           .deviation = fill->deviation};
  mfft_cuda_current current;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  for (int a = r->last, loop = 3; a >= 0; a--, loop--) { /* the batch is always loop 0 */
    args.n[loop] = (unsigned long long)r->n[a + 1];
    args.stride[loop] = r->stride[a + 1] * r->components;
    args.lo[loop] = r->lo[a];
  }
  args.n[0] = (unsigned long long)r->n[0];
  args.stride[0] = r->stride[0] * r->components;
  args.lo[3] *= r->components;
  const unsigned long long pairs = args.n[3] * (unsigned)r->components / 2 + 1;
  const unsigned long long blocks =
      (args.n[0] * args.n[1] * args.n[2] * pairs + MFFT_ARRAY_THREADS - 1) / MFFT_ARRAY_THREADS;
  const unsigned most = 1 << 16;
  MFFT_TRY(mfft_launch(current.driver, function, 0, blocks < most ? (unsigned)blocks : most, 1, MFFT_ARRAY_THREADS, 0, &args,
                       stream, "making white noise"));
  return mfft_cuda_synchronize(stream);
}
