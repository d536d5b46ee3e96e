/* figure.h: a picture of a plane of numbers: the image with its axes, a title and a colour bar. */
#ifndef MFFT_APPS_FIGURE_H
#define MFFT_APPS_FIGURE_H

#include "plot/colormap.h"
#include "plot/picture.h"

typedef struct mfft_figure {
  const double *value; /* [nv][nh] the vertical axis points up */
  int64_t nh, nv;
  double length[2];          /* of the sides, horizontal and vertical */
  const char *axis_name[2];  /* horizontal and vertical */
  const char *title, *label; /* label: of the colour bar */
  double lo, hi;             /* values at the ends of the colour map, hi > lo, and hi - lo is finite */
  int logarithmic;           /* colours follow the logarithm; lo > 0.  Values that are not above 0 are masked */
  int smooth;                /* cubic interpolation between cells instead of flat ones */
  mfft_colormap colormap;
  int pixels; /* of the longer side of the image */
} mfft_figure;

mfft_status mfft_figure_draw(const mfft_figure *figure, mfft_picture *picture);

#endif
