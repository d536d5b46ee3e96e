/* tune.h: the parameters that tuning varies, and its wisdom.
 *
 * A candidate has one word for each parameter, "transport p2p grid 4x1 chunks auto overlap-split auto copy-blocks auto
 * copy-lanes auto wire full local rule".  Lists of trials, wisdom and messages print it so.  To add a parameter, write
 * one line in the table of tune_parameters.c; if it does not change the stages of a plan, mfft_plan_hash must include it. */
#ifndef MFFT_PLAN_TUNE_H
#define MFFT_PLAN_TUNE_H

#include "plan/plan_dist.h"

enum { MFFT_PARAMETERS = 8, MFFT_WORD_BYTES = 32, MFFT_MOST_NUMBERS = 8, MFFT_KEY_BYTES = 1024 };

typedef struct mfft_candidate {
  char word[MFFT_PARAMETERS][MFFT_WORD_BYTES]; /* [parameter] */
} mfft_candidate;

/* The request that is tuned, the same on all ranks. */
typedef struct mfft_tune_scope {
  const mfft_desc *desc;
  const mfft_options *asked;
  const mfft_backend *backend;
  int rank, ranks;
} mfft_tune_scope;

typedef struct mfft_parameter mfft_parameter;
struct mfft_parameter {
  const char *name;
  /* Writes value i of those to try at the effort of the options; returns 0 after the last.  There are none if the caller
   * has set the parameter. */
  int (*value)(const mfft_parameter *p, const mfft_tune_scope *scope, int i, char *word);
  /* Writes the value in the plan that rules choose. */
  void (*rule)(const mfft_parameter *p, const mfft_tune_scope *scope, mfft_plan plan, char *word);
  /* Sets a value in a request; returns 0 if this build or the caller does not allow it. */
  int (*set)(const mfft_parameter *p, const mfft_tune_scope *scope, const char *word, mfft_request *request);
  /* Integer parameters, where 0 is "auto": their field, and the values to try, of which MFFT_MEASURE uses the first
   * `few`. */
  size_t offset; /* offset of an int in mfft_request */
  int few, number[MFFT_MOST_NUMBERS];
  int device_only; /* has no effect for host memory */
};

extern const mfft_parameter mfft_parameters[MFFT_PARAMETERS]; /* in the sequence of the search */

void mfft_candidate_print(const mfft_candidate *candidate, char text[MFFT_CANDIDATE_BYTES]);

/* Converts a candidate to a request; returns 0 if one of its words is not valid here. */
int mfft_candidate_request(const mfft_tune_scope *scope, const mfft_candidate *candidate, mfft_request *request);

/* ---- tune_wisdom.c */

/* Writes the key: everything that the choice depends on.  Collective. */
mfft_status mfft_tune_key(MPI_Comm comm, const mfft_tune_scope *scope, char key[MFFT_KEY_BYTES]);

/* Finds the candidate that rank 0 knows for the key; all ranks then build the same plan.  It must be valid here and found
 * with no less effort and, if the search was not complete, no lower time limit than now.  Collective. */
mfft_status mfft_tune_recall(MPI_Comm comm, const mfft_tune_scope *scope, const char *key, mfft_candidate *candidate,
                             double *seconds, int *found);

/* Stores the result of `trials` as wisdom. */
mfft_status mfft_tune_remember(const mfft_tune_scope *scope, const char *key, const mfft_trials *trials);

#endif
