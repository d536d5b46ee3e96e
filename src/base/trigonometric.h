/* trigonometric.h: the sums over cosines and sines of mfft_kind.h, as a table.
 *
 * Every one of them is   X[k] = sum over j of w[j] x[j] c(2 pi (2 j + in_shift) (2 k + out_shift) / (4 N))   with c the
 * cosine or the sine, N = 2 (n + longer), and weights w of 2, but for one or two terms of weight 1 at the ends. */
#ifndef MFFT_BASE_TRIGONOMETRIC_H
#define MFFT_BASE_TRIGONOMETRIC_H

#include <stdint.h>

#include "mfft.h"

typedef struct mfft_trigonometric {
  const char *name;       /* as in printed plans */
  mfft_axis_kind inverse; /* of the backward direction */
  int sine;               /* 1: sines; 0: cosines */
  int in_shift, out_shift, longer;
  int single_first, single_last; /* x[0], x[n-1] has weight 1 */
  int least;                     /* the smallest length */
} mfft_trigonometric;

enum { MFFT_AXIS_KINDS = MFFT_DST4 + 1 };
extern const mfft_trigonometric
    mfft_trigonometric_of[MFFT_AXIS_KINDS]; /* [mfft_axis_kind] that of MFFT_DFT has only a name */

/* N: what forward then backward multiplies by along an axis of length n, of any kind. */
int64_t mfft_axis_points(mfft_axis_kind kind, int64_t n);

#endif
