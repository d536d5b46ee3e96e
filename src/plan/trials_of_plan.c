/* trials_of_plan.c: the public calls that return which candidates were tried for a plan, and which was chosen. */
#include "mfft_inspect.h"
#include "plan/plan.h"

static mfft_status check(mfft_plan plan, const void *result) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  if (!result) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of a variable for it");
  return MFFT_SUCCESS;
}

/* Finds the list that contains trial *i, the plan's own or that of one of its transforms; *i becomes the index in that
 * list. */
static const mfft_trials *list_of(mfft_plan plan, int64_t *i) {
  for (int k = -1; k < plan->nffts; k++) {
    const mfft_trials *list = k < 0 ? plan->trials : plan->fft[k]->trials;
    if (!list) continue;
    if (*i < list->count) return list;
    *i -= list->count;
  }
  return NULL;
}

mfft_chosen mfft_plan_chosen_by(mfft_plan plan) {
  if (plan->dist) return plan->chosen;
  mfft_chosen by = MFFT_CHOSEN_BY_RULE;
  for (int k = 0; k < plan->nffts; k++)
    if (by != MFFT_CHOSEN_BY_TIMING && plan->fft[k]->chosen != MFFT_CHOSEN_BY_RULE) by = plan->fft[k]->chosen;
  return by;
}

mfft_status mfft_plan_chosen(mfft_plan plan, mfft_chosen *by, const char **candidate) {
  MFFT_TRY(check(plan, by));
  MFFT_TRY(check(plan, candidate));
  *by = mfft_plan_chosen_by(plan);
  *candidate = plan->trials                          ? plan->trials->candidate
               : plan->nffts && plan->fft[0]->trials ? plan->fft[0]->trials->candidate
                                                     : "";
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_trial_count(mfft_plan plan, int64_t *count) {
  MFFT_TRY(check(plan, count));
  *count = plan->trials ? plan->trials->count : 0;
  for (int k = 0; k < plan->nffts; k++) *count += plan->fft[k]->trials ? plan->fft[k]->trials->count : 0;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_trial(mfft_plan plan, int64_t i, mfft_trial *trial) {
  MFFT_TRY(check(plan, trial));
  int64_t place = i;
  const mfft_trials *list = i >= 0 ? list_of(plan, &place) : NULL;
  if (!list) {
    int64_t count = 0;
    mfft_plan_trial_count(plan, &count);
    return mfft_fail(MFFT_ERR_ARG, "trial %lld is asked for; the plan has %lld, counted from 0", (long long)i,
                     (long long)count);
  }
  *trial = list->trial[place];
  return MFFT_SUCCESS;
}
