/* figure.c: see figure.h. */
#include "plot/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/number.h"
#include "cli/report.h"
#include "plot/font.h"
#include "plot/ticks.h"

enum { LEFT = 84, TOP = 44, BOTTOM = 58, GAP = 22, BAR = 22, BAR_LABELS = 104, TICK = 6, TICK_EVERY = 76 };
static const uint32_t ink = 0x202020;

/* Where a value lies between the ends of the colour map, 0 to 1; NAN where the value is not finite. */
static double position(const mfft_figure *f, double value) {
  const double straight =
      1 + 1e-6; /* up to this ratio of the ends a logarithm is a straight line, and its rounding is not */
  if (!isfinite(value)) return NAN;
  if (!f->logarithmic || f->hi / f->lo < straight) return (value - f->lo) / (f->hi - f->lo);
  return value > 0 ? (log(value) - log(f->lo)) / (log(f->hi) - log(f->lo)) : -1;
}

/* Whether the colours cannot show a value, because it has no logarithm. */
static int is_masked(const mfft_figure *f, double value) { return f->logarithmic && isfinite(value) && value <= 0; }

/* The share of cell i at offset u from the cell before the point, i = -1 .. 2 (Catmull-Rom). */
static void cubic(double u, double weight[4]) {
  weight[0] = u * (-0.5 + u * (1 - 0.5 * u));
  weight[1] = 1 + u * u * (-2.5 + 1.5 * u);
  weight[2] = u * (0.5 + u * (2 - 1.5 * u));
  weight[3] = u * u * (-0.5 + 0.5 * u);
}

static int64_t wrapped(int64_t i, int64_t n) { return ((i % n) + n) % n; }

static uint32_t color_of(const mfft_figure *f, double value) {
  return is_masked(f, value) ? mfft_colormap_masked(f->colormap) : mfft_colormap_color(f->colormap, position(f, value));
}

/* The colour at a point in units of cells: positions in the colour map are interpolated smoothly between centres on the
 * periodic plane.  A cell that is masked is so without a smooth edge. */
static uint32_t smooth_sample(const mfft_figure *f, double x, double y) {
  double wx[4], wy[4], sum = 0;
  double fx = floor(x - 0.5), fy = floor(y - 0.5);
  const int64_t here = wrapped((int64_t)floor(y), f->nv) * f->nh + wrapped((int64_t)floor(x), f->nh);
  if (is_masked(f, f->value[here])) return mfft_colormap_masked(f->colormap);
  cubic(x - 0.5 - fx, wx);
  cubic(y - 0.5 - fy, wy);
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 4; i++) {
      int64_t h = wrapped((int64_t)fx - 1 + i, f->nh), v = wrapped((int64_t)fy - 1 + j, f->nv);
      double p = position(f, f->value[v * f->nh + h]);
      sum += wx[i] * wy[j] * (p < 0 ? 0 : p > 1 ? 1 : p);
    }
  return mfft_colormap_color(f->colormap, sum);
}

/* The colour of the mean over the cells whose middle a pixel covers, or of the cell under the pixel where it covers none. */
static uint32_t flat_sample(const mfft_figure *f, double x0, double x1, double y0, double y1) {
  int64_t h0 = (int64_t)ceil(x0 - 0.5), h1 = (int64_t)ceil(x1 - 0.5), v0 = (int64_t)ceil(y0 - 0.5),
          v1 = (int64_t)ceil(y1 - 0.5);
  if (h1 <= h0) h0 = (int64_t)floor((x0 + x1) / 2), h1 = h0 + 1;
  if (v1 <= v0) v0 = (int64_t)floor((y0 + y1) / 2), v1 = v0 + 1;
  if (h1 > f->nh) h1 = f->nh;
  if (v1 > f->nv) v1 = f->nv;
  double sum = 0;
  for (int64_t v = v0; v < v1; v++)
    for (int64_t h = h0; h < h1; h++) sum += f->value[v * f->nh + h];
  return color_of(f, sum / (double)((h1 - h0) * (v1 - v0)));
}

static void draw_image(const mfft_figure *f, mfft_picture *p, int width, int height) {
  double sx = (double)f->nh / width, sy = (double)f->nv / height;
  int smooth = f->smooth && sx < 1 && sy < 1; /* fewer cells than pixels; otherwise average */
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      double x0 = i * sx, y0 = (height - 1 - j) * sy;
      uint32_t color = smooth ? smooth_sample(f, x0 + sx / 2, y0 + sy / 2) : flat_sample(f, x0, x0 + sx, y0, y0 + sy);
      mfft_picture_fill(p, LEFT + i, TOP + j, 1, 1, color);
    }
  mfft_picture_frame(p, LEFT, TOP, width, height, ink);
}

static int ticks_on(int pixels) { return pixels / TICK_EVERY < 2 ? 2 : pixels / TICK_EVERY; }

static void draw_axes(const mfft_figure *f, mfft_picture *p, int width, int height) {
  mfft_ticks ticks;
  char text[32];
  mfft_ticks_find(0, f->length[0], 0, ticks_on(width), &ticks);
  for (int i = 0; i < ticks.count; i++) {
    int x = LEFT + (int)lrint(ticks.value[i] / f->length[0] * width);
    mfft_picture_fill(p, x, TOP + height + 1, 1, TICK, ink);
    snprintf(text, sizeof text, "%.6g", ticks.value[i]);
    mfft_picture_text(p, x, TOP + height + TICK + 18, MFFT_CENTER, ink, text);
  }
  mfft_picture_text(p, LEFT + width / 2, TOP + height + BOTTOM - 12, MFFT_CENTER, ink, f->axis_name[0]);
  mfft_ticks_find(0, f->length[1], 0, ticks_on(height), &ticks);
  for (int i = 0; i < ticks.count; i++) {
    int y = TOP + height - (int)lrint(ticks.value[i] / f->length[1] * height);
    mfft_picture_fill(p, LEFT - 1 - TICK, y, TICK, 1, ink);
    snprintf(text, sizeof text, "%.6g", ticks.value[i]);
    mfft_picture_text(p, LEFT - TICK - 6, y + 5, MFFT_RIGHT, ink, text);
  }
  mfft_picture_text(p, 12, TOP + height / 2 + 5, MFFT_LEFT, ink, f->axis_name[1]);
}

