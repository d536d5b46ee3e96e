/* shell_sums.h: the arguments with which a backend adds up shells of wave numbers (mfft_shells in mfft_spectrum.h).
 *
 * A table in host memory has the radius, the weight and the number of modes for each index of each whole axis.  The table
 * positions of the shape are indices of `index`. */
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
  double *radius, *power; /* [count] results in host memory, zero on entry */
} mfft_shell_sums;

#endif
