/* tune.h: what tuning varies, and what it remembers.
 *
 * A candidate is a word for each parameter, "transport p2p grid 4x1 chunks auto overlap-split auto copy-blocks auto
 * copy-lanes auto wire full local rule": so it stands in lists of trials, in wisdom and in messages, and wisdom is a
 * candidate with a few words before it. To add a parameter, write one line in the table of tune_parameters.c; where it does
 * not show in the stages of a plan, mfft_plan_hash must know it. */
#ifndef MFFT_PLAN_TUNE_H
#define MFFT_PLAN_TUNE_H

#include "plan/plan_dist.h"

enum { MFFT_PARAMETERS = 8, MFFT_WORD_BYTES = 32, MFFT_MOST_NUMBERS = 8, MFFT_KEY_BYTES = 1024 };

typedef struct mfft_candidate {
  char word[MFFT_PARAMETERS][MFFT_WORD_BYTES]; /* [parameter] */
} mfft_candidate;

/* What is asked for, the same on all ranks. */
typedef struct mfft_tune_scope {
  const mfft_desc *desc;
  const mfft_options *asked;
  const mfft_backend *backend;
  int rank, ranks;
} mfft_tune_scope;

typedef struct mfft_parameter mfft_parameter;
struct mfft_parameter {
  const char *name;
  /* Writes value i of those to try at the effort of the options; 0 beyond the last.  None where the caller has named one.
   */
  int (*value)(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word);
  /* The value that the plan by rule has. */
  void (*rule)(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word);
  /* Takes a value over; 0 where it is none that this build and the caller allow. */
  int (*set)(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request);
  /* Of numbers, where 0 is "auto": where they stand, and those to try, the first `few` with MFFT_MEASURE. */
  size_t offset; /* of an int in mfft_request */
  int few, number[MFFT_MOST_NUMBERS];
  int device_only; /* it means nothing to host memory */
};

extern const mfft_parameter mfft_parameters[MFFT_PARAMETERS]; /* in the order in which they are searched */

void mfft_candidate_print(const mfft_candidate *candidate, char text[MFFT_CANDIDATE_BYTES]);

/* What a candidate asks for; 0 where a word of it means nothing here. */
int mfft_candidate_request(const mfft_tune_scope *scope, const mfft_candidate *candidate, mfft_request *request);

/* ---- tune_wisdom.c */

/* Everything that a choice depends on.  Collective. */
mfft_status mfft_tune_key(MPI_Comm comm, const mfft_tune_scope *scope, char key[MFFT_KEY_BYTES]);

/* What rank 0 knows for the key, so that all ranks build the same plan: a candidate that means something here, found with no
 * less effort and, where the search was not complete, no less time than there is now.  Collective. */
mfft_status mfft_tune_recall(MPI_Comm comm, const mfft_tune_scope *scope, const char *key, mfft_candidate *candidate,
                             double *seconds, int *found);

/* Remembers what `trials` found. */
mfft_status mfft_tune_remember(const mfft_tune_scope *scope, const char *key, const mfft_trials *trials);

#endif
