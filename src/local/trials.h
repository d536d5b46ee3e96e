/* trials.h: the candidates that tuning tried for a plan or for one local transform, as mfft_plan_trial and
 * mfft_plan_describe report them. */
#ifndef MFFT_LOCAL_TRIALS_H
#define MFFT_LOCAL_TRIALS_H

#include "base/text.h"
#include "local/backend.h"
#include "mfft_inspect.h"

enum { MFFT_CANDIDATE_BYTES = 256 };

struct mfft_trials {
  mfft_trial *trial;                    /* [count] texts are owned */
  char candidate[MFFT_CANDIDATE_BYTES]; /* the chosen candidate */
  double seconds;                       /* its time; 0: not known */
  double spent, limit;                  /* seconds of all trials, and their limit */
  int count;
  int complete; /* 1: no candidate was left out for lack of time */
};

/* The reason why a candidate was not timed: it gives the same plan as an earlier one. */
extern const char mfft_trial_same[];

/* A candidate that is four times slower than the best so far gets no further samples.  One becomes the best so far if it is
 * 3 % faster, since a smaller gain is noise. */
static inline int mfft_trial_is_too_slow(double time, double least) { return least > 0 && time > 4 * least; }
static inline int mfft_trial_faster(double time, double least) { return time < 0.97 * least; }

/* Adds a trial; texts are copied. */
mfft_status mfft_trials_add(mfft_trials *trials, const char *parameter, const char *candidate, double seconds,
                            const char *why_not);

/* The trial of this candidate; NULL: none. */
const mfft_trial *mfft_trials_find(const mfft_trials *trials, const char *candidate);

/* Records the candidate that was chosen, and marks its trial as won. */
void mfft_trials_choose(mfft_trials *trials, const char *candidate, double seconds);

/* "measured", "from wisdom", "estimated". */
const char *mfft_chosen_text(mfft_chosen by);

/* Print lines for mfft_plan_describe: the choice and how it was made; and the trials, if any.  trials may be NULL. */
void mfft_trials_print_choice(const mfft_trials *trials, mfft_chosen by, const char *what, mfft_text *text);
void mfft_trials_print_list(const mfft_trials *trials, const char *what, mfft_text *text);

void mfft_trials_free(mfft_trials *trials); /* accepts NULL */

#endif
