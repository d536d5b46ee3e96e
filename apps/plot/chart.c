/* chart.c: see chart.h. */
#include "plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ascending.h"
#include "cli/report.h"
#include "plot/label.h"
#include "plot/ticks.h"

enum {
  WIDE = 400, /* of a panel */
  HIGH = 220,
  LEFT = 70, /* before a panel: labels of its axis */
  RIGHT = 26,
  ABOVE = 46, /* above a panel: its title */
  BELOW = 64, /* below the lowest panel: labels and the name of the axis */
  HEAD = 54,  /* title, and the legend but for its lines */
  GAP = 4,    /* between the legend and the first panels */
  LINE = 20,  /* of the legend */
  TICK = 5,
  SAMPLE = 44,    /* of a line in the legend */
  RESOLUTION = 2, /* pixels of a unit in PNG */
  MOST_SIZES = 256
};
static const uint32_t faint = 0xe4e4e4, line_color = 0x909090, ink = 0x303030;
static const mfft_font plain = {.size = 12.5, .color = 0x303030}, heading = {.size = 16, .bold = 1, .color = 0x303030},
                       topic = {.size = 14, .bold = 1, .color = 0x303030};

uint32_t mfft_chart_color(int i) {
  static const uint32_t palette[] = {0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7,
                                     0xe69f00, 0x56b4e9, 0x7f6000, 0x555555}; /* after Okabe and Ito */
  return palette[(size_t)i % (sizeof palette / sizeof *palette)];
}

/* An axis in units of the picture. */
typedef struct axis {
  double lo, hi;
  int logarithmic;
  double first, last; /* where lo and hi are */
} axis;

static double place(const axis *a, double value) {
  const double t = a->logarithmic ? log(value / a->lo) / log(a->hi / a->lo) : (value - a->lo) / (a->hi - a->lo);
  return a->first + t * (a->last - a->first);
}

typedef struct panel {
  const mfft_chart *chart;
  mfft_picture *picture;
  int column, row;
  double left, top; /* of the frame */
  axis x, y;
} panel;

/* ---- Ranges ---------------------------------------------------------------------------------------------------------- */

/* Values that the axis cannot show do not widen it. */
static void widen(double value, int logarithmic, double *lo, double *hi) {
  if (!isfinite(value) || (logarithmic && value <= 0)) return;
  if (!(value >= *lo)) *lo = value;
  if (!(value <= *hi)) *hi = value;
}

static void find_x_range(panel *p) {
  const mfft_chart_column *column = &p->chart->column[p->column];
  double lo = NAN, hi = NAN;
  mfft_chart_curve c;
  for (int row = 0; row < p->chart->rows; row++)
    for (int i = 0; p->chart->curve(p->chart->context, p->column, row, i, &c); i++)
      for (int k = 0; k < c.count; k++) widen(c.x[k], !column->label, &lo, &hi);
  if (column->label)
    p->x = (axis){.lo = -0.5, .hi = column->labels - 0.5};
  else if (isnan(lo))
    p->x = (axis){.lo = 1, .hi = 2, .logarithmic = 1};
  else
    p->x = (axis){.lo = lo / 1.3, .hi = hi * 1.3, .logarithmic = 1};
  p->x.first = p->left;
  p->x.last = p->left + WIDE;
}

/* The smallest and the largest y of a panel's curves; NANs if it has none. */
static void find_values(const mfft_chart *chart, int column, int row, double *lo, double *hi) {
  mfft_chart_curve c;
  for (int i = 0; chart->curve(chart->context, column, row, i, &c); i++)
    for (int k = 0; k < c.count; k++) widen(c.y[k], chart->row[row].logarithmic, lo, hi);
}

static void find_y_range(panel *p) {
  const mfft_chart_row *row = &p->chart->row[p->row];
  double lo = row->line, hi = row->line;
  find_values(p->chart, p->column, p->row, &lo, &hi);
  if (isnan(lo)) lo = hi = 1;
  if (row->logarithmic) { /* at least three quarters of a decade */
    const double middle = sqrt(lo * hi), reach = fmax(1.35 * sqrt(hi / lo), 2.4);
    p->y = (axis){.lo = middle / reach, .hi = middle * reach, .logarithmic = 1};
  } else {
    p->y = (axis){.lo = 0, .hi = 1.12 * hi};
  }
  p->y.first = p->top + HIGH;
  p->y.last = p->top;
}

/* The prefix of a row's unit, and its size: that of the middle of a logarithmic axis over all panels of the row, or of the
 * largest value. */
static const char *unit_prefix(const mfft_chart *chart, int row, double *size) {
  double lo = NAN, hi = NAN;
  *size = 1;
  if (!chart->row[row].unit) return "";
  for (int column = 0; column < chart->columns; column++) find_values(chart, column, row, &lo, &hi);
  return mfft_label_prefix(chart->row[row].logarithmic ? sqrt(lo * hi) : hi, size);
}

/* ---- Axes ------------------------------------------------------------------------------------------------------------ */

