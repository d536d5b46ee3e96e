/* sums.h: operations on the 64-bit sums of a deposit on the host, row by row, with threads. */
#ifndef MFFT_PARTICLES_SUMS_H
#define MFFT_PARTICLES_SUMS_H

#include "particles/mesh.h"

/* Sums of own cells, and what becomes of them. */
typedef struct mfft_pm_sums {
  mfft_particle_mesh mesh;
  mfft_pm_part part;                /* the cells whose sums are held, and their strides */
  int64_t *own;                     /* [cells of part.box] the sums, with the strides of `part` */
  const mfft_particle_field *field; /* the field in whose array the numbers are stored */
  int64_t mean;                     /* subtracted from each sum */
  const double *from;               /* [2] factors from an integer to a weight */
} mfft_pm_sums;

/* Each function works on the planes [lo, hi) of own cells on an axis. */

/* Clears the sums. */
mfft_status mfft_pm_sums_clear(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi);

/* Converts the sums to numbers of the mesh in the field's array, which may be the memory of the sums.  *infinite is raised
 * by the number of those that are not finite. */
mfft_status mfft_pm_sums_store(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t *infinite);

/* Copies the sums to the planes from `to` on, which must not overlap [lo, hi). */
mfft_status mfft_pm_sums_move(const mfft_pm_sums *sums, int axis, int64_t lo, int64_t hi, int64_t to);

#endif
