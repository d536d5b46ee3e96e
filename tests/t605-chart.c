// TEST labels=apps
// Charts: ticks and labels at the sizes that were measured, suitable units, points at the positions of their values, full
// and hollow ones, gaps for NAN, a reference line, a legend that continues below.  Drawing calls are recorded in place of a
// picture.
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_option.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/option_words.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/plot/chart.c"
#include "../apps/plot/label.c"
#include "../apps/plot/ticks.c"
#include "check.h"

/* ---- A picture that remembers ---------------------------------------------------------------------------------------- */

enum { MOST = 4096, FULL = 0xd55e00, HOLLOW = 0x0072b2 };
typedef struct mark {
  enum { FILL, DISC, RING, SEGMENT, TEXT } kind;
  double x, y, width, height; /* of a segment: its end */
  uint32_t color;
  mfft_align align;
  char text[128];
} mark;
static struct {
  mark mark[MOST];
  int count;
  double width, height;
} drawn;

static mark *add(mark m) {
  CHECK(drawn.count < MOST, "too much is drawn");
  drawn.mark[drawn.count] = m;
  return &drawn.mark[drawn.count++];
}
mfft_status mfft_picture_create(const char *path, double width, double height, double scale, mfft_picture **picture) {
  (void)path, (void)scale;
  *picture = (mfft_picture *)&drawn;
  drawn.count = 0;
  drawn.width = width;
  drawn.height = height;
  return MFFT_SUCCESS;
}
void mfft_picture_destroy(mfft_picture *picture) { (void)picture; }
mfft_status mfft_picture_save(mfft_picture *picture, const char *title) { return (void)picture, (void)title, MFFT_SUCCESS; }
void mfft_picture_fill(mfft_picture *picture, double x, double y, double width, double height, uint32_t color) {
  (void)picture;
  add((mark){.kind = FILL, .x = x, .y = y, .width = width, .height = height, .color = color});
}
void mfft_picture_frame(mfft_picture *picture, double x, double y, double width, double height, double line,
                        uint32_t color) {
  (void)picture, (void)x, (void)y, (void)width, (void)height, (void)line, (void)color;
}
void mfft_picture_disc(mfft_picture *picture, double x, double y, double radius, uint32_t color) {
  (void)picture;
  add((mark){.kind = DISC, .x = x, .y = y, .width = radius, .color = color});
}
void mfft_picture_ring(mfft_picture *picture, double x, double y, double radius, double line, uint32_t color) {
  (void)picture, (void)line;
  add((mark){.kind = RING, .x = x, .y = y, .width = radius, .color = color});
}
void mfft_picture_line(mfft_picture *picture, const double from[2], const double to[2], double line, double dash,
                       uint32_t color) {
  (void)picture, (void)line, (void)dash;
  add((mark){.kind = SEGMENT, .x = from[0], .y = from[1], .width = to[0], .height = to[1], .color = color});
}
void mfft_picture_text(mfft_picture *picture, double x, double baseline, mfft_align align, const mfft_font *font,
                       const char *text) {
  (void)picture;
  mark *m = add((mark){.kind = TEXT, .x = x, .y = baseline, .color = font->color, .align = align});
  snprintf(m->text, sizeof m->text, "%s", text);
}
double mfft_picture_text_width(const mfft_font *font, const char *text) { return 0.6 * font->size * (double)strlen(text); }

/* The mark of a kind at a point in a colour, or NULL. */
static const mark *find(int kind, double x, double y, uint32_t color) {
  for (int i = 0; i < drawn.count; i++) {
    const mark *m = &drawn.mark[i];
    if ((int)m->kind == kind && m->color == color && fabs(m->x - x) < 1e-6 && fabs(m->y - y) < 1e-6) return m;
  }
  return NULL;
}
static const mark *find_text(const char *text) {
  for (int i = 0; i < drawn.count; i++)
    if (drawn.mark[i].kind == TEXT && !strcmp(drawn.mark[i].text, text)) return &drawn.mark[i];
  return NULL;
}