static void draw_y_axis(const panel *p, double unit) {
  mfft_ticks ticks; /* both kinds of axis are long compared with their distance from 0, so there is no offset */
  char text[MFFT_LABEL_BYTES];
  mfft_ticks_find(p->y.lo / unit, p->y.hi / unit, p->y.logarithmic, 6, &ticks);
  for (int i = 0; i < ticks.count; i++) {
    const double y = place(&p->y, ticks.value[i] * unit);
    mfft_picture_fill(p->picture, p->left, y - 0.5, WIDE, 1, faint);
    mfft_picture_fill(p->picture, p->left - 1 - TICK, y - 0.5, TICK, 1, ink);
    mfft_label_tick(&ticks, i, 5, text);
    mfft_picture_text(p->picture, p->left - TICK - 6, y + 4.5, MFFT_RIGHT, &plain, text);
  }
}

/* A tick and its label, on the first line below the axis or on the second. */
static void draw_x_tick(const panel *p, double value, const char *text, int second) {
  const double x = place(&p->x, value), bottom = p->top + HIGH;
  mfft_picture_fill(p->picture, x - 0.5, p->top, 1, HIGH, faint);
  mfft_picture_fill(p->picture, x - 0.5, bottom + 1, 1, TICK, ink);
  if (text) mfft_picture_text(p->picture, x, bottom + TICK + 14 + (second ? 15 : 0), MFFT_CENTER, &plain, text);
}

/* The sizes of a column's points, increasing, each once; their number. */
static int find_sizes(const panel *p, double size[MOST_SIZES]) {
  mfft_chart_curve c;
  int count = 0, distinct = 0;
  for (int row = 0; row < p->chart->rows; row++)
    for (int i = 0; p->chart->curve(p->chart->context, p->column, row, i, &c); i++)
      for (int k = 0; k < c.count; k++) {
        int known = !(c.x[k] > 0) || count == MOST_SIZES;
        for (int s = 0; s < count && !known; s++) known = size[s] == c.x[k];
        if (!known) size[count++] = c.x[k];
      }
  qsort(size, (size_t)count, sizeof *size, mfft_ascending_double);
  for (int s = 0; s < count; s++)
    if (!distinct || size[s] > size[distinct - 1]) size[distinct++] = size[s];
  return distinct;
}

/* A tick at every size, and labels on two lines at those for which there is space, from the last one on. */
static void draw_size_axis(const panel *p, int labelled) {
  enum { LINES = 2 };
  double size[MOST_SIZES] = {0}, free_to[LINES] = {INFINITY, INFINITY};
  char text[MFFT_LABEL_BYTES];
  for (int s = find_sizes(p, size) - 1; s >= 0; s--) {
    mfft_label_size(size[s], text);
    const double half = mfft_picture_text_width(&plain, text) / 2, x = place(&p->x, size[s]);
    int line = 0;
    while (line < LINES && x + half > free_to[line]) line++;
    draw_x_tick(p, size[s], labelled && line < LINES ? text : NULL, line == 1);
    if (line < LINES) free_to[line] = x - half - 7;
  }
}

/* Ticks at round numbers. */
static void draw_number_axis(const panel *p, int labelled) {
  mfft_ticks ticks;
  char text[MFFT_LABEL_BYTES];
  mfft_ticks_find(p->x.lo, p->x.hi, 1, 8, &ticks);
  for (int i = 0; i < ticks.count; i++) {
    mfft_label_tick(&ticks, i, 5, text);
    draw_x_tick(p, ticks.value[i], labelled ? text : NULL, 0);
  }
}

static void draw_label_axis(const panel *p, int labelled) {
  const mfft_chart_column *column = &p->chart->column[p->column];
  double longest = 1;
  for (int i = 0; i < column->labels; i++) longest = fmax(longest, mfft_picture_text_width(&plain, column->label[i]) + 10);
  const int lines = column->labels * longest > WIDE ? 2 : 1, fitting = (int)fmax(1, floor(lines * WIDE / longest));
  const int every = (column->labels + fitting - 1) / fitting;
  for (int i = 0; i < column->labels; i++)
    draw_x_tick(p, i, labelled && i % every == 0 ? column->label[i] : NULL, lines > 1 && i / every % 2);
}

static void draw_axes(const panel *p) {
  const mfft_chart_column *column = &p->chart->column[p->column];
  const mfft_chart_row *row = &p->chart->row[p->row];
  const int lowest = p->row == p->chart->rows - 1;
  const double middle = p->left + WIDE / 2.0;
  double unit;
  char title[128];
  const char *prefix = unit_prefix(p->chart, p->row, &unit);
  snprintf(title, sizeof title, row->unit ? "%s [%s%s]" : "%s", row->title, prefix, row->unit);
  (column->label ? draw_label_axis : column->measured ? draw_number_axis : draw_size_axis)(p, lowest);
  draw_y_axis(p, unit);
  if (row->line > p->y.lo && row->line < p->y.hi)
    mfft_picture_fill(p->picture, p->left, place(&p->y, row->line) - 0.5, WIDE, 1, line_color);
  mfft_picture_frame(p->picture, p->left, p->top, WIDE, HIGH, 1, ink);
  mfft_picture_text(p->picture, p->left, p->top - 9, MFFT_LEFT, &plain, title);
  if (p->row == 0) mfft_picture_text(p->picture, middle, p->top - 29, MFFT_CENTER, &topic, column->title);
  if (lowest) mfft_picture_text(p->picture, middle, p->top + HIGH + BELOW - 11, MFFT_CENTER, &plain, column->x_name);
}

