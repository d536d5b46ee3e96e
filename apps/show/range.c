/* range.c: see range.h. */
#include "show/range.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/ascending.h"
#include "cli/report.h"
#include "plot/figure.h"

/* Moves the finite values to the beginning, in ascending order; returns their number. */
static int64_t sort(double *value, int64_t count) {
  int64_t finite = 0;
  for (int64_t i = 0; i < count; i++)
    if (isfinite(value[i])) value[finite++] = value[i];
  qsort(value, (size_t)finite, sizeof *value, mfft_ascending_double);
  return finite;
}

/* Values in order, with a number to be added: those of indices first to count. */
typedef struct sorted {
  const double *value; /* [count] increasing */
  int64_t first, count;
  double add;
} sorted;

static double at(const sorted *s, int64_t i) { return s->value[i] + s->add; }

/* The values above 0. */
static sorted positive(sorted s) {
  while (s.first < s.count && at(&s, s.first) <= 0) s.first++;
  return s;
}

/* The ends of the values without `clip` percent at each. */
static void clipped(const sorted *s, double clip, double *lo, double *hi) {
  const int64_t skip = (int64_t)(clip / 100 * (double)(s->count - s->first));
  *lo = at(s, s->first + skip);
  *hi = at(s, s->count - 1 - skip);
}

/* Whether the values above 0 span two decades or more. */
static int spans_decades(sorted s, double clip) {
  double lo, hi;
  s = positive(s);
  if (s.first == s.count) return 0;
  clipped(&s, clip, &lo, &hi);
  return hi / lo >= 100;
}

/* A density contrast reaches down to -1, in empty cells, and never below; a field whose values stay above -1/2 varies too
 * little for decades. */
static int is_contrast(const mfft_range_request *request, sorted s) {
  if (!isnan(request->add) || request->has_unit || s.value[0] < -1 || s.value[0] > -0.5) return 0;
  s.add = 1;
  return spans_decades(s, request->clip);
}

static void choose_scale(const mfft_range_request *request, sorted *s, mfft_range *range) {
  const int open = request->scale == MFFT_COLORS_AUTO && s->count > 0 && !(request->lo <= 0);
  s->add = isnan(request->add) ? 0 : request->add;
  range->logarithmic = request->scale == MFFT_COLORS_LOG;
  if (open && at(s, 0) >= 0 && spans_decades(*s, request->clip)) range->logarithmic = 1;
  if (open && is_contrast(request, *s)) {
    range->logarithmic = 1;
    s->add = 1;
  }
  range->add = s->add;
}

/* A diverging map if the values of both signs are of similar size, and then with 0 in its middle unless a range was given.
 */
static void choose_colormap(const mfft_range_request *request, mfft_range *range) {
  const double larger = fmax(-range->lo, range->hi), smaller = fmin(-range->lo, range->hi);
  const int both_signs = !range->logarithmic && smaller > 0;
  range->colormap = request->colormap >= 0                  ? (mfft_colormap)request->colormap
                    : both_signs && smaller >= 0.1 * larger ? MFFT_COOLWARM
                    : range->logarithmic                    ? MFFT_INFERNO
                                                            : MFFT_VIRIDIS;
  if (range->colormap == MFFT_COOLWARM && both_signs && isnan(request->lo) && isnan(request->hi)) {
    range->lo = -larger;
    range->hi = larger;
  }
}

static mfft_status check(const mfft_range_request *request, const mfft_range *range) {
  if (range->logarithmic && range->lo <= 0)
    return mfft_app_fail(MFFT_ERR_ARG, "--min %g: must be above 0 with --scale log", range->lo);
  if (range->lo > range->hi || (range->lo == range->hi && !isnan(request->lo) && !isnan(request->hi)))
    return mfft_app_fail(MFFT_ERR_ARG, "colours from %g to %g: --min must be below --max", range->lo, range->hi);
  return MFFT_SUCCESS;
}

/* A plane of one value: any range about it. */
static void widen(const mfft_range_request *request, double value, mfft_range *range) {
  const double margin = value != 0 ? 0.5 * fabs(value) : 0.5;
  range->hi += margin;
  if (isnan(request->lo)) range->lo -= margin;
}

mfft_status mfft_range_choose(const mfft_range_request *request, double *value, int64_t count, mfft_range *range) {
  sorted s = {.value = value, .count = sort(value, count)};
  *range = (mfft_range){.lo = 0, .hi = 1};
  choose_scale(request, &s, range);
  const sorted shown = range->logarithmic ? positive(s) : s;
  range->masked = shown.first;
  if (range->logarithmic && shown.first == s.count)
    return mfft_app_fail(
        MFFT_ERR_ARG, "--scale log: of %" PRId64 " values none is above 0; add to them by --add (1 for a density contrast)",
        s.count);
  if (s.count) clipped(&shown, request->clip, &range->lo, &range->hi);
  if (!isnan(request->lo)) range->lo = request->lo;
  if (!isnan(request->hi)) range->hi = request->hi;
  const mfft_status status = check(request, range);
  if (status != MFFT_SUCCESS) return status;
  if (range->lo == range->hi) widen(request, s.count ? at(&shown, shown.first) : 0, range);
  choose_colormap(request, range);
  if (!isfinite(range->hi - range->lo))
    return mfft_app_fail(MFFT_ERR_ARG, "colours from %g to %g: the range overflows; give a smaller one by --min and --max",
                         range->lo, range->hi);
  if (s.count && at(&shown, shown.first) < range->lo) range->beyond |= MFFT_BELOW;
  if (s.count && at(&s, s.count - 1) > range->hi) range->beyond |= MFFT_ABOVE;
  return MFFT_SUCCESS;
}
