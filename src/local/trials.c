/* trials.c: see trials.h. */
#include "local/trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mfft_inspect.h"

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
  int same = 0; /* candidates that give the plan of another one are many, and are only counted */
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