/* ---- Curves ---------------------------------------------------------------------------------------------------------- */

static void draw_point(mfft_picture *picture, const double at[2], uint32_t color, mfft_chart_style style) {
  if (style == MFFT_CHART_LINE) return;
  mfft_picture_disc(picture, at[0], at[1], 4, style == MFFT_CHART_FULL ? color : 0xffffff);
  if (style != MFFT_CHART_FULL) mfft_picture_ring(picture, at[0], at[1], 4, 1.6, color);
}

static void draw_segment(mfft_picture *picture, const double from[2], const double to[2], uint32_t color,
                         mfft_chart_style style) {
  mfft_picture_line(picture, from, to, style == MFFT_CHART_FULL ? 2 : 1.4, style == MFFT_CHART_FULL ? 0 : 4, color);
}

static void draw_curve(const panel *p, const mfft_chart_curve *c) {
  for (int points = 0; points < 2; points++) { /* points over lines */
    double before[2];                          /* [x, y] */
    int have = 0;
    for (int k = 0; k < c->count; k++) {
      const double at[2] = {place(&p->x, c->x[k]), place(&p->y, c->y[k])}; /* {x, y} in pixels */
      if (!isfinite(at[0]) || !isfinite(at[1])) continue;
      if (points) draw_point(p->picture, at, c->color, c->style);
      if (!points && have) draw_segment(p->picture, before, at, c->color, c->style);
      memcpy(before, at, sizeof before);
      have = 1;
    }
  }
}

static void draw_panel(panel *p) {
  mfft_chart_curve c;
  find_x_range(p);
  find_y_range(p);
  draw_axes(p);
  for (int style = MFFT_CHART_LINE; style >= MFFT_CHART_FULL; style--) /* the full ones on top */
    for (int i = 0; p->chart->curve(p->chart->context, p->column, p->row, i, &c); i++)
      if ((int)c.style == style) draw_curve(p, &c);
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static double key_width(const mfft_chart_key *key) { return SAMPLE + 8 + mfft_picture_text_width(&plain, key->name) + 26; }

/* Divides the legend into lines as wide as the panels; returns their number.  Without a picture it only counts them. */
static int draw_legend(const mfft_chart *chart, mfft_picture *picture) {
  const double width = chart->columns * (LEFT + WIDE + RIGHT);
  double x = LEFT;
  int lines = 1;
  for (int i = 0; i < chart->keys; i++) {
    const mfft_chart_key *key = &chart->key[i];
    if (x > LEFT && x + key_width(key) > width) x = LEFT, lines++;
    const double y = 49.5 + (lines - 1) * LINE, from[2] = {x, y}, to[2] = {x + SAMPLE, y}, middle[2] = {x + SAMPLE / 2.0, y};
    if (picture) {
      draw_segment(picture, from, to, key->color, key->style);
      draw_point(picture, middle, key->color, key->style);
      mfft_picture_text(picture, x + SAMPLE + 8, y + 4.5, MFFT_LEFT, &plain, key->name);
    }
    x += key_width(key);
  }
  return lines;
}

static void draw_all(const mfft_chart *chart, double head, mfft_picture *picture) {
  mfft_picture_text(picture, LEFT, 27, MFFT_LEFT, &heading, chart->title);
  draw_legend(chart, picture);
  for (int column = 0; column < chart->columns; column++)
    for (int row = 0; row < chart->rows; row++) {
      panel p = {.chart = chart,
                 .picture = picture,
                 .column = column,
                 .row = row,
                 .left = column * (LEFT + WIDE + RIGHT) + LEFT,
                 .top = head + GAP + row * (ABOVE + HIGH) + ABOVE};
      draw_panel(&p);
    }
}

/* Whether the columns have titles, which take a line below the legend. */
static int has_topics(const mfft_chart *chart) {
  for (int column = 0; column < chart->columns; column++)
    if (chart->column[column].title[0]) return 1;
  return 0;
}

mfft_status mfft_chart_save(const mfft_chart *chart, const char *path) {
  const double head = HEAD + (draw_legend(chart, NULL) - !has_topics(chart)) * LINE;
  double width =
      fmax(chart->columns * (LEFT + WIDE + RIGHT), LEFT + mfft_picture_text_width(&heading, chart->title) + RIGHT);
  for (int i = 0; i < chart->keys; i++) width = fmax(width, LEFT + key_width(&chart->key[i]));
  mfft_picture *picture = NULL;
  mfft_status status =
      mfft_picture_create(path, ceil(width), head + GAP + chart->rows * (ABOVE + HIGH) + BELOW, RESOLUTION, &picture);
  if (status == MFFT_SUCCESS) draw_all(chart, head, picture);
  if (status == MFFT_SUCCESS) status = mfft_picture_save(picture, chart->title);
  mfft_picture_destroy(picture);
  return status;
}
