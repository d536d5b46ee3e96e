/* measure_samples.c: see measure_samples.h. */
#include "info/measure_samples.h"

#include <math.h>

#include "cli/collective.h"
#include "cli/environment.h"
#include "cli/report.h"

mfft_status mfft_measure_samples(mfft_status (*run)(void *context), void *context, double limit_s, double *seconds) {
  enum { LEAST = 5, MOST = 100 };
  static const double enough_s = 0.1; /* of samples, where there are LEAST */
  double sample, spent = 0;
  mfft_status status = MFFT_SUCCESS;
  *seconds = INFINITY;
  for (int count = -1; count < MOST && (count < 1 || spent < (count < LEAST ? limit_s : fmin(limit_s, enough_s))); count++) {
    mfft_app_barrier("the start of a sample");
    const double begin = mfft_app_time();
    if (run) status = run(context);
    sample = mfft_app_slowest(run ? mfft_app_time() - begin : 0);
    spent += sample;
    if (count >= 0) *seconds = fmin(sample, *seconds);
    if (mfft_app_anywhere(status != MFFT_SUCCESS)) return mfft_app_agree(status);
  }
  return MFFT_SUCCESS;
}
