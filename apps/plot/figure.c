/* figure.c: see figure.h.  All lengths are multiples of em, the size of the letters. */
#include "plot/figure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/number.h"
#include "cli/report.h"
#include "mfft_memory.h"
#include "plot/label.h"
#include "plot/picture.h"
#include "plot/ticks.h"

static const uint32_t ink = 0x202020;

/* The figure on its canvas. */
typedef struct layout {
  const mfft_figure *figure;
  mfft_picture *picture;
  double em, line; /* line: how wide lines are */
  mfft_font plain, bold;
  double left, top, width, height;   /* of the image */
  double bar, bar_width, bar_height; /* of the colour bar: its start; it may be higher than the image, because of its name */
  double bottom;                     /* of the names below the image */
  double canvas[2];                  /* {width, height} in pixels */
  mfft_ticks tick[2], bar_ticks;     /* [axis] */
} layout;

/* ---- Layout ---------------------------------------------------------------------------------------------------------- */

static double text_width(const layout *l, const char *text) { return mfft_picture_text_width(&l->plain, text); }

/* The largest width of the labels of ticks. */
static double labels_width(const layout *l, const mfft_ticks *ticks) {
  char text[MFFT_LABEL_BYTES];
  double width = 0;
  for (int i = 0; i < ticks->count; i++) {
    mfft_label_tick(ticks, i, 6, text);
    width = fmax(width, text_width(l, text));
  }
  return width;
}

static int ticks_on(const layout *l, double length, double ems_each) {
  const int most = (int)(length / (ems_each * l->em));
  return most < 2 ? 2 : most > 9 ? 9 : most;
}

/* The name of the colour bar with the offset of its labels: "delta - 1000", or "+ 1000" for a bar without a name. */
static void name_bar(const mfft_figure *f, const mfft_ticks *ticks, char *name, size_t size) {
  char number[MFFT_NUMBER_BYTES];
  mfft_number_text(fabs(ticks->offset), number);
  if (ticks->offset == 0)
    snprintf(name, size, "%s", f->label);
  else if (f->label[0])
    snprintf(name, size, "%s %c %s", f->label, ticks->offset < 0 ? '+' : '-', number);
  else
    snprintf(name, size, "%c %s", ticks->offset < 0 ? '-' : '+', number);
}

static layout lay_out(const mfft_figure *f) {
  const double longer = fmax(f->size[0], f->size[1]);
  layout l = {.figure = f, .em = fmax(11, f->pixels / 48.0)};
  l.line = fmax(1, rint(l.em / 12));
  l.plain = (mfft_font){.size = l.em, .color = ink};
  l.bold = (mfft_font){.size = 1.15 * l.em, .bold = 1, .color = ink};
  l.width = fmax(1, rint(f->size[0] / longer * f->pixels));
  l.height = fmax(1, rint(f->size[1] / longer * f->pixels));
  mfft_ticks_find(f->origin[0], f->origin[0] + f->size[0], 0, ticks_on(&l, l.width, 5), &l.tick[0]);
  mfft_ticks_find(f->origin[1], f->origin[1] + f->size[1], 0, ticks_on(&l, l.height, 3.5), &l.tick[1]);
  l.bar_height = ceil(fmax(fmax(l.height, 8 * l.em), text_width(&l, f->label)));
  mfft_ticks_find(f->lo, f->hi, f->logarithmic, ticks_on(&l, l.bar_height, 2.5), &l.bar_ticks);
  l.left = ceil(labels_width(&l, &l.tick[1]) + 2.9 * l.em);
  l.top = ceil((f->subtitle[0] ? 3.9 : 2.6) * l.em);
  const double reach = l.bar_height > l.height ? labels_width(&l, &l.tick[0]) / 2 + 0.8 * l.em : 0; /* of labels below it */
  l.bar = ceil(l.left + l.width + fmax(1.5 * l.em, reach));
  l.bar_width = ceil(1.5 * l.em);
  l.canvas[0] = l.bar + l.bar_width + labels_width(&l, &l.bar_ticks) + 3.0 * l.em;
  l.canvas[0] = fmax(l.canvas[0], l.left + mfft_picture_text_width(&l.bold, f->title) + l.em);
  l.canvas[0] = ceil(fmax(l.canvas[0], l.left + text_width(&l, f->subtitle) + l.em));
  l.bottom = ceil(l.top + l.height + 3.8 * l.em);
  l.canvas[1] = fmax(l.bottom, ceil(l.top + l.bar_height + l.em));
  return l;
}

/* ---- Axes ------------------------------------------------------------------------------------------------------------ */

