/* chart.c: see chart.h. */
#include "plot/chart.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "plot/font.h"
#include "plot/ticks.h"

enum {
  WIDE = 400, /* of a panel */
  HIGH = 220,
  LEFT = 78, /* before a panel: labels of its axis */
  RIGHT = 26,
  ABOVE = 46, /* above a panel: its title */
  BELOW = 70, /* below the lowest panel: labels and the name of the axis */
  HEAD = 56,  /* title, and the legend but for its lines */
  LINE = 20,  /* of the legend */
  TICK = 5,
  SAMPLE = 44 /* of a line in the legend */
};
static const uint32_t ink = 0x303030, faint = 0xe4e4e4, line_color = 0x909090;

uint32_t mfft_chart_color(int i) {
  static const uint32_t palette[] = {0xd55e00, 0x0072b2, 0x009e73, 0xcc79a7,
                                     0xe69f00, 0x56b4e9, 0x7f6000, 0x555555}; /* after Okabe and Ito */
  return palette[(size_t)i % (sizeof palette / sizeof *palette)];
}

/* An axis in pixels. */
typedef struct axis {
  double lo, hi;
  int logarithmic;
  double first, last; /* pixels of lo and hi */
} axis;

static double place(const axis *a, double value) {
  const double t = a->logarithmic ? log(value / a->lo) / log(a->hi / a->lo) : (value - a->lo) / (a->hi - a->lo);
  return a->first + t * (a->last - a->first);
}

