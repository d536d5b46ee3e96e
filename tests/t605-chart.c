// TEST labels=apps
// Charts: points where their numbers say on logarithmic and linear axes, full and hollow ones, gaps for NAN, a reference
// line.
#include "../apps/cli/cli.c"
#include "../apps/cli/cli_help.c"
#include "../apps/cli/cli_value.c"
#include "../apps/cli/collective.c"
#include "../apps/cli/number.c"
#include "../apps/cli/progress.c"
#include "../apps/cli/report.c"
#include "../apps/plot/chart.c"
#include "../apps/plot/font.c"
#include "../apps/plot/picture.c"
#include "../apps/plot/ticks.c"
#include "check.h"

enum { FULL = 0xd55e00, HOLLOW = 0x0072b2 };
static const double x[] = {4, 16, 64, 256}, y[] = {1, 10, NAN, 100}, flat[] = {2, 2, 2, 2};

static int curve_at(const void *context, int column, int row, int i, mfft_chart_curve *curve) {
  (void)context;
  if (i > 1) return 0;
  *curve = (mfft_chart_curve){.color = i ? HOLLOW : FULL,
                              .style = i ? MFFT_CHART_DASHED : MFFT_CHART_FULL,
                              .x = x,
                              .y = i || row ? flat : y,
                              .count = column ? 3 : 4};
  return 1;
}

static uint32_t pixel(const mfft_picture *p, double px, double py) {
  const uint8_t *c = p->rgb + 3 * ((size_t)py * (size_t)p->width + (size_t)px);
  return (uint32_t)c[0] << 16 | (uint32_t)c[1] << 8 | c[2];
}

int main(void) {
  const mfft_chart_column columns[] = {{"one", "length", NULL, 0}, {"two", "length", NULL, 0}};
  const mfft_chart_row rows[] = {{"time", 1, NAN}, {"ratio", 0, 1}};
  const mfft_chart_key keys[] = {{"ours", FULL, MFFT_CHART_FULL}, {"theirs", HOLLOW, MFFT_CHART_DASHED}};
  const mfft_chart chart = {"a title", keys, 2, columns, 2, rows, 2, curve_at, NULL};
  const int head = HEAD + LINE; /* the legend has room in one line */
  mfft_picture p = {0};
  CHECK_OK(mfft_chart_draw(&chart, &p));
  CHECK(p.width == 2 * (LEFT + WIDE + RIGHT) && p.height == head + 18 + 2 * (ABOVE + HIGH) + BELOW, "%d x %d", p.width,
        p.height);

  /* The logarithmic panel: its axes hold the points with a margin, and equal factors are equal distances. */
  panel first = {.chart = &chart, .picture = &p, .left = LEFT, .top = head + 18 + ABOVE};
  find_x_range(&first);
  find_y_range(&first);
  CHECK(fabs(place(&first.x, 64) - place(&first.x, 16) - (place(&first.x, 16) - place(&first.x, 4))) < 1e-9, "x");
  CHECK(fabs(place(&first.y, 100) - place(&first.y, 10) - (place(&first.y, 10) - place(&first.y, 1))) < 1e-9, "y");
  CHECK(place(&first.x, 4) > first.left && place(&first.x, 256) < first.left + WIDE, "x margins");
  CHECK(place(&first.y, 1) < first.top + HIGH && place(&first.y, 100) > first.top, "y margins");
  for (int k = 0; k < 4; k++) {
    if (!isnan(y[k])) CHECK(pixel(&p, place(&first.x, x[k]), place(&first.y, y[k])) == FULL, "point %d", k);
    CHECK(pixel(&p, place(&first.x, x[k]), place(&first.y, 2)) == 0xffffff, "ring %d is not hollow", k);
    CHECK(pixel(&p, place(&first.x, x[k]), place(&first.y, 2) - 3.3) == HOLLOW, "ring %d", k);
  }
  const double middle[2] = {(place(&first.x, 16) + place(&first.x, 256)) / 2,
                            (place(&first.y, 10) + place(&first.y, 100)) / 2};
  CHECK(pixel(&p, middle[0], middle[1]) == FULL, "the line goes on over a point that is not there");

  /* The linear panel begins at 0 and has its line at 1. */
  panel ratio = {.chart = &chart, .picture = &p, .row = 1, .left = LEFT, .top = head + 18 + 2 * ABOVE + HIGH};
  find_x_range(&ratio);
  find_y_range(&ratio);
  CHECK(ratio.y.lo == 0 && place(&ratio.y, 0) == ratio.top + HIGH && ratio.y.hi > 2, "from %g to %g", ratio.y.lo,
        ratio.y.hi);
  CHECK(pixel(&p, ratio.left + 3, lrint(place(&ratio.y, 1))) == line_color, "the line at 1");
  mfft_picture_destroy(&p);

  /* A panel of names. */
  const char *const names[] = {"256x256", "256x512"};
  const mfft_chart_column named[] = {{"shapes", "shape", names, 2}};
  const mfft_chart other = {"a title that is longer than one panel of the picture, by far, as titles sometimes are",
                            keys,
                            2,
                            named,
                            1,
                            rows,
                            1,
                            curve_at,
                            NULL};
  CHECK_OK(mfft_chart_draw(&other, &p));
  CHECK(p.width > LEFT + WIDE + RIGHT, "room for the title");
  mfft_picture_destroy(&p);

  /* A legend that is longer than the panels are wide goes on below: here each name has a line. */
  const mfft_chart_key many[] = {{"the first of four", FULL, MFFT_CHART_FULL},
                                 {"the second of four", HOLLOW, MFFT_CHART_DASHED},
                                 {"the third of four", FULL, MFFT_CHART_FULL},
                                 {"the fourth of four", FULL, MFFT_CHART_FULL}};
  const mfft_chart crowded = {"a title", many, 4, columns, 1, rows, 1, curve_at, NULL};
  CHECK_OK(mfft_chart_draw(&crowded, &p));
  CHECK(p.width == LEFT + WIDE + RIGHT && p.height == HEAD + 4 * LINE + 18 + ABOVE + HIGH + BELOW, "%d x %d", p.width,
        p.height);
  mfft_picture_destroy(&p);
  return test_end();
}