static void axis_title(const mfft_figure *f, int axis, const mfft_ticks *ticks, char *text, size_t size) {
  char number[MFFT_NUMBER_BYTES];
  mfft_number_text(fabs(ticks->offset), number);
  snprintf(text, size, "%s%s%s%s%s%s", f->axis_name[axis],
           ticks->offset == 0  ? ""
           : ticks->offset < 0 ? " + "
                               : " - ",
           ticks->offset == 0 ? "" : number, *f->length_unit ? " [" : "", f->length_unit, *f->length_unit ? "]" : "");
}

/* A tick's distance from the beginning of the window, as a share of it. */
static double share(const mfft_figure *f, int axis, const mfft_ticks *ticks, int i) {
  return (ticks->value[i] - (f->origin[axis] - ticks->offset)) / f->size[axis];
}

static void draw_axes(const layout *l) {
  const mfft_figure *f = l->figure;
  const double tick = rint(0.4 * l->em), half = l->line / 2;
  char text[128];
  for (int i = 0; i < l->tick[0].count; i++) {
    const double x = l->left + share(f, 0, &l->tick[0], i) * l->width;
    mfft_picture_fill(l->picture, x - half, l->top + l->height + l->line, l->line, tick, ink);
    mfft_label_tick(&l->tick[0], i, 6, text);
    mfft_picture_text(l->picture, x, l->top + l->height + tick + 1.2 * l->em, MFFT_CENTER, &l->plain, text);
  }
  for (int i = 0; i < l->tick[1].count; i++) {
    const double y = l->top + l->height - share(f, 1, &l->tick[1], i) * l->height;
    mfft_picture_fill(l->picture, l->left - l->line - tick, y - half, tick, l->line, ink);
    mfft_label_tick(&l->tick[1], i, 6, text);
    mfft_picture_text(l->picture, l->left - tick - 0.5 * l->em, y + 0.36 * l->em, MFFT_RIGHT, &l->plain, text);
  }
  axis_title(f, 0, &l->tick[0], text, sizeof text);
  mfft_picture_text(l->picture, l->left + l->width / 2, l->bottom - 0.6 * l->em, MFFT_CENTER, &l->plain, text);
  mfft_font upwards = l->plain;
  upwards.upwards = 1;
  axis_title(f, 1, &l->tick[1], text, sizeof text);
  mfft_picture_text(l->picture, 1.25 * l->em, l->top + l->height / 2, MFFT_CENTER, &upwards, text);
}

/* A line as long as a round number of units, between the lower left corner and the name of the axis; none if there is no
 * space for it. */
static void draw_scale_bar(const layout *l) {
  const mfft_figure *f = l->figure;
  char text[128], number[MFFT_LABEL_BYTES];
  const double most = f->size[0] / 5, power = pow(10, floor(log10(most)));
  const double length = (most >= 5 * power ? 5 : most >= 2 * power ? 2 : 1) * power, width = length / f->size[0] * l->width;
  mfft_label_number(length, 6, number);
  snprintf(text, sizeof text, "%s%s%s", number, *f->length_unit ? " " : "", f->length_unit);
  axis_title(f, 0, &l->tick[0], number, sizeof number);
  const double y = l->bottom - 0.95 * l->em, cap = 0.3 * l->em;
  if (width + text_width(l, text) + 2 * l->em > (l->width - text_width(l, number)) / 2) return;
  mfft_picture_fill(l->picture, l->left, y - l->line, width, 2 * l->line, ink);
  mfft_picture_fill(l->picture, l->left, y - cap, 2 * l->line, 2 * cap, ink);
  mfft_picture_fill(l->picture, l->left + width - 2 * l->line, y - cap, 2 * l->line, 2 * cap, ink);
  mfft_picture_text(l->picture, l->left + width + 0.6 * l->em, y + 0.35 * l->em, MFFT_LEFT, &l->plain, text);
}

/* ---- The colour bar -------------------------------------------------------------------------------------------------- */

/* An arrow in the colour of the bar's upper (up = 1) or lower end: values lie beyond it. */
static void draw_arrow(const layout *l, double end, int up) {
  const double w = l->bar_width, tip = up ? end - w / 2 : end + w / 2, line = l->line, reach = up ? -line : line;
  const double outer[][2] = {{l->bar - line, end}, {l->bar + w / 2, tip + 1.4 * reach}, {l->bar + w + line, end}};
  const double inner[][2] = {{l->bar, end}, {l->bar + w / 2, tip}, {l->bar + w, end}};
  mfft_picture_polygon(l->picture, outer, 3, ink);
  mfft_picture_polygon(l->picture, inner, 3, mfft_colormap_color(l->figure->colormap, up));
}

