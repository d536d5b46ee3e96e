/* scale.h: the power of two by which weights become integers.
 *
 * It must be the same for the same particles, in any sequence and on any ranks, so it is computed from a largest value and a
 * sum of integers: with 2^e above the largest magnitude, q = sum over particles of ceil(|w| 2^(21 - e)) bounds the total of
 * all magnitudes by q 2^(e - 21) from above.  The largest power 2^s is taken for which that total stays within 2^62 and each
 * weight within 2^50. */
#ifndef MFFT_PARTICLES_SCALE_H
#define MFFT_PARTICLES_SCALE_H

#include "particles/mesh.h"

typedef struct mfft_pm_scale {
  /* a weight is multiplied by both, in this sequence: 2^s in two steps, as s may be beyond a double's exponents */
  double to[2];
  double from[2]; /* multiply an integer by both */
} mfft_pm_scale;

/* scale[fields].  MFFT_ERR_NONFINITE for a weight that is not finite, by index.  Collective. */
mfft_status mfft_pm_scale_find(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                               int fields, mfft_pm_scale *scale);

#endif