/* ---- Charts ---------------------------------------------------------------------------------------------------------- */

static const double x[] = {4, 16, 48, 4194304}, y[] = {1e-6, 10e-6, NAN, 100e-6}, flat[] = {2e-6, 2e-6, 2e-6, 2e-6},
                    ratios[] = {0.5, 1.5, 2, 1};

static int curve_at(const void *context, int column, int row, int i, mfft_chart_curve *curve) {
  (void)context;
  if (i > 1) return 0;
  *curve = (mfft_chart_curve){.color = i ? HOLLOW : FULL,
                              .style = i ? MFFT_CHART_DASHED : MFFT_CHART_FULL,
                              .x = x,
                              .y = row ? ratios
                                   : i ? flat
                                       : y,
                              .count = column ? 3 : 4};
  return 1;
}

static const mfft_chart_row rows[] = {{"time", "s", 1, NAN}, {"ratio", NULL, 0, 1}};
static const mfft_chart_key keys[] = {{"ours", FULL, MFFT_CHART_FULL}, {"theirs", HOLLOW, MFFT_CHART_DASHED}};

static void check_logarithmic(const mfft_chart *chart, double head) {
  panel first = {.chart = chart, .left = LEFT, .top = head + GAP + ABOVE};
  find_x_range(&first);
  find_y_range(&first);
  CHECK(fabs(place(&first.x, 64) - place(&first.x, 16) - (place(&first.x, 16) - place(&first.x, 4))) < 1e-9, "x");
  CHECK(place(&first.x, 4) > first.left && place(&first.x, 4194304) < first.left + WIDE, "x margins");
  CHECK(place(&first.y, 1e-6) < first.top + HIGH && place(&first.y, 1e-4) > first.top, "y margins");
  for (int k = 0; k < 4; k++) {
    const double at = place(&first.x, x[k]);
    if (!isnan(y[k])) CHECK(find(DISC, at, place(&first.y, y[k]), FULL), "point %d", k);
    CHECK(find(DISC, at, place(&first.y, 2e-6), 0xffffff) && find(RING, at, place(&first.y, 2e-6), HOLLOW), "ring %d", k);
  }
  const mark *gap = find(SEGMENT, place(&first.x, 16), place(&first.y, 1e-5), FULL);
  CHECK(gap && fabs(gap->width - place(&first.x, 4194304)) < 1e-6 && fabs(gap->height - place(&first.y, 1e-4)) < 1e-6,
        "the line continues over a missing point");
  const mark *tick = find_text("100"); /* microseconds */
  CHECK(tick && tick->align == MFFT_RIGHT && fabs(tick->y - 4.5 - place(&first.y, 1e-4)) < 1e-6, "the label of 100 us");
}

/* Ticks are at the measured sizes, and their labels below the lowest panel. */
static void check_sizes(const mfft_chart *chart, double head) {
  static const char *const names[] = {"4", "16", "48", "2²²"};
  panel last = {.chart = chart, .row = 1, .left = LEFT, .top = head + GAP + 2 * ABOVE + HIGH};
  find_x_range(&last);
  find_y_range(&last);
  for (int k = 0; k < 4; k++) {
    CHECK(find(FILL, place(&last.x, x[k]) - 0.5, last.top, faint), "no tick at %g", x[k]);
    const mark *name = find_text(names[k]);
    CHECK(name && fabs(name->x - place(&last.x, x[k])) < 1e-6 && name->y > last.top + HIGH, "no label at %g", x[k]);
  }
  CHECK(last.y.lo == 0 && place(&last.y, 0) == last.top + HIGH && last.y.hi > 2, "from %g to %g", last.y.lo, last.y.hi);
  CHECK(find(FILL, last.left, place(&last.y, 1) - 0.5, line_color), "the line at 1");
}

