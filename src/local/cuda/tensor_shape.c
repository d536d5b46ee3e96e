/* tensor_shape.c: how a pass on tensor cores is built: radix 16 and a smaller one last; a warp holds 32 columns of 16 rows
 * at a time. */
#include "local/cuda/shape.h"

enum { TENSOR_ELEMENTS = 16384 };

int64_t mfft_tensor_longest(const mfft_device_limits *limits, int lines) {
  int64_t room = limits->shared_bytes / 4;
  return (room < TENSOR_ELEMENTS ? room : TENSOR_ELEMENTS) / lines;
}

mfft_status mfft_tensor_shape(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines) {
  const int columns = k->n / 16;
  MFFT_TRY(mfft_merge_by_sixteen(k));
  k->lines = wanted_lines;
  while (k->lines * columns < 32) k->lines *= 2;
  while (k->lines * columns * 2 <= 256 && lines / (k->lines * 2) >= 264) k->lines *= 2;
  int tiles = 1;
  while (k->lines * columns / tiles > limits->threads) tiles *= 2;
  k->threads = columns / tiles;
  k->exchange_bytes = k->merges > 1 || k->staged_in || k->staged_out ? k->n * k->lines * 4 : 0;
  k->shared_bytes = k->exchange_bytes;
  if (k->shared_bytes > limits->shared_bytes || tiles > 2)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a tile of %d lines of %d elements does not fit a block", k->lines, k->n);
  mfft_bound_blocks(k, limits, 64);
  int exchanges = k->merges - 1 + k->staged_in + k->staged_out;
  k->two_areas = exchanges > 1 && 2 * k->exchange_bytes <= limits->shared_bytes &&
                 k->min_blocks * (2 * k->exchange_bytes + 1024) <= limits->sm_shared_bytes;
  if (k->two_areas) k->shared_bytes *= 2;
  return MFFT_SUCCESS;
}
