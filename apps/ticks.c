#include "ticks.h"

#include <math.h>

static int linear_ticks(double lo, double hi, int most, double *tick /* [most] */) {
  double power = pow(10, floor(log10((hi - lo) / most)));
  static const double steps[] = {1, 2, 5, 10, 20, 50};
  for (int s = 0; s < 6; s++) {
    double step = steps[s] * power, first = ceil(lo / step - 1e-9), last = floor(hi / step + 1e-9);
    if (last - first + 1 > most) continue;
    int count = 0;
    for (double i = first; i <= last; i++) tick[count++] = i == 0 ? 0 : i * step;
    return count;
  }
  return 0;
}

static int log_ticks(double lo, double hi, int most, double *tick /* [most] */) {
  static const double finest[] = {1, 2, 5};
  int first = (int)floor(log10(lo)), last = (int)floor(log10(hi)), count = 0;
  int per_decade = last - first < most / 3 ? 3 : 1;
  int every = per_decade == 3 ? 1 : (last - first) / most + 1;
  for (int decade = first; decade <= last; decade++)
    for (int s = 0; s < per_decade; s++) {
      double value = finest[s] * pow(10, decade);
      int inside = value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9);
      if (inside && decade % every == 0 && count < most) tick[count++] = value;
    }
  return count > 1 ? count : linear_ticks(lo, hi, most < 6 ? most : 6, tick);
}

int mfft_ticks(double lo, double hi, int logarithmic, int most, double tick[MFFT_TICKS]) {
  if (!(hi > lo) || !isfinite(hi - lo)) return 0;
  if (most > MFFT_TICKS) most = MFFT_TICKS;
  return logarithmic ? log_ticks(lo, hi, most, tick) : linear_ticks(lo, hi, most, tick);
}
