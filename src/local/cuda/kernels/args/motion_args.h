/* motion_args.h: the argument of the kernels that kick and drift particles, and sum their energies. */
#ifndef MFFT_KERNEL_MOTION_ARGS_H
#define MFFT_KERNEL_MOTION_ARGS_H

#include "particle_args.h"
#include "sum_args.h"

/* Kicks and drifts (mfft_motion.h), and the terms of energies, of particles with displacements s1 and s2 of LPT:
 *
 *     kick          p = keep p + kick (g - lpt[0] s1 - lpt[1] s2)              lpt: lpt_acceleration of mfft_particles_kick
 *     drift         x = x + (drift p + lpt[0] s1 + lpt[1] s2) / length         lpt: growth of mfft_particles_drift
 *     energies      of the momentum p + lpt[0] s1 + lpt[1] s2                  lpt: lpt_momentum of mfft_particles_energies
 *
 * The thread blocks with blockIdx.y = i compute sum i of mfft_motion_sum. */
enum { MFFT_MOTION_BLOCKS = 128 }; /* most thread blocks of one sum */
typedef struct mfft_motion_args {
  unsigned long long count;
  unsigned long long *position[3];           /* x [axis][count], 64-bit fixed point of the box */
  double *momentum[3];                       /* p [axis][count] */
  const double *force[3], *mass, *potential; /* g [axis][count], [count], [count]; mass NULL: all 1 */
  const double *first[3], *second[3];        /* s1 and s2 [axis][count]; NULL: none */
  double keep, kick, drift, lpt[2];
  double length[3];        /* side of the box on each axis, in the unit of drifts */
  mfft_block_sums *result; /* [sums][blocks] */
} mfft_motion_args;

#endif
