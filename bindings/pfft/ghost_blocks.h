/* ghost_blocks.h: finds the cells of a rank that are ghost cells of another.  All of it is geometry, without a call of MPI.
 */
#ifndef MFFT_PFFT_GHOST_BLOCKS_H
#define MFFT_PFFT_GHOST_BLOCKS_H

#include "request.h"

/* The division of an array among ranks, and the ghost cells that each has around its part, in the order of the axes. */
typedef struct mfft_pfft_division {
  mfft_dropin_mesh mesh;
  int transposed, axes;
  int order[MFFT_DROPIN_MOST_AXES]; /* axes in memory, slow to fast */
  int64_t n[MFFT_DROPIN_MOST_AXES], block[MFFT_DROPIN_MOST_DIMS];
  int64_t below[MFFT_DROPIN_MOST_AXES], above[MFFT_DROPIN_MOST_AXES];
} mfft_pfft_division;

/* A part of a rank's array with ghost cells: offsets and lengths in the order of memory. */
typedef struct mfft_pfft_block {
  int64_t at[MFFT_DROPIN_MOST_AXES], n[MFFT_DROPIN_MOST_AXES];
} mfft_pfft_block;

/* The own cells [lo, hi) of a rank. */
void mfft_pfft_division_part(const mfft_pfft_division *division, int rank, int64_t *lo, int64_t *hi);

/* The cells of a block. */
int64_t mfft_pfft_block_count(const mfft_pfft_block *block, int axes);

/* Appends the cells of `owner` that `receiver` has as ghost cells: one block for each periodic image of the owner's part, in
 * the same order on both ranks.  Blocks are positions in the array of the owner (of_owner 1) or of the receiver (0).  The
 * list is allocated by realloc.  Returns 0, or -1 if memory is exhausted. */
int mfft_pfft_find_blocks(const mfft_pfft_division *division, int receiver, int owner, int of_owner, mfft_pfft_block **list,
                          int *count);

#endif
