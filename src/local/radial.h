/* radial.h: the arguments with which a backend multiplies a spectrum by a function of |k| (mfft_radial in mfft_spectrum.h).
 */
#ifndef MFFT_LOCAL_RADIAL_H
#define MFFT_LOCAL_RADIAL_H

#include "local/filter_shape.h"

typedef struct mfft_radial_product {
  mfft_filter_shape shape; /* its table positions are indices of `square` */
  const double *square;    /* [indices] (r / lo)^2 of each whole axis, one axis after another; 0 or a normal number */
  int64_t indices;
  const double *value; /* [count] */
  int64_t count;
  double per_log; /* entries of the table for each unit of the logarithm of (r / lo)^2 */
  double at_zero;
  int threads;
} mfft_radial_product;

#endif
