/* trials.c: see trials.h; and the public calls that tell of them. */
#include "plan/trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/plan.h"

const char mfft_trial_same[] = "the same plan as one before";

static char *copy_text(const char *text) { return text ? strdup(text) : NULL; }

static void free_trial(mfft_trial *t) {
  free((char *)t->parameter);
  free((char *)t->candidate);
  free((char *)t->why_not);
}

mfft_status mfft_trials_add(mfft_trials *trials, const char *parameter, const char *candidate, double seconds,
                            const char *why_not) {
  mfft_trial *grown = realloc(trials->trial, ((size_t)trials->count + 1) * sizeof *grown);
  mfft_trial t = {copy_text(parameter), copy_text(candidate), seconds, copy_text(why_not), 0};
  if (grown) trials->trial = grown;
  if (!grown || !t.parameter || !t.candidate || (why_not && !t.why_not)) {
    free_trial(&t);
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for a list of %d trials", trials->count + 1);
  }
  trials->trial[trials->count++] = t;
  return MFFT_SUCCESS;
}

const mfft_trial *mfft_trials_find(const mfft_trials *trials, const char *candidate) {
  for (int i = 0; i < trials->count; i++)
    if (strcmp(trials->trial[i].candidate, candidate) == 0) return &trials->trial[i];
  return NULL;
}

void mfft_trials_choose(mfft_trials *trials, const char *candidate, double seconds) {
  snprintf(trials->candidate, sizeof trials->candidate, "%s", candidate);
  trials->seconds = seconds;
  for (int i = 0; i < trials->count; i++) trials->trial[i].won = strcmp(trials->trial[i].candidate, candidate) == 0;
}

void mfft_trials_free(mfft_trials *trials) {
  if (!trials) return;
  for (int i = 0; i < trials->count; i++) free_trial(&trials->trial[i]);
  free(trials->trial);
  free(trials);
}

/* ---- Text ---- */

const char *mfft_chosen_text(mfft_chosen by) {
  static const char *const text[] = {
      [MFFT_CHOSEN_BY_RULE] = "estimated", [MFFT_CHOSEN_BY_TIMING] = "measured", [MFFT_CHOSEN_FROM_WISDOM] = "from wisdom"};
  return text[by];
}

void mfft_trials_print_choice(const mfft_trials *trials, mfft_chosen by, const char *what, mfft_text *text) {
  mfft_text_add(text, "  %s: %s", what, mfft_chosen_text(by));
  if (trials && trials->candidate[0]) mfft_text_add(text, ", %s", trials->candidate);
  if (trials && trials->seconds > 0) mfft_text_add(text, ", %.4g ms", 1e3 * trials->seconds);
  mfft_text_add(text, "\n");
}

void mfft_trials_print_list(const mfft_trials *trials, const char *what, mfft_text *text) {
  if (!trials || !trials->count) return;
  mfft_text_add(text, "  %s: tried in %.3g of %.3g s%s\n", what, trials->spent, trials->limit,
                trials->complete ? "" : ", then time was out");
  int same = 0; /* they are many, and tell little */
  for (int i = 0; i < trials->count; i++) {
    const mfft_trial *t = &trials->trial[i];
    if (t->why_not && strcmp(t->why_not, mfft_trial_same) == 0) {
      same++;
      continue;
    }
    mfft_text_add(text, "    %c %-11s ", t->won ? '*' : ' ', t->parameter);
    if (t->why_not)
      mfft_text_add(text, "         -     %s: %s\n", t->candidate, t->why_not);
    else
      mfft_text_add(text, "%10.4f ms  %s\n", 1e3 * t->seconds, t->candidate);
  }
  if (same) mfft_text_add(text, "      and %d more that came to one of these plans\n", same);
}

/* ---- Public calls ---- */

static mfft_status check(mfft_plan plan, const void *result) {
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create");
  if (!result) return mfft_fail(MFFT_ERR_ARG, "the place for the result is NULL; pass the address of a variable");
  return MFFT_SUCCESS;
}

/* The list that trial i stands in, the plan's own or that of one of its transforms, and its place there. */
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
