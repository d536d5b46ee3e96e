/* gaps.h: gaps in the rows of a block's tile in shared memory, through which threads exchange values between the merges of a
 * chain.
 *
 * Shared memory has 32 banks of 4 bytes, and an access of a warp takes as many cycles as the most threads that meet one bank
 * at different addresses.  A merge of radix R writes with a stride of R: for powers of two gaps move neighbours to other
 * banks, for most other radices neighbours are in different banks anyway, and gaps bring them together.  Without gaps the
 * slots of a butterfly also have the same distances for all threads, so that one address serves all of them. */
#ifndef MFFT_CUDA_GAPS_H
#define MFFT_CUDA_GAPS_H

#include "local/cuda/planner/kernel.h"

enum { MFFT_NO_GAPS = 1 << 16 }; /* tile.gap of rows without gaps: more elements than a row has */
enum { MFFT_GAP_CHOICES = 3 };
extern const int mfft_gap_choices[MFFT_GAP_CHOICES]; /* the values of tile.gap that are compared */

/* Returns tile.gap for a kernel whose chain and maps are set: no gaps, or a gap every 16 or 32 elements, whichever takes the
 * first warps of a block the fewest cycles of shared memory. */
int mfft_gaps_choose(const mfft_kernel *k);

/* Cycles of the exchanges of the first warp with gaps every `gap` elements, and of issuing the instructions of addresses
 * that an access does not share with others: about four, a cycle of the multiprocessor's four schedulers. */
int mfft_gaps_cost(const mfft_kernel *k, int gap);

#endif
