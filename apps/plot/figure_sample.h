/* figure_sample.h: the pixels of a figure's image (figure.h). */
#ifndef MFFT_APPS_FIGURE_SAMPLE_H
#define MFFT_APPS_FIGURE_SAMPLE_H

#include <stddef.h>
#include <stdint.h>

#include "plot/colormap.h"

enum { MFFT_BELOW = 1, MFFT_ABOVE = 2 };

typedef struct mfft_figure {
  const double *value; /* [nv][nh] the whole plane; the vertical axis points up */
  int64_t nh, nv;
  double length[2];             /* of the plane's sides, horizontal and vertical */
  double origin[2], size[2];    /* the window: its lower left corner, which may have any coordinates, and its sides */
  const char *axis_name[2];     /* horizontal and vertical */
  const char *length_unit;      /* after the names of the axes and at the scale bar; "" if unknown */
  const char *title, *subtitle; /* above the image, a line each */
  const char *label;            /* of the colour bar */
  double lo, hi;                /* values at the ends of the colour map, hi > lo, and hi - lo is finite */
  int beyond;                   /* values exist beyond the ends: MFFT_BELOW, MFFT_ABOVE or both; the bar has arrows */
  int logarithmic;              /* colours follow the logarithm; lo > 0.  Values that are not above 0 are masked */
  int smooth;                   /* cubic interpolation between cells instead of flat ones */
  mfft_colormap colormap;
  int pixels; /* of the longer side of the image; units in SVG and PDF */
} mfft_figure;

/* The image: colours of width x height pixels, row by row from the upper left one. */
void mfft_figure_sample(const mfft_figure *figure, int width, int height, uint32_t *color /* [height][width] */);

/* The position of a value between the ends of the colour map, 0 to 1; NAN if the value is not finite. */
double mfft_figure_position(const mfft_figure *figure, double value);

/* Whether the colours cannot show a value, because it has no logarithm. */
int mfft_figure_masked(const mfft_figure *figure, double value);

#endif
