/* range.h: the choice of colours for a plane: logarithmic or linear, range, and colour map.
 *
 * Settings that the user does not give are chosen from the values.  Values that span decades above 0, and density contrasts
 * for which 1 + delta does, get logarithmic colours; values of both signs, such as those of a potential, linear colours of a
 * diverging map with 0 in its middle; all others linear colours. */
#ifndef MFFT_APPS_RANGE_H
#define MFFT_APPS_RANGE_H

#include <stdint.h>

#include "mfft.h"
#include "plot/colormap.h"

#define MFFT_COLOR_SCALES "auto|linear|log"
typedef enum mfft_color_scale { MFFT_COLORS_AUTO = 0, MFFT_COLORS_LINEAR, MFFT_COLORS_LOG } mfft_color_scale;

/* The settings of the user. */
typedef struct mfft_range_request {
  mfft_color_scale scale;
  double add;    /* added to every value first; NAN: 1 for a density contrast, otherwise 0 */
  double lo, hi; /* values at the ends of the colours; NAN: quantiles of the plane, without `clip` percent at each end */
  double clip;
  int colormap; /* an mfft_colormap; -1: chosen from the values */
  int has_unit; /* 1: the values have a unit, so they are no density contrast */
} mfft_range_request;

typedef struct mfft_range {
  double add;
  int logarithmic;
  double lo, hi;
  int beyond; /* MFFT_BELOW, MFFT_ABOVE of plot/figure.h */
  mfft_colormap colormap;
  int64_t masked; /* finite values without a logarithm, if colours are logarithmic */
} mfft_range;

/* value: NaN and infinity are omitted; the others are sorted. */
mfft_status mfft_range_choose(const mfft_range_request *request, double *value /* [count] */, int64_t count,
                              mfft_range *range);

#endif
