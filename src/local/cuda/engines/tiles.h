/* tiles.h: which tiles of shared memory hold 16-bit lines and planes that are merged where they lie. */
#ifndef MFFT_CUDA_TILES_H
#define MFFT_CUDA_TILES_H

#include "local/cuda/planner/builder.h"
#include "local/cuda/tuned/tuned.h"

enum {
  MFFT_TILE_LINES = 32, /* of a tile at most */
  MFFT_TILE_ROUNDS = 4, /* of a thread in a merge, 16 elements each */
  MFFT_TILE_VALUES = 16 * MFFT_TILE_ROUNDS
};

int mfft_bits_of(int64_t n);

/* Bits of an element by which blocks can share a tile: those of the last digit, merged by 2 to 16, that no unit holds. */
int mfft_tile_shared_bits(int64_t n, int contiguous);

/* Shared memory of a block: its share of a tile, and and of the next tile, which is copied meanwhile, all but the last
 * round. */
int mfft_tile_shared_bytes(const mfft_builder *b, int64_t bytes, int double_buffered);

/* Whether tiles, or other passes on tensor cores in parts that stay in the cache, were the fastest for a pass of n elements
 * of an axis of `whole`, on a device that has the room for them. */
int mfft_tile_known(const mfft_device_limits *limits, mfft_precision precision, int64_t n, int64_t whole, int strided);

/* The tile for an axis of `length`, or for a plane whose slow axis that is: what the spec asks for, or what was the fastest.
 */
mfft_tile_choice mfft_tile_choose(const mfft_builder *b, mfft_tile_kind kind, int64_t length, int64_t fast);

#endif
