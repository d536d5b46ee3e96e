/* tiles.h: the choice of the tiles in shared memory in which 16-bit lines and planes are merged in place (resident.h). */
#ifndef MFFT_CUDA_TILES_H
#define MFFT_CUDA_TILES_H

#include "local/cuda/planner/builder.h"
#include "local/cuda/tuned/tuned.h"

enum {
  MFFT_TILE_LINES = 32,                    /* most lines of a tile */
  MFFT_TILE_ROUNDS = 4,                    /* rounds of a thread in a merge, of 16 elements each */
  MFFT_TILE_VALUES = 16 * MFFT_TILE_ROUNDS /* elements of a tile for each thread */
};

/* log2 n, rounded down. */
int mfft_bits_of(int64_t n);

/* log2 of the most blocks of a cluster that can share a tile.  Its elements are divided by the highest bits of their index
 * in the last merge, of radix 2 to 16; a unit of 16 bytes of a contiguous line has two of them. */
int mfft_tile_shared_bits(int64_t n, int contiguous);

/* Shared memory of a block: its share of a tile; and, if that is double-buffered, all rounds but the last of its share of
 * the next tile. */
int mfft_tile_shared_bytes(const mfft_builder *b, int64_t bytes, int double_buffered);

/* Whether resident tiles, or other passes on tensor cores in parts that stay in the L2 cache, were measured to be the
 * fastest for a pass of n elements of an axis of `whole`. */
int mfft_tile_known(const mfft_device_limits *limits, const mfft_fft_spec *spec, int64_t n, int64_t whole, int strided);

/* The tile for an axis of `length`, or for a plane with this slow axis and a fast axis of `fast`: the one that the spec asks
 * for, or the one that was measured to be the fastest; bytes 0: none. */
mfft_tile_choice mfft_tile_choose(const mfft_builder *b, mfft_tile_kind kind, int64_t length, int64_t fast);

#endif