typedef struct panel {
  const mfft_chart *chart;
  mfft_picture *picture;
  int column, row;
  int left, top; /* of the frame */
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

static void find_y_range(panel *p) {
  const mfft_chart_row *row = &p->chart->row[p->row];
  double lo = row->line, hi = row->line;
  mfft_chart_curve c;
  for (int i = 0; p->chart->curve(p->chart->context, p->column, p->row, i, &c); i++)
    for (int k = 0; k < c.count; k++) widen(c.y[k], row->logarithmic, &lo, &hi);
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

/* ---- Axes ------------------------------------------------------------------------------------------------------------ */

static void draw_y_axis(const panel *p) {
  mfft_ticks ticks; /* both kinds of axis are long beside their distance from 0, so there is no offset */
  char text[32];
  mfft_ticks_find(p->y.lo, p->y.hi, p->y.logarithmic, 6, &ticks);
  for (int i = 0; i < ticks.count; i++) {
    const int y = (int)lrint(place(&p->y, ticks.value[i]));
    mfft_picture_fill(p->picture, p->left, y, WIDE, 1, faint);
    mfft_picture_fill(p->picture, p->left - 1 - TICK, y, TICK, 1, ink);
    snprintf(text, sizeof text, "%.6g", ticks.value[i]);
    mfft_picture_text(p->picture, p->left - TICK - 6, y + 5, MFFT_RIGHT, ink, text);
  }
}

/* A tick and its label, on the first line below the axis or on the second. */
static void draw_x_tick(const panel *p, double value, const char *text, int second) {
  const int x = (int)lrint(place(&p->x, value)), bottom = p->top + HIGH;
  mfft_picture_fill(p->picture, x, p->top, 1, HIGH, faint);
  mfft_picture_fill(p->picture, x, bottom + 1, 1, TICK, ink);
  if (text) mfft_picture_text(p->picture, x, bottom + TICK + 16 + (second ? 16 : 0), MFFT_CENTER, ink, text);
}

static int is_power_of_two(double x) {
  int exponent;
  return frexp(x, &exponent) == 0.5;
}

/* Powers of two where all points are such, as many as there is room for; round numbers otherwise. */
static void draw_number_axis(const panel *p, int labelled) {
  mfft_ticks ticks;
  const int most = WIDE / 46;
  int all_powers = 1;
  char text[32];
  mfft_chart_curve c;
  for (int i = 0; p->chart->curve(p->chart->context, p->column, p->row, i, &c); i++)
    for (int k = 0; k < c.count; k++) all_powers &= is_power_of_two(c.x[k]);
  if (all_powers) {
    const int first = (int)ceil(log2(p->x.lo)), last = (int)floor(log2(p->x.hi)), every = (last - first) / most + 1;
    for (int e = first; e <= last; e += every) {
      snprintf(text, sizeof text, exp2(last) < 1e4 ? "%.0f" : "2^%.0f", exp2(last) < 1e4 ? exp2(e) : e);
      draw_x_tick(p, exp2(e), labelled ? text : NULL, 0);
    }
    return;
  }
  mfft_ticks_find(p->x.lo, p->x.hi, 1, 6, &ticks);
  for (int i = 0; i < ticks.count; i++) {
    snprintf(text, sizeof text, "%.6g", ticks.value[i]);
    draw_x_tick(p, ticks.value[i], labelled ? text : NULL, 0);
  }
}

static void draw_label_axis(const panel *p, int labelled) {
  const mfft_chart_column *column = &p->chart->column[p->column];
  int longest = 1;
  for (int i = 0; i < column->labels; i++) {
    const int width = mfft_font_width(column->label[i]) + MFFT_FONT_WIDTH;
    if (width > longest) longest = width;
  }
  const int lines = column->labels * longest > WIDE ? 2 : 1, room = lines * WIDE / longest;
  const int every = (column->labels + room - 1) / room;
  for (int i = 0; i < column->labels; i++)
    draw_x_tick(p, i, labelled && i % every == 0 ? column->label[i] : NULL, lines > 1 && i / every % 2);
}

static void draw_axes(const panel *p) {
  const mfft_chart_column *column = &p->chart->column[p->column];
  const mfft_chart_row *row = &p->chart->row[p->row];
  const int lowest = p->row == p->chart->rows - 1, middle = p->left + WIDE / 2;
  (column->label ? draw_label_axis : draw_number_axis)(p, lowest);
  draw_y_axis(p);
  if (row->line > p->y.lo && row->line < p->y.hi)
    mfft_picture_fill(p->picture, p->left, (int)lrint(place(&p->y, row->line)), WIDE, 1, line_color);
  mfft_picture_frame(p->picture, p->left, p->top, WIDE, HIGH, ink);
  mfft_picture_text(p->picture, p->left, p->top - 10, MFFT_LEFT, ink, row->title);
  if (p->row == 0)
    for (int bold = 0; bold < 2; bold++)
      mfft_picture_text(p->picture, middle + bold, p->top - 30, MFFT_CENTER, ink, column->title);
  if (lowest) mfft_picture_text(p->picture, middle, p->top + HIGH + BELOW - 12, MFFT_CENTER, ink, column->x_name);
}

/* ---- Curves ---------------------------------------------------------------------------------------------------------- */

static void draw_point(mfft_picture *picture, const double at[2], uint32_t color, mfft_chart_style style) {
  mfft_picture_disc(picture, at[0], at[1], 4.2, style == MFFT_CHART_FULL ? color : 0xffffff);
  if (style != MFFT_CHART_FULL) mfft_picture_ring(picture, at[0], at[1], 4.2, 1.6, color);
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
      const double at[2] = {place(&p->x, c->x[k]), place(&p->y, c->y[k])};
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
  for (int style = MFFT_CHART_DASHED; style >= MFFT_CHART_FULL; style--) /* the full ones on top */
    for (int i = 0; p->chart->curve(p->chart->context, p->column, p->row, i, &c); i++)
      if ((int)c.style == style) draw_curve(p, &c);
}

/* ---- The whole ------------------------------------------------------------------------------------------------------- */

static int key_width(const mfft_chart_key *key) { return SAMPLE + 8 + mfft_font_width(key->name) + 26; }

/* The legend in lines as wide as the panels; their number.  Without a picture it only counts them. */
static int draw_legend(const mfft_chart *chart, mfft_picture *picture) {
  const int width = chart->columns * (LEFT + WIDE + RIGHT);
  int x = LEFT, lines = 1;
  for (int i = 0; i < chart->keys; i++) {
    const mfft_chart_key *key = &chart->key[i];
    if (x > LEFT && x + key_width(key) > width) x = LEFT, lines++;
    const double y = 49.5 + (lines - 1) * LINE, from[2] = {x, y}, to[2] = {x + SAMPLE, y}, middle[2] = {x + SAMPLE / 2.0, y};
    if (picture) {
      draw_segment(picture, from, to, key->color, key->style);
      draw_point(picture, middle, key->color, key->style);
      mfft_picture_text(picture, x + SAMPLE + 8, (int)y + 5, MFFT_LEFT, ink, key->name);
    }
    x += key_width(key);
  }
  return lines;
}

mfft_status mfft_chart_draw(const mfft_chart *chart, mfft_picture *picture) {
  const int head = HEAD + draw_legend(chart, NULL) * LINE;
  int width = chart->columns * (LEFT + WIDE + RIGHT);
  for (int i = 0; i < chart->keys; i++)
    if (width < LEFT + key_width(&chart->key[i])) width = LEFT + key_width(&chart->key[i]);
  if (width < LEFT + mfft_font_width(chart->title) + RIGHT) width = LEFT + mfft_font_width(chart->title) + RIGHT;
  mfft_status status = mfft_picture_create(width, head + 18 + chart->rows * (ABOVE + HIGH) + BELOW, picture);
  if (status != MFFT_SUCCESS) return status;
  for (int bold = 0; bold < 2; bold++) mfft_picture_text(picture, LEFT + bold, 28, MFFT_LEFT, ink, chart->title);
  draw_legend(chart, picture);
  for (int column = 0; column < chart->columns; column++)
    for (int row = 0; row < chart->rows; row++) {
      panel p = {.chart = chart,
                 .picture = picture,
                 .column = column,
                 .row = row,
                 .left = column * (LEFT + WIDE + RIGHT) + LEFT,
                 .top = head + 18 + row * (ABOVE + HIGH) + ABOVE};
      draw_panel(&p);
    }
  return MFFT_SUCCESS;
}
