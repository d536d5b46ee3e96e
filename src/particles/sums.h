/* sums.h: the 64-bit sums of a deposit on the host: sweeps over their rows. */
#ifndef MFFT_PARTICLES_SUMS_H
#define MFFT_PARTICLES_SUMS_H

#include "particles/mesh.h"

/* Sums of own cells, and what becomes of them. */
typedef struct mfft_pm_sums {
  mfft_particle_mesh mesh;
  mfft_pm_part part; /* the cells whose sums are held, and their strides */
  int64_t *own;
  const mfft_particle_field *field; /* whose array the numbers are stored in */
  int64_t mean;                     /* subtracted from each sum */
  const double *from;               /* [2] factors from an integer to a weight */
} mfft_pm_sums;

/* Sweeps over the planes [lo, hi) of own cells on an axis.  clear: zeros.  store: numbers of the mesh, in the field's array,
 * which may be the memory of the sums; *infinite: how many are not finite.  move: to the planes from `to` on, which must not
 * overlap [lo, hi). */
mfft_status mfft_pm_sums_clear(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi);
mfft_status mfft_pm_sums_store(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t *infinite);
mfft_status mfft_pm_sums_move(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t to);

#endif
