/* draw.c: the picture of a plane: window, colours, title and labels. */
#include "show/draw.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/number.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_memory.h"
#include "plot/figure.h"
#include "show/range.h"

const char *const mfft_show_axes[3] = {"x", "y", "z"};

/* Chooses the visible part of the plane: all of it, or the square of --zoom. */
static mfft_status choose_window(const mfft_show *s, const double length[2], double origin[2], double size[2]) {
  for (int a = 0; a < 2; a++) {
    size[a] = s->zoom.count ? s->zoom.v[2] : length[a];
    origin[a] = s->zoom.count ? s->zoom.v[a] - size[a] / 2 : 0;
    if (!(size[a] > 0 && size[a] <= length[a] && fabs(origin[a]) <= 1e6 * length[a]))
      return mfft_app_fail(
          MFFT_ERR_ARG, "--zoom %g,%g,%g: the side must be above 0 and no longer than the sides of the picture, %g and %g",
          s->zoom.v[0], s->zoom.v[1], s->zoom.v[2], length[0], length[1]);
  }
  return MFFT_SUCCESS;
}

static int64_t wrapped(int64_t i, int64_t n) { return ((i % n) + n) % n; }

/* Copies the values of cells whose centre is in the window, or of the nearest cells if the window is smaller than a cell.
 * Returns their number. */
static int64_t take_window(const mfft_figure *f, double *value) {
  int64_t first[2], end[2], count = 0; /* {horizontal, vertical} */
  const int64_t n[2] = {f->nh, f->nv}; /* {horizontal, vertical} */
  for (int a = 0; a < 2; a++) {
    const double cell = f->length[a] / (double)n[a];
    first[a] = (int64_t)ceil(f->origin[a] / cell - 0.5 - 1e-9);
    end[a] = (int64_t)ceil((f->origin[a] + f->size[a]) / cell - 0.5 - 1e-9);
    if (end[a] <= first[a]) first[a] -= 1, end[a] = first[a] + 2;
    if (end[a] > first[a] + n[a]) end[a] = first[a] + n[a];
  }
  for (int64_t v = first[1]; v < end[1]; v++)
    for (int64_t h = first[0]; h < end[0]; h++) value[count++] = f->value[wrapped(v, f->nv) * f->nh + wrapped(h, f->nh)];
  return count;
}

static mfft_status choose_range(const mfft_show *s, const mfft_field_info *info, const mfft_figure *f, mfft_range *range) {
  const mfft_range_request request = {.scale = s->scale,
                                      .add = s->add,
                                      .lo = s->lo,
                                      .hi = s->hi,
                                      .clip = s->clip,
                                      .colormap = s->colormap - 1,
                                      .has_unit = *info->units != '\0'};
  void *value = NULL;
  mfft_status status = mfft_app_alloc(f->nh * f->nv, sizeof(double), "sorting the values", &value);
  if (status == MFFT_SUCCESS) status = mfft_range_choose(&request, value, take_window(f, value), range);
  mfft_free(value);
  return status;
}

/* Writes the label of the colour bar, the dataset with --add and its unit, and the title with the redshift. */
static void write_names(const mfft_show *s, const mfft_field_info *info, double add, char *label, char *title, size_t size) {
  char number[MFFT_NUMBER_BYTES];
  mfft_number_text(add, number);
  snprintf(label, size, "%s%s%.256s%s%s%s", add != 0 ? number : "", add != 0 ? " + " : "", info->dataset,
           *info->units ? " [" : "", info->units, *info->units ? "]" : "");
  if (s->title)
    snprintf(title, size, "%s", s->title);
  else if (info->has_redshift)
    snprintf(title, size, "%.256s at redshift %.6g", info->dataset, info->redshift);
  else
    snprintf(title, size, "%.256s", info->dataset);
}

/* Writes both ends of the colours with six digits, or with all digits if they would look the same with six. */
static void write_range(double lo, double hi, char from[MFFT_NUMBER_BYTES], char to[MFFT_NUMBER_BYTES]) {
  snprintf(from, MFFT_NUMBER_BYTES, "%.6g", lo);
  snprintf(to, MFFT_NUMBER_BYTES, "%.6g", hi);
  if (strcmp(from, to)) return;
  mfft_number_text(lo, from);
  mfft_number_text(hi, to);
}

/* Applies the range to the figure, and notes values that have no colour. */
static mfft_status apply_range(const mfft_show *s, const mfft_field_info *info, mfft_plane *plane, mfft_figure *f,
                               double *add) {
  mfft_range range;
  mfft_status status = choose_range(s, info, f, &range);
  if (status != MFFT_SUCCESS) return status;
  for (int64_t i = 0; i < plane->nh * plane->nv; i++) plane->value[i] += range.add;
  if (range.masked)
    mfft_app_note("logarithmic colours: %" PRId64 " of %" PRId64 " values are not above 0 and %s; see --add and --scale",
                  range.masked, plane->nh * plane->nv, mfft_colormap_masked_name(range.colormap));
  f->lo = range.lo;
  f->hi = range.hi;
  f->beyond = range.beyond;
  f->logarithmic = range.logarithmic;
  f->colormap = range.colormap;
  *add = range.add;
  return MFFT_SUCCESS;
}

mfft_status mfft_show_draw(const mfft_show *s, const mfft_field_info *info, const double length[3], const char *unit,
                           const char *text, mfft_plane *plane) {
  double add;
  int image[2]; /* {width, height} in pixels */
  char title[512], label[512], from[MFFT_NUMBER_BYTES], to[MFFT_NUMBER_BYTES];
  mfft_figure figure = {.value = plane->value,
                        .nh = plane->nh,
                        .nv = plane->nv,
                        .length = {length[plane->horizontal], length[plane->vertical]},
                        .axis_name = {mfft_show_axes[plane->horizontal], mfft_show_axes[plane->vertical]},
                        .length_unit = unit,
                        .title = title,
                        .subtitle = text,
                        .label = label,
                        .smooth = s->smooth,
                        .pixels = (int)s->width};
  mfft_status status = choose_window(s, figure.length, figure.origin, figure.size);
  if (status == MFFT_SUCCESS) status = apply_range(s, info, plane, &figure, &add);
  if (status != MFFT_SUCCESS) return status;
  write_names(s, info, add, label, title, sizeof title);
  mfft_progress_start("drawing", 0);
  status = mfft_figure_save(&figure, s->output, image);
  mfft_progress_end();
  write_range(figure.lo, figure.hi, from, to);
  if (status == MFFT_SUCCESS)
    mfft_app_print("%s: %s, %s, %d x %d pixels, %s colours from %s to %s\n", s->output, label, text, image[0], image[1],
                   figure.logarithmic ? "logarithmic" : "linear", from, to);
  return status;
}