/* Ticks without labels at 2, 3, ... 9 times the powers of ten, where the labels are whole decades. */
static void draw_minor_ticks(const layout *l, double top, double length) {
  const mfft_figure *f = l->figure;
  const mfft_ticks *t = &l->bar_ticks;
  if (!f->logarithmic || t->offset != 0 || t->count < 2 || fabs(t->value[1] / t->value[0] - 10) > 1e-6) return;
  for (double power = pow(10, floor(log10(f->lo))); power < f->hi; power *= 10)
    for (int i = 2; i < 10; i++) {
      const double at = mfft_figure_position(f, i * power);
      if (at > 0 && at < 1)
        mfft_picture_fill(l->picture, l->bar + l->bar_width + l->line, top + length * (1 - at) - l->line / 2, 0.22 * l->em,
                          l->line, ink);
    }
}

static void draw_bar(const layout *l) {
  enum { STEPS = 256 };
  const mfft_figure *f = l->figure;
  const mfft_ticks *t = &l->bar_ticks;
  const int ends = f->beyond;
  const double arrow = l->bar_width / 2 + 2 * l->line, tick = rint(0.4 * l->em);
  const double top = l->top + (ends & 2 ? arrow : 0), length = l->bar_height - ((ends & 1) + (ends >> 1)) * arrow;
  uint32_t color[STEPS];
  char text[256];
  for (int j = 0; j < STEPS; j++) color[j] = mfft_colormap_color(f->colormap, (STEPS - j - 0.5) / STEPS);
  mfft_picture_image(l->picture, l->bar, top, l->bar_width, length, color, 1, STEPS);
  if (ends & 2) draw_arrow(l, top - l->line, 1);
  if (ends & 1) draw_arrow(l, top + length + l->line, 0);
  mfft_picture_frame(l->picture, l->bar, top, l->bar_width, length, l->line, ink);
  draw_minor_ticks(l, top, length);
  for (int i = 0; i < t->count; i++) {
    /* Compared with an offset the bar is short: straight, and the differences are exact where the sum of offset and value is
     * not. */
    const double at =
        t->offset == 0 ? mfft_figure_position(f, t->value[i]) : (t->value[i] - (f->lo - t->offset)) / (f->hi - f->lo);
    const double y = top + length * (1 - at);
    mfft_picture_fill(l->picture, l->bar + l->bar_width + l->line, y - l->line / 2, tick, l->line, ink);
    mfft_label_tick(t, i, 6, text);
    mfft_picture_text(l->picture, l->bar + l->bar_width + tick + 0.5 * l->em, y + 0.36 * l->em, MFFT_LEFT, &l->plain, text);
  }
  mfft_font upwards = l->plain;
  upwards.upwards = 1;
  name_bar(f, t, text, sizeof text);
  mfft_picture_text(l->picture, l->bar + l->bar_width + labels_width(l, t) + 2.3 * l->em, l->top + l->bar_height / 2,
                    MFFT_CENTER, &upwards, text);
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static mfft_status draw_image(const layout *l) {
  const int width = (int)l->width, height = (int)l->height;
  void *color = NULL;
  mfft_status status = mfft_app_alloc((int64_t)width * height, sizeof(uint32_t), "the image", &color);
  if (status != MFFT_SUCCESS) return status;
  mfft_figure_sample(l->figure, width, height, color);
  mfft_picture_image(l->picture, l->left, l->top, width, height, color, width, height);
  mfft_picture_frame(l->picture, l->left, l->top, width, height, l->line, ink);
  mfft_free(color);
  return MFFT_SUCCESS;
}

mfft_status mfft_figure_save(const mfft_figure *f, const char *path, int image[2]) {
  layout l = lay_out(f);
  mfft_status status = mfft_picture_create(path, l.canvas[0], l.canvas[1], 1, &l.picture);
  if (status == MFFT_SUCCESS) status = draw_image(&l);
  if (status == MFFT_SUCCESS) {
    draw_axes(&l);
    draw_scale_bar(&l);
    draw_bar(&l);
    mfft_picture_text(l.picture, l.left, 1.7 * l.em, MFFT_LEFT, &l.bold, f->title);
    mfft_picture_text(l.picture, l.left, 3.15 * l.em, MFFT_LEFT, &l.plain, f->subtitle);
    status = mfft_picture_save(l.picture, f->title);
  }
  image[0] = (int)l.width;
  image[1] = (int)l.height;
  mfft_picture_destroy(l.picture);
  return status;
}
