/* scale.h: the power of two by which weights are multiplied before they are rounded to integers.
 *
 * It must be the same for the same particles, in any order and on any ranks, so it is computed from a maximum and a sum of
 * integers: with 2^e above the largest magnitude and q = sum over particles of ceil(|w| 2^(21 - e)), the sum of all
 * magnitudes is at most q 2^(e - 21).  The power 2^s is the largest for which that bound is at most 2^62 and each weight at
 * most 2^50. */
#ifndef MFFT_PARTICLES_SCALE_H
#define MFFT_PARTICLES_SCALE_H

#include "particles/mesh.h"

typedef struct mfft_pm_scale {
  /* 2^s and 2^-s as two factors each, since s may exceed the range of a double's exponent; multiply in this order */
  double to[2];   /* from a weight to an integer */
  double from[2]; /* from an integer to a weight */
} mfft_pm_scale;

/* scale[fields].  MFFT_ERR_NONFINITE for a weight that is not finite, by index.  Fails if `mine` is the failure of any rank.
 * Collective. */
mfft_status mfft_pm_scale_find(mfft_particle_mesh mesh, mfft_status mine, const mfft_particles *particles,
                               const mfft_particle_field *field, int fields, mfft_pm_scale *scale);

/* The sum of the integers of the weights of all particles of all ranks, modulo 2^64.  Collective. */
mfft_status mfft_pm_scale_total(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                                const mfft_pm_scale *scale, int64_t *total);

#endif
