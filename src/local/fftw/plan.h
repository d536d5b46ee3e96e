/* plan.h: FFTW plans that can be run on any arrays of the right layout, and FFTW's wisdom.  All planning is done by this
 * file, under a lock. */
#ifndef MFFT_LOCAL_FFTW_PLAN_H
#define MFFT_LOCAL_FFTW_PLAN_H

#include "base/status.h"
#include "local/fftw/api.h"

/* One problem, planned for arrays with the alignment that FFTW prefers and for others. */
typedef struct mfft_fftw_plan {
  const mfft_fftw_api *api;
  mfft_fft_type type;
  void *aligned, *unaligned;
  size_t running_bytes; /* bytes that FFTW may allocate when it runs */
} mfft_fftw_plan;

/* Makes a plan, with arrays of its own.  The plan for unaligned arrays is estimated, without timing, unless both_measured
 * is set. */
typedef struct mfft_fftw_care {
  mfft_effort effort;
  double deadline; /* as in mfft_fft_spec */
  int threads;
  int both_measured;
} mfft_fftw_care;
mfft_status mfft_fftw_plan_make(const mfft_fftw_api *api, const mfft_fftw_problem *problem, const mfft_fftw_care *care,
                                mfft_fftw_plan *plan);
void mfft_fftw_plan_free(mfft_fftw_plan *plan); /* accepts a zeroed one */

static inline void mfft_fftw_plan_run(const mfft_fftw_plan *plan, const void *in, void *out) {
  int off = plan->api->alignment((void *)in) | plan->api->alignment(out);
  plan->api->execute[plan->type](off ? plan->unaligned : plan->aligned, (void *)in, out);
}

/* The wisdom entries of the backend table. */
char *mfft_fftw_wisdom_get(void);
mfft_status mfft_fftw_wisdom_set(const char *text);

#endif
