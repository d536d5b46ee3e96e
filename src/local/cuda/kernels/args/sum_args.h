/* sum_args.h: the exact sum of a thread block (kernels/common/exact_sum.cuh). */
#ifndef MFFT_KERNEL_SUM_ARGS_H
#define MFFT_KERNEL_SUM_ARGS_H

enum { MFFT_ARRAY_THREADS = 256 }; /* of a block */

/* Sums of a block: limbs as in mfft_exact_sum, without carries; numbers of infinities, of NaNs and of all that are not
 * finite; index of the first of those in the order of the loops, or the largest integer; range of the finite numbers. */
enum { MFFT_SUM_LIMBS = 68, MFFT_SUM_TILE = 16 }; /* MFFT_SUM_TILE: numbers of a thread in a tile */
typedef struct mfft_block_sums {
  long long limb[MFFT_SUM_LIMBS];
  long long infinite[2], nan, nonfinite, first;
  double min, max;
} mfft_block_sums;

#endif
