/* ticks.c: see ticks.h. */
#include "plot/ticks.h"

#include <math.h>
#include <stdint.h>

/* The multiples of a step from lo to hi: how many there are, and the index of the first.  They are counted by integers,
 * since adding 1 to a double beyond 2^53 changes nothing.  -1 if the step is 0, or below the resolution of lo and hi. */
static int64_t count_multiples(double lo, double hi, double step, int64_t *first) {
  const double from = ceil(lo / step - 1e-9), to = floor(hi / step + 1e-9), largest_index = 1e15;
  if (!(from >= -largest_index && to <= largest_index)) return -1;
  *first = (int64_t)from;
  return (int64_t)to - *first + 1;
}

/* Multiples of 1, 2 or 5 times a power of ten from lo to hi; where there would be only one, of 2.5 or 4 times such. */
static int linear_ticks(double lo, double hi, int most, double *tick /* [most] */) {
  static const double steps[] = {1, 2, 5, 10, 20, 50}, others[] = {2.5, 4, 25, 40};
  const double power = pow(10, floor(log10((hi - lo) / most)));
  double step = 0;
  int64_t first = 0, count = most + 1, other;
  for (int s = 0; s < 6 && count > most; s++) {
    step = steps[s] * power;
    count = count_multiples(lo, hi, step, &first);
  }
  for (int s = 0; s < 4 && count == 1; s++) {
    const int64_t found = count_multiples(lo, hi, others[s] * power, &other);
    if (found < 2 || found > most) continue;
    step = others[s] * power, first = other, count = found;
  }
  if (count > most) return 0;
  for (int64_t i = 0; i < count; i++) tick[i] = (double)(first + i) * step;
  return count > 0 ? (int)count : 0;
}

/* The offset of the labels of a short axis: the multiple nearest to its middle of the power of ten that is no smaller than
 * the axis is long.  The ends are within a factor of two of it, so that subtracting it from them is exact. */
static double find_offset(double lo, double hi) {
  const double length = hi - lo, middle = lo + length / 2, power = pow(10, ceil(log10(length)));
  if (fmax(fabs(lo), fabs(hi)) <= MFFT_TICKS_RATIO * length) return 0;
  const double offset = rint(middle / power) * power;
  return fabs(middle - offset) <= power ? offset : lo;
}

/* 1, 2 and 5 times the powers of ten if there are at most `most` of them, else as many powers as that, evenly spaced. */
static int log_ticks(double lo, double hi, int most, double *tick /* [most] */) {
  static const double finest[] = {1, 2, 5};
  const int first = (int)floor(log10(lo)), last = (int)floor(log10(hi));
  for (int per_decade = 3; per_decade > 0; per_decade -= 2) {
    const int every = per_decade == 3 ? 1 : (last - first) / most + 1;
    int count = 0;
    for (int decade = first; decade <= last && count <= most; decade++)
      for (int s = 0; s < per_decade && count <= most; s++) {
        const double value = finest[s] * pow(10, decade);
        const int inside = value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9) && decade % every == 0;
        if (inside && count < most) tick[count] = value;
        count += inside;
      }
    if (count <= most) return count;
    if (per_decade == 1) return most;
  }
  return 0;
}

void mfft_ticks_find(double lo, double hi, int logarithmic, int most, mfft_ticks *ticks) {
  *ticks = (mfft_ticks){0};
  if (!(hi > lo) || !isnormal(hi - lo) || (logarithmic && !(lo > 0))) return;
  if (most > MFFT_TICKS) most = MFFT_TICKS;
  if (logarithmic) ticks->count = log_ticks(lo, hi, most, ticks->value);
  if (ticks->count > 1) return;
  if (logarithmic && most > 6) most = 6;
  ticks->offset = find_offset(lo, hi);
  ticks->count = linear_ticks(lo - ticks->offset, hi - ticks->offset, most, ticks->value);
}
