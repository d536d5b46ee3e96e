/* motion_args.h: the argument of the kernels that kick and drift particles, and sum their energies. */
#ifndef MFFT_KERNEL_MOTION_ARGS_H
#define MFFT_KERNEL_MOTION_ARGS_H

#include "particle_args.h"
#include "sum_args.h"

/* Kicks and drifts (mfft_motion.h): p = keep p + kick (g - pull . s), x += (drift p + growth . s)/length; and the terms of
 * energies, whose momentum is p + push . s.  A sum s of MFFT_MOTION_SUMS is made by the blocks with blockIdx.y = s. */
enum { MFFT_MOTION_BLOCKS = 128 }; /* most blocks of one sum */
typedef struct mfft_motion_args {
  unsigned long long count;
  unsigned long long *position[3];
  double *momentum[3];
  const double *force[3], *mass, *potential;   /* mass NULL: all 1 */
  const double *first[3], *second[3];          /* displacements s of LPT; NULL: none */
  double keep, kick, drift, lpt[2], length[3]; /* lpt: pull, growth or push */
  mfft_block_sums *result;                     /* [sums][blocks] */
} mfft_motion_args;

#endif
