/* occupancy.c: see occupancy.h. */
#include "local/cuda/engines/occupancy.h"

void mfft_bound_blocks(mfft_kernel *k, const mfft_device_limits *limits, int registers) {
  int block = (k->chain.lines * k->chain.threads + 31) / 32 * 32;
  int by_shared = limits->sm_shared_bytes / (k->tile.shared_bytes + 1024), by_threads = limits->sm_threads / block;
  k->tile.min_blocks = limits->sm_registers / (registers * block);
  if (k->tile.min_blocks > by_shared) k->tile.min_blocks = by_shared;
  if (k->tile.min_blocks > by_threads) k->tile.min_blocks = by_threads;
  if (k->tile.min_blocks > 16) k->tile.min_blocks = 16;
  if (k->tile.min_blocks < 1) k->tile.min_blocks = 1;
}

int mfft_registers_of(const mfft_kernel *k, const mfft_device_limits *limits, int blocks) {
  const int block = (k->chain.lines * k->chain.threads + 31) / 32 * 32;
  if (blocks * (k->tile.shared_bytes + 1024) > limits->sm_shared_bytes || blocks * block > limits->sm_threads) return 0;
  return limits->sm_registers / (blocks * block);
}