/* 1 for values below the colours, 2 for values above them; those of a colour of their own are neither. */
static int beyond(const mfft_figure *f) {
  int found = 0;
  for (int64_t i = 0; i < f->nh * f->nv; i++)
    if (isfinite(f->value[i]) && !is_masked(f, f->value[i])) found |= (f->value[i] < f->lo) | (f->value[i] > f->hi) << 1;
  return found;
}

/* A point on the bar's upper (up = 1) or lower end, in the colour of that end: values lie beyond it. */
static void draw_point(const mfft_figure *f, mfft_picture *p, int left, int end, int up) {
  uint32_t color = mfft_colormap_color(f->colormap, up);
  for (int j = 0; j < BAR / 2; j++) {
    int y = up ? end - 2 - j : end + 1 + j;
    mfft_picture_fill(p, left + j, y, BAR - 2 * j, 1, color);
    mfft_picture_fill(p, left + j - 1, y, 1, 1, ink);
    mfft_picture_fill(p, left + BAR - j, y, 1, 1, ink);
  }
}

static void find_bar_ticks(const mfft_figure *f, int length, mfft_ticks *ticks) {
  mfft_ticks_find(f->lo, f->hi, f->logarithmic, length / 40 < 3 ? 3 : length / 40, ticks);
}

/* The name of the colour bar with what its labels leave out: "delta - 1000", or "+ 1000" beside a bar without a name. */
static void name_bar(const mfft_figure *f, int height, char *name, size_t size) {
  mfft_ticks ticks;
  char number[MFFT_NUMBER_BYTES];
  find_bar_ticks(f, height, &ticks);
  mfft_number_text(fabs(ticks.offset), number);
  if (ticks.offset == 0)
    snprintf(name, size, "%s", f->label);
  else if (f->label[0])
    snprintf(name, size, "%s %c %s", f->label, ticks.offset < 0 ? '+' : '-', number);
  else
    snprintf(name, size, "%c %s", ticks.offset < 0 ? '-' : '+', number);
}

static void draw_bar(const mfft_figure *f, mfft_picture *p, int left, int height) {
  mfft_ticks ticks;
  char text[32];
  int points = beyond(f), top = TOP, length = height;
  if (points & 2) top += BAR / 2 + 1;
  length -= ((points & 1) + (points >> 1)) * (BAR / 2 + 1);
  for (int j = 0; j < length; j++)
    mfft_picture_fill(p, left, top + length - 1 - j, BAR, 1, mfft_colormap_color(f->colormap, (j + 0.5) / length));
  mfft_picture_frame(p, left, top, BAR, length, ink);
  if (points & 2) draw_point(f, p, left, top, 1);
  if (points & 1) draw_point(f, p, left, top + length, 0);
  find_bar_ticks(f, length, &ticks);
  for (int i = 0; i < ticks.count; i++) {
    /* Beside an offset the bar is short: straight, and the differences are exact where the sum of offset and value is not.
     */
    const double at =
        ticks.offset == 0 ? position(f, ticks.value[i]) : (ticks.value[i] - (f->lo - ticks.offset)) / (f->hi - f->lo);
    int y = top + length - (int)lrint(at * length);
    mfft_picture_fill(p, left + BAR + 1, y, TICK, 1, ink);
    snprintf(text, sizeof text, "%.5g", ticks.value[i]);
    mfft_picture_text(p, left + BAR + TICK + 6, y + 5, MFFT_LEFT, ink, text);
  }
}

mfft_status mfft_figure_draw(const mfft_figure *f, mfft_picture *picture) {
  double longer = fmax(f->length[0], f->length[1]);
  int width = (int)lrint(f->length[0] / longer * f->pixels), height = (int)lrint(f->length[1] / longer * f->pixels);
  if (width < 1) width = 1;
  if (height < 1) height = 1;
  int bar_left = LEFT + width + GAP;
  int bar_right = bar_left + BAR + BAR_LABELS;
  char name[128];
  name_bar(f, height, name, sizeof name);
  int title_right = LEFT + mfft_font_width(f->title) + GAP, label_right = bar_left + mfft_font_width(name) + GAP;
  int whole = bar_right > title_right ? bar_right : title_right;
  mfft_status status = mfft_picture_create(whole > label_right ? whole : label_right, TOP + height + BOTTOM, picture);
  if (status != MFFT_SUCCESS) return status;
  draw_image(f, picture, width, height);
  draw_axes(f, picture, width, height);
  draw_bar(f, picture, bar_left, height);
  mfft_picture_text(picture, LEFT, TOP - 16, MFFT_LEFT, ink, f->title);
  mfft_picture_text(picture, LEFT + 1, TOP - 16, MFFT_LEFT, ink, f->title); /* bold */
  mfft_picture_text(picture, bar_left, TOP + height + BOTTOM - 12, MFFT_LEFT, ink, name);
  return MFFT_SUCCESS;
}
