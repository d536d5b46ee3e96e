/* shell_sums.h: sums over shells of wave numbers (mfft_shells in mfft_spectrum.h), as a backend gets them.
 *
 * For each index of each whole axis, in host memory, its radius, weight and number of modes; the positions of the shape
 * count entries of `index`. */
#ifndef MFFT_LOCAL_SHELL_SUMS_H
#define MFFT_LOCAL_SHELL_SUMS_H

#include "local/filter_shape.h"

typedef struct mfft_shell_index {
  double radius, weight, modes; /* modes: 1, or 2 if the mirror image is not stored */
} mfft_shell_index;

typedef struct mfft_shell_sums {
  mfft_filter_shape shape;
  const mfft_shell_index *index; /* [indices] */
  int64_t indices;
  const double *edge;     /* [count + 1] */
  int64_t count;          /* number of shells */
  int64_t *modes;         /* [count] results in host memory, zero on entry */
  double *radius, *power; /* [count] likewise */
} mfft_shell_sums;

#endif
