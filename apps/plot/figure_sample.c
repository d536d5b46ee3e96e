/* figure_sample.c: the pixels of a figure's image. */
#include "plot/figure_sample.h"

#include <math.h>

double mfft_figure_position(const mfft_figure *f, double value) {
  const double straight =
      1 + 1e-6; /* up to this ratio of the ends a linear scale replaces the logarithm, whose rounding errors would show */
  if (!isfinite(value)) return NAN;
  if (!f->logarithmic || f->hi / f->lo < straight) return (value - f->lo) / (f->hi - f->lo);
  return value > 0 ? (log(value) - log(f->lo)) / (log(f->hi) - log(f->lo)) : -1;
}

int mfft_figure_masked(const mfft_figure *f, double value) { return f->logarithmic && isfinite(value) && value <= 0; }

/* The share of cell i at offset u from the cell before the point, i = -1 .. 2 (Catmull-Rom). */
static void cubic(double u, double weight[4]) {
  weight[0] = u * (-0.5 + u * (1 - 0.5 * u));
  weight[1] = 1 + u * u * (-2.5 + 1.5 * u);
  weight[2] = u * (0.5 + u * (2 - 1.5 * u));
  weight[3] = u * u * (-0.5 + 0.5 * u);
}

static int64_t wrapped(int64_t i, int64_t n) { return ((i % n) + n) % n; }

static double cell(const mfft_figure *f, int64_t h, int64_t v) {
  return f->value[wrapped(v, f->nv) * f->nh + wrapped(h, f->nh)];
}

static uint32_t color_of(const mfft_figure *f, double value) {
  return mfft_figure_masked(f, value) ? mfft_colormap_masked(f->colormap)
                                      : mfft_colormap_color(f->colormap, mfft_figure_position(f, value));
}

/* The colour at a point in units of cells: positions in the colour map are interpolated smoothly between centres on the
 * periodic plane.  A masked cell has no smooth edge. */
static uint32_t smooth_color(const mfft_figure *f, double x, double y) {
  double wx[4], wy[4], sum = 0; /* [cell] */
  const double fx = floor(x - 0.5), fy = floor(y - 0.5);
  if (mfft_figure_masked(f, cell(f, (int64_t)floor(x), (int64_t)floor(y)))) return mfft_colormap_masked(f->colormap);
  cubic(x - 0.5 - fx, wx);
  cubic(y - 0.5 - fy, wy);
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) {
      const double p = mfft_figure_position(f, cell(f, (int64_t)fx - 1 + i, (int64_t)fy - 1 + j));
      sum += wx[i] * wy[j] * (p < 0 ? 0 : p > 1 ? 1 : p);
    }
  return mfft_colormap_color(f->colormap, sum);
}

/* The cells whose centre is in [from, to), or the one at its middle if there is none. */
static void cells_between(double from, double to, int64_t *first, int64_t *end) {
  *first = (int64_t)ceil(from - 0.5);
  *end = (int64_t)ceil(to - 0.5);
  if (*end > *first) return;
  *first = (int64_t)floor((from + to) / 2);
  *end = *first + 1;
}

/* The colour of the mean over the cells of a pixel. */
static uint32_t flat_color(const mfft_figure *f, double x0, double x1, double y0, double y1) {
  int64_t h0, h1, v0, v1;
  double sum = 0;
  cells_between(x0, x1, &h0, &h1);
  cells_between(y0, y1, &v0, &v1);
  for (int64_t v = v0; v < v1; v++)
    for (int64_t h = h0; h < h1; h++) sum += cell(f, h, v);
  return color_of(f, sum / (double)((h1 - h0) * (v1 - v0)));
}

void mfft_figure_sample(const mfft_figure *f, int width, int height, uint32_t *color) {
  const double sx = (double)f->nh * (f->size[0] / f->length[0]) / width, /* cells of a pixel */
      sy = (double)f->nv * (f->size[1] / f->length[1]) / height;
  const double left = (double)f->nh * (f->origin[0] / f->length[0]), low = (double)f->nv * (f->origin[1] / f->length[1]);
  const int smooth = f->smooth && sx < 1 && sy < 1; /* fewer cells than pixels; otherwise average */
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      const double x = left + i * sx, y = low + (height - 1 - j) * sy;
      color[(size_t)j * (size_t)width + (size_t)i] =
          smooth ? smooth_color(f, x + sx / 2, y + sy / 2) : flat_color(f, x, x + sx, y, y + sy);
    }
}
