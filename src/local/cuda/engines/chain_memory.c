/* chain_memory.c: the shared memory of a chain of register butterflies; see chain.h. */
#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/gaps.h"

/* Slots of the exchange area of rader.cu, which is that of staged lines too. */
static int slots_of_rader(const mfft_kernel *k) {
  const int n = k->chain.n, staged = k->in.staging || k->out.staging ? n + 1 : 0,
            row = k->map_mid == MFFT_MAP_LINE ? n : (n + n / k->tile.gap) | 1;
  return (row > staged ? row : staged) * k->chain.lines;
}

/* Slots of the exchange area, as exchange.cuh and packing.cuh count them. */
static int exchange_slots(const mfft_kernel *k) {
  if (k->engine == MFFT_ENGINE_RADER) return slots_of_rader(k);
  int inner = k->in.map == MFFT_MAP_LINE && k->map_mid == MFFT_MAP_LINE && k->out.map == MFFT_MAP_LINE;
  int room = mfft_chain_held(k) + (mfft_paired_merge(k, 1) >= 0 && (k->in.staging || k->out.staging));
  return (inner ? room : (room + room / k->tile.gap) | 1) * k->chain.lines * mfft_chain_sides(k);
}

/* Twiddles of all merges but the first, as merge.cuh counts them. */
static int late_twiddles(const mfft_kernel *k) {
  const int of_reals = mfft_merge_of_reals(k, k->chain.merges), n = mfft_chain_held(k);
  int count = 0, s = 1;
  for (int i = 0; i + 1 < k->chain.merges; i++) {
    const int r = i == of_reals ? (k->chain.radix[i] + 1) / 2 : k->chain.radix[i];
    s *= r;
    if (i > 0) count += (r - 1) * (n / s);
  }
  return count;
}

static void count_bytes(mfft_kernel *k) {
  int value = is_double(k->precision) ? 16 : 8;
  int exchange = k->chain.merges > 1 || k->in.staging || k->out.staging;
  k->tile.exchange_bytes = exchange ? (exchange_slots(k) * value + 15) / 16 * 16 : 0;
  const int last =
      k->engine == MFFT_ENGINE_CONVOLUTION ? 0 : k->chain.merges - 1; /* its inverse chain ends with the first */
  k->tile.shared_bytes =
      k->tile.exchange_bytes + (k->twiddle.loop ? k->chain.radix[last] * k->chain.lines * mfft_chain_sides(k) * value : 0);
  if (k->hints.shared_twiddles) k->tile.shared_bytes += late_twiddles(k) * value;
}

void mfft_chain_memory(mfft_kernel *k) {
  k->tile.gap = k->chain.radix[0] == 32 ? 32 : 16; /* the first merge then writes to different banks */
  count_bytes(k);
}

void mfft_chain_memory_by_banks(mfft_kernel *k) {
  mfft_chain_memory(k);
  if (k->chain.merges == 1 || is_power(mfft_chain_held(k))) return; /* powers of two were measured as they are */
  k->tile.gap = mfft_gaps_choose(k);
  count_bytes(k);
}

void mfft_chain_share_twiddles(mfft_kernel *k, const mfft_device_limits *limits, int wanted) {
  const int bytes = k->tile.shared_bytes;
  k->hints.shared_twiddles = wanted;
  mfft_chain_memory_by_banks(k);
  if (k->tile.shared_bytes > limits->shared_bytes) k->hints.shared_twiddles = 0, mfft_chain_memory_by_banks(k);
  if (k->tile.shared_bytes < bytes) k->tile.shared_bytes = bytes; /* may be more, to bound the blocks of a multiprocessor */
}

void mfft_chain_take(mfft_kernel *k, const mfft_chain *chain) {
  k->chain = *chain;
  for (int i = chain->merges; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
}

int mfft_chain_fits(const mfft_kernel *k, const mfft_device_limits *limits, const mfft_chain *chain) {
  mfft_kernel made = *k;
  mfft_chain_take(&made, chain);
  mfft_chain_memory(&made);
  return made.chain.lines * made.chain.threads <= limits->threads && made.tile.shared_bytes <= limits->shared_bytes;
}