/* Many sizes get labels on two lines, the last one always, as far as there is space; all get ticks. */
static double many[40];
static int many_at(const void *context, int column, int row, int i, mfft_chart_curve *curve) {
  (void)context, (void)column, (void)row;
  *curve = (mfft_chart_curve){.color = FULL, .x = many, .y = many, .count = 40};
  return i == 0;
}
static void crowd(void) {
  const mfft_chart_column column = {"one", "length", NULL, 0, 0};
  const mfft_chart chart = {"a title", keys, 2, &column, 1, rows, 1, many_at, NULL};
  int labels = 0, ticks = 0;
  for (int i = 0; i < 40; i++) many[i] = exp2(i);
  CHECK_OK(mfft_chart_save(&chart, "x.svg"));
  double free_to[2] = {INFINITY, INFINITY};
  for (int i = 0; i < drawn.count; i++) { /* from the right to the left */
    const mark *m = &drawn.mark[i];
    const double below = m->y - (drawn.height - BELOW + TICK + 14);
    ticks += m->kind == FILL && m->height == HIGH;
    if (m->kind != TEXT || m->align != MFFT_CENTER || (fabs(below) > 1e-6 && fabs(below - 15) > 1e-6)) continue;
    const double half = mfft_picture_text_width(&plain, m->text) / 2;
    const int line = below > 1;
    CHECK(m->x + half < free_to[line], "%s overlaps the label next to it", m->text);
    free_to[line] = m->x - half;
    labels++;
  }
  CHECK(ticks == 40 && labels >= 10 && find_text("2³⁹"), "%d ticks, %d labels", ticks, labels);
}

/* Measured numbers: ticks at round ones, not at the points; lines alone have no points. */
static int measured_at(const void *context, int column, int row, int i, mfft_chart_curve *curve) {
  static const double x[] = {0.07, 0.31, 0.44, 2.3}, y[] = {4, 3, 2, 1};
  (void)context, (void)column, (void)row;
  *curve = (mfft_chart_curve){.color = FULL, .style = MFFT_CHART_LINE, .x = x, .y = y, .count = 4};
  return i == 0;
}
static void measured(void) {
  const mfft_chart_column column = {"", "k", NULL, 0, 1};
  const mfft_chart_key key = {"theory", FULL, MFFT_CHART_LINE};
  const mfft_chart chart = {"a title", &key, 1, &column, 1, rows, 1, measured_at, NULL};
  int points = 0;
  CHECK_OK(mfft_chart_save(&chart, "x.svg"));
  CHECK(find_text("0.1") && find_text("1") && !find_text("0.31"), "round numbers");
  for (int i = 0; i < drawn.count; i++) points += drawn.mark[i].kind == DISC || drawn.mark[i].kind == RING;
  CHECK(points == 0, "%d points on a line", points);
}

static void legends(void) {
  const mfft_chart_column column = {"one", "length", NULL, 0, 0};
  const mfft_chart_key four[] = {{"the first of four", FULL, MFFT_CHART_FULL},
                                 {"the second of four", HOLLOW, MFFT_CHART_DASHED},
                                 {"the third of four", FULL, MFFT_CHART_FULL},
                                 {"the fourth of four", FULL, MFFT_CHART_FULL}};
  const mfft_chart crowded = {"a title", four, 4, &column, 1, rows, 1, curve_at, NULL};
  CHECK_OK(mfft_chart_save(&crowded, "x.svg")); /* two names fit into a line */
  CHECK(drawn.width == LEFT + WIDE + RIGHT && drawn.height == HEAD + 2 * LINE + GAP + ABOVE + HIGH + BELOW, "%g x %g",
        drawn.width, drawn.height);
  for (int i = 1; i < 4; i++)
    CHECK(find_text(four[i].name)->y == find_text(four[0].name)->y + (i < 2 ? 0 : LINE), "the line of %s", four[i].name);

  const char *const names[] = {"256x256", "256x512"};
  const mfft_chart_column named = {"shapes", "shape", names, 2, 0};
  const mfft_chart other = {"a title that is longer than one panel of the picture, by far, as titles sometimes are",
                            keys,
                            2,
                            &named,
                            1,
                            rows,
                            1,
                            curve_at,
                            NULL};
  CHECK_OK(mfft_chart_save(&other, "x.svg"));
  CHECK(drawn.width > LEFT + WIDE + RIGHT && find_text("256x512") && find_text("shape"), "space for the title, and names");
}

