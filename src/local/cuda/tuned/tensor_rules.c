/* tensor_rules.c: see tensor_rules.h. */
#include "local/cuda/tuned/tensor_rules.h"

mfft_tensor_access mfft_tensor_access_of(const mfft_kernel *k) {
  if (k->in.map == MFFT_MAP_ELEMENT) return k->out.map == MFFT_MAP_ELEMENT ? MFFT_TENSOR_CONTIGUOUS : MFFT_TENSOR_TRANSPOSED;
  return k->out.map == MFFT_MAP_LINE ? MFFT_TENSOR_STRIDED : MFFT_TENSOR_TRANSPOSED;
}

int mfft_tensor_columns(const mfft_kernel *k) {
  return mfft_tensor_access_of(k) == MFFT_TENSOR_CONTIGUOUS ? 64 : k->chain.merges == 1 ? 128 : 256;
}

/* Blocks of few threads load while others merge and wait less for each other, where there are enough of them; of one long
 * line, a block holds more.  Lines of 256 take so little time to merge that two rounds with half the registers are faster,
 * except for bfloat16 and where lines come from memory and are transposed. */
int mfft_tensor_rounds(const mfft_kernel *k, const mfft_device_limits *limits, int columns, int64_t blocks) {
  const mfft_tensor_access access = mfft_tensor_access_of(k);
  const int across = access != MFFT_TENSOR_CONTIGUOUS;
  const int many = access == MFFT_TENSOR_STRIDED || (across && blocks >= 2 * limits->sms);
  const int short_merge = mfft_in_cache(limits) || (k->precision == MFFT_HALF && access == MFFT_TENSOR_STRIDED);
  const int least = short_merge ? 512 : 256;
  if (across && k->chain.n >= least && columns >= 128 && blocks >= limits->sms) return MFFT_TENSOR_MOST_ROUNDS;
  return columns > limits->threads / (many ? 4 : 2) ? 2 : 1;
}

int mfft_tensor_persistent(const mfft_kernel *k, const mfft_device_limits *limits, int rounds) {
  const mfft_tensor_access access = mfft_tensor_access_of(k);
  const int half = k->precision == MFFT_HALF;
  if (k->chain.merges == 1) return half;
  if (access == MFFT_TENSOR_CONTIGUOUS) return 1;
  if (rounds == MFFT_TENSOR_MOST_ROUNDS) return 0;
  if (mfft_in_cache(limits)) return !half && k->chain.n != 256;
  return !half || access == MFFT_TENSOR_TRANSPOSED || k->chain.n != 256;
}

/* Strided halves from memory: two cache lines together are faster in tiles of 64 KB, and slower in larger ones. */
int mfft_tensor_wide(const mfft_kernel *k, const mfft_device_limits *limits) {
  return k->precision == MFFT_HALF && k->chain.n == 256 && !k->twiddle.loop &&
         mfft_tensor_access_of(k) == MFFT_TENSOR_STRIDED && !mfft_in_cache(limits);
}

int mfft_tensor_registers(const mfft_kernel *k, int rounds) {
  if (k->tile.persistent || rounds == MFFT_TENSOR_MOST_ROUNDS) return 128;
  return k->chain.merges > 1 ? 64 : 80;
}

/* With two tiles one waits while the other is multiplied; with four, blocks stay at 256 threads, whose loads and barriers
 * overlap best. */
int mfft_split_tiles_of_warp(int tiles) { return tiles > 16 ? 4 : tiles > 1 ? 2 : 1; }

int mfft_split_registers(const mfft_kernel *k, int tiles) {
  if (k->precision == MFFT_DOUBLE) return 128;
  return mfft_split_tiles_of_warp(tiles) == 2 && tiles > 8 ? 80 : 96;
}
