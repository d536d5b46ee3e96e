/* block.h: one strided copy of up to four nested loops.  Packing, unpacking, local permutation and padding are lists of
 * blocks; boxes make them, and devices copy them. */
#ifndef MFFT_BASE_BLOCK_H
#define MFFT_BASE_BLOCK_H

#include <stdint.h>

/* Copies element (b, i, j, k) from in[in_offset + b*is[0] + i*is[1] + ...] to out[out_offset + b*os[0] + ...]. */
typedef struct mfft_block {
  int64_t n[4];              /* extents, slow to fast; all >= 1 */
  int64_t in_offset, is[4];  /* input strides; elements */
  int64_t out_offset, os[4]; /* output strides; elements */
} mfft_block;

#endif