static void check_label(double value, const char *number, const char *size) {
  char text[MFFT_LABEL_BYTES];
  mfft_label_number(value, 6, text);
  CHECK(!strcmp(text, number), "%.17g is called %s", value, text);
  mfft_label_size(value, text);
  CHECK(!size || !strcmp(text, size), "the size %.17g is called %s", value, text);
}

/* The labels of an axis, with commas between them. */
static void check_ticks(const mfft_ticks *ticks, const char *want) {
  char all[256] = "", text[MFFT_LABEL_BYTES];
  for (int i = 0; i < ticks->count; i++) {
    mfft_label_tick(ticks, i, 6, text);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? "," : "", text);
  }
  CHECK(!strcmp(all, want), "%s, and not %s", all, want);
}

static void check_prefix(double value, const char *want, double want_size) {
  double size;
  const char *prefix = mfft_label_prefix(value, &size);
  CHECK(!strcmp(prefix, want) && fabs(size / want_size - 1) < 1e-12, "%g: %s, %g", value, prefix, size);
}

int main(void) {
  check_ticks(&(mfft_ticks){.count = 4, .value = {-500000, 0, 500000, 1e6}}, "−5·10⁵,0,5·10⁵,10⁶");
  check_ticks(&(mfft_ticks){.count = 3, .value = {0, 500000, 800000}}, "0,500000,800000");
  check_ticks(&(mfft_ticks){.count = 5, .value = {1e-4, 0.01, 1, 20, 100}}, "10⁻⁴,10⁻²,1,20,10²");
  const mfft_chart_column columns[] = {{"one", "length", NULL, 0, 0}, {"two", "length", NULL, 0, 0}};
  const mfft_chart chart = {"a title", keys, 2, columns, 2, rows, 2, curve_at, NULL};
  const double head = HEAD + LINE; /* the legend takes one line */
  CHECK_OK(mfft_chart_save(&chart, "x.svg"));
  CHECK(drawn.width == 2 * (LEFT + WIDE + RIGHT) && drawn.height == head + GAP + 2 * (ABOVE + HIGH) + BELOW, "%g x %g",
        drawn.width, drawn.height);
  CHECK(find_text("time [µs]") && find_text("ratio") && find_text("a title") && find_text("two"), "titles and units");
  check_logarithmic(&chart, head);
  check_sizes(&chart, head);
  crowd();
  measured();
  legends();
  check_label(0.25, "0.25", NULL);
  check_label(-1e6, "−10⁶", NULL);
  check_label(1e300, "10³⁰⁰", NULL);
  check_label(INFINITY, "inf", NULL);
  check_label(2.5e-5, "2.5·10⁻⁵", NULL);
  check_label(1e-4, "10⁻⁴", NULL);
  check_label(-3e-4, "−3·10⁻⁴", NULL);
  check_label(0.001, "0.001", NULL);
  check_label(0, "0", NULL);
  check_label(5e-324, "4.94066·10⁻³²⁴", NULL);
  check_label(1000, "1000", "1000");
  check_label(1 << 20, "1.04858·10⁶", "2²⁰");
  check_label(60000, "60000", "60000");
  check_prefix(3e-5, "µ", 1e-6);
  check_prefix(1, "", 1);
  check_prefix(999, "", 1);
  check_prefix(1000, "k", 1e3);
  check_prefix(4.5e13, "T", 1e12);
  check_prefix(1e-15, "n", 1e-9);
  check_prefix(0, "", 1);
  check_prefix(NAN, "", 1);
  return test_end();
}
