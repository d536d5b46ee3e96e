/* tune.c: choosing among whole plans by timing them.
 *
 * Timing exchanges alone picks the wrong grid (a slab moves once what a pencil moves twice, but its transforms differ), so
 * every candidate is a finished plan, run both ways.  The search is a descent along one parameter at a time, in the order of
 * their table, from the plan by rule; a patient one goes round again while that finds something.  Every decision is made
 * from numbers that all ranks share: the time of the slowest, and rank 0's clock. */
#include "plan/tune.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

/* Samples of a candidate, each at least so long; what is hopeless gets none beyond its warm-up, and what is not clearly
 * faster changes nothing. */
enum { SAMPLES = 3, MOST_RUNS = 64, MOST_PLANS = 256, MOST_ROUNDS = 4 };
static const double sample_s = 1e-3;

typedef struct tuner {
  MPI_Comm comm;
  mfft_tune_scope scope;
  double begin, limit; /* seconds */
  double cost;         /* of the last candidate */
  void *array[2];      /* [side] of the largest candidate so far */
  size_t bytes[2];     /* [side] */
  mfft_candidate best;
  double least;              /* seconds of forward and backward; 0: nothing has run yet */
  uint64_t plan[MOST_PLANS]; /* [plans] hashes of what was timed */
  int plans;
  mfft_trials *trials;
} tuner;

/* ---- Timing one plan ---- */

/* With plain numbers of any precision: kernels may take other roads with zeros, and with what overflows. */
static mfft_status fill(const mfft_backend *backend, void *array, size_t bytes) {
  unsigned char pattern[4096];
  size_t done = bytes < sizeof pattern ? bytes : sizeof pattern;
  memset(pattern, 0x3c, sizeof pattern);
  if (!bytes) return MFFT_SUCCESS; /* a rank with an empty box may have no array */
  MFFT_TRY(backend->upload(array, pattern, done));
  for (size_t next; done < bytes; done += next) {
    next = done < bytes - done ? done : bytes - done;
    MFFT_TRY(backend->move((char *)array + done, array, next));
  }
  return MFFT_SUCCESS;
}

static mfft_status grow_arrays(tuner *t, mfft_plan plan) {
  for (int side = 0; side < 2; side++) {
    size_t wanted = plan->bytes[side];
    if (plan->desc.placement == MFFT_IN_PLACE && plan->bytes[!side] > wanted) wanted = plan->bytes[!side];
    if (wanted <= t->bytes[side]) continue;
    plan->backend->free(t->array[side]);
    t->array[side] = NULL;
    t->bytes[side] = 0;
    MFFT_TRY(plan->backend->alloc(wanted, &t->array[side]));
    t->bytes[side] = wanted;
    MFFT_TRY(fill(plan->backend, t->array[side], wanted)); /* pages that nobody touched cost time */
  }
  return MFFT_SUCCESS;
}

/* Seconds of the slowest rank for so many runs forward and backward. */
static mfft_status run_both(tuner *t, mfft_plan plan, int runs, double *seconds) {
  void *in = t->array[MFFT_IN], *out = plan->desc.placement == MFFT_IN_PLACE ? in : t->array[MFFT_OUT];
  MFFT_TRY(mfft_agree(t->comm, fill(plan->backend, in, plan->bytes[MFFT_IN]))); /* transforms there and back may grow */
  MFFT_TRY(mfft_collective_barrier(t->comm, "tuning"));
  double begin = mfft_now();
  for (int i = 0; i < runs; i++) {
    MFFT_TRY(mfft_execute(plan, MFFT_FORWARD, in, out));
    MFFT_TRY(mfft_execute(plan, MFFT_BACKWARD, out, in));
  }
  MFFT_TRY(plan->backend->synchronize(plan->stream));
  *seconds = mfft_now() - begin;
  return mfft_collective_allreduce(t->comm, seconds, 1, MPI_DOUBLE, MPI_MAX, "tuning");
}

static mfft_status time_plan(tuner *t, mfft_plan plan, double *seconds) {
  double first, next;
  MFFT_TRY(mfft_agree(t->comm, grow_arrays(t, plan)));
  MFFT_TRY(run_both(t, plan, 1, &first)); /* warms up */
  *seconds = first;
  if (mfft_trial_hopeless(first, t->least)) return MFFT_SUCCESS;
  MFFT_TRY(run_both(t, plan, 1, seconds));
  const double wanted = sample_s / (*seconds + 1e-9);
  const int runs = wanted > MOST_RUNS ? MOST_RUNS : wanted > 1 ? (int)ceil(wanted) : 1;
  for (int sample = runs == 1; sample < SAMPLES; sample++) {
    MFFT_TRY(run_both(t, plan, runs, &next));
    if (next / runs < *seconds) *seconds = next / runs;
  }
  return MFFT_SUCCESS;
}

/* With workspace of ours where the caller would give his own. */
static mfft_status time_with_workspace(tuner *t, mfft_plan plan, double *seconds) {
  void *workspace = NULL;
  mfft_status status = MFFT_SUCCESS;
  if (plan->options.user_workspace && plan->workspace_bytes) {
    status = plan->backend->alloc(plan->workspace_bytes, &workspace);
    if (status == MFFT_SUCCESS) status = mfft_plan_set_workspace(plan, workspace, plan->workspace_bytes);
  }
  status = mfft_agree(t->comm, status);
  if (status == MFFT_SUCCESS) status = time_plan(t, plan, seconds);
  if (workspace) plan->backend->free(workspace);
  return status;
}

/* Whether a plan does the same, stage by stage on every rank, as one that was timed; else notes it. */
static mfft_status is_known(tuner *t, mfft_plan plan, int *known) {
  uint64_t hash = mfft_plan_hash(plan) * (2 * (uint64_t)t->scope.rank + 1);
  MFFT_TRY(mfft_collective_allreduce(t->comm, &hash, 1, MPI_UINT64_T, MPI_SUM, "comparing plans"));
  *known = 0;
  for (int i = 0; i < t->plans; i++) *known |= t->plan[i] == hash;
  if (!*known && t->plans < MOST_PLANS) t->plan[t->plans++] = hash;
  return MFFT_SUCCESS;
}

/* ---- Candidates ---- */

/* Whether rank 0's clock leaves time for another candidate, should it cost what the last one did. */
static mfft_status time_left(tuner *t, int *left) {
  *left = mfft_now() - t->begin + t->cost < t->limit;
  MFFT_TRY(mfft_collective_broadcast(t->comm, left, sizeof *left, 0, "tuning"));
  if (!*left) t->trials->complete = 0;
  return MFFT_SUCCESS;
}

static mfft_status note(tuner *t, const char *parameter, const mfft_candidate *c, double seconds, const char *why_not) {
  char text[MFFT_CANDIDATE_BYTES];
  mfft_candidate_print(c, text);
  if (t->scope.rank == 0)
    mfft_log(MFFT_LOG_INFO, why_not ? "tune: %s: %.6f s; %s" : "tune: %s: %.6f s", text, seconds, why_not);
  return mfft_agree(t->comm, mfft_trials_add(t->trials, parameter, text, seconds, why_not));
}

/* Times a finished plan and keeps its words where it is the best. */
static mfft_status try_plan(tuner *t, const char *parameter, const mfft_candidate *c, mfft_plan plan) {
  double seconds;
  int known;
  MFFT_TRY(is_known(t, plan, &known));
  if (known) return note(t, parameter, c, 0, mfft_trial_same);
  MFFT_TRY(time_with_workspace(t, plan, &seconds));
  if (t->least == 0 || mfft_trial_faster(seconds, t->least)) {
    t->least = seconds;
    t->best = *c;
  }
  return note(t, parameter, c, seconds, NULL);
}

static mfft_status build(const tuner *t, const mfft_candidate *c, mfft_plan *plan) {
  mfft_request request;
  if (!mfft_candidate_request(&t->scope, c, &request))
    return mfft_fail(MFFT_ERR_INTERNAL, "tuning wrote a candidate that it cannot read");
  request.deadline = t->begin + t->limit;
  return mfft_plan_dist_build(t->comm, &request, plan);
}

/* A candidate that cannot be built is no candidate; one that cannot run is an error. */
static mfft_status try_candidate(tuner *t, const char *parameter, const mfft_candidate *c) {
  const double begin = mfft_now();
  mfft_plan plan;
  mfft_status status = build(t, c, &plan);
  if (status != MFFT_SUCCESS) {
    char why_not[MFFT_ERROR_TEXT_BYTES];
    snprintf(why_not, sizeof why_not, "%s", mfft_last_error());
    return note(t, parameter, c, 0, why_not);
  }
  status = try_plan(t, parameter, c, plan);
  mfft_plan_destroy(plan);
  t->cost = mfft_now() - begin;
  return status;
}

static int tried(const tuner *t, const mfft_candidate *c) {
  char text[MFFT_CANDIDATE_BYTES];
  mfft_candidate_print(c, text);
  return mfft_trials_find(t->trials, text) != NULL;
}

/* Whether a value could not be built in an earlier round: it will not be now. */
static int was_refused(const tuner *t, const char *parameter, const char *word) {
  char words[2 * MFFT_WORD_BYTES];
  snprintf(words, sizeof words, "%s %s ", parameter, word); /* the last parameter has no blank behind it, and another try */
  for (int i = 0; i < t->trials->count; i++) {
    const mfft_trial *trial = &t->trials->trial[i];
    if (trial->why_not && strcmp(trial->why_not, mfft_trial_same) != 0 && strcmp(trial->parameter, parameter) == 0 &&
        strstr(trial->candidate, words))
      return 1;
  }
  return 0;
}

/* ---- The search ---- */

/* Tries the values of parameter number p while the others stay as they are. */
static mfft_status vary(tuner *t, int p, int *left) {
  const mfft_parameter *parameter = &mfft_parameters[p];
  mfft_candidate c = t->best;
  for (int i = 0; parameter->value(parameter, &t->scope, i, c.word[p]); i++) {
    if (tried(t, &c) || was_refused(t, parameter->name, c.word[p])) continue;
    MFFT_TRY(time_left(t, left));
    if (!*left) return MFFT_SUCCESS;
    MFFT_TRY(try_candidate(t, parameter->name, &c));
  }
  return MFFT_SUCCESS;
}

static mfft_status descend(tuner *t) {
  const int rounds = mfft_effort_reaches(t->scope.asked->effort, MFFT_PATIENT) ? MOST_ROUNDS : 1;
  int left = 1;
  for (int round = 0; round < rounds && left; round++) {
    const double before = t->least;
    for (int p = 0; p < MFFT_PARAMETERS && left; p++) MFFT_TRY(vary(t, p, &left));
    if (t->least >= before) break;
  }
  return MFFT_SUCCESS;
}

/* Whether some parameter has a value other than the rule's. */
static int has_choice(const tuner *t) {
  char word[MFFT_WORD_BYTES];
  for (int p = 0; p < MFFT_PARAMETERS; p++)
    for (int i = 0; mfft_parameters[p].value(&mfft_parameters[p], &t->scope, i, word); i++)
      if (strcmp(word, t->best.word[p]) != 0) return 1;
  return 0;
}

/* The plan by rule; t->best becomes its words. */
static mfft_status build_by_rule(tuner *t, mfft_plan *plan) {
  mfft_request request = {.desc = *t->scope.desc, .options = *t->scope.asked};
  const int timed = request.options.effort != MFFT_ESTIMATE;
  if (request.options.wire == MFFT_WIRE_AUTO) request.options.wire = MFFT_WIRE_FULL;
  if (timed) request.algorithm = t->scope.backend->algorithms;
  request.deadline = timed ? t->begin + t->limit : 0;
  MFFT_TRY(mfft_plan_dist_build(t->comm, &request, plan));
  for (int p = 0; p < MFFT_PARAMETERS; p++) {
    const mfft_parameter *parameter = &mfft_parameters[p];
    parameter->rule(parameter, &t->scope, *plan, t->best.word[p]);
  }
  return MFFT_SUCCESS;
}

/* From the plan by rule, which *plan is where nothing is timed, to the best. */
static mfft_status search(tuner *t, mfft_plan *plan) {
  mfft_plan rule = NULL;
  mfft_status status;
  int left = 0;
  t->trials->complete = 1;
  MFFT_TRY(build_by_rule(t, &rule));
  t->begin = mfft_now(); /* there must be a plan in any case: its planning is not on the account of the search */
  const int choice = t->scope.asked->effort != MFFT_ESTIMATE && has_choice(t);
  status = choice ? time_left(t, &left) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS && !left) {
    *plan = rule;
    return status;
  }
  const double begin = mfft_now();
  if (status == MFFT_SUCCESS) status = try_plan(t, "rule", &t->best, rule);
  mfft_plan_destroy(rule);
  MFFT_TRY(status);
  t->cost = mfft_now() - begin;
  MFFT_TRY(descend(t));
  return build(t, &t->best, plan);
}

/* ---- Wisdom ---- */

/* Builds what wisdom knows, if it can be built; *plan stays NULL otherwise. */
static mfft_status build_known(tuner *t, const char *key, mfft_plan *plan) {
  int found = 0;
  double seconds;
  MFFT_TRY(mfft_tune_recall(t->comm, &t->scope, key, &t->best, &seconds, &found));
  if (!found || build(t, &t->best, plan) != MFFT_SUCCESS) return MFFT_SUCCESS;
  t->least = seconds;
  (*plan)->chosen = MFFT_CHOSEN_FROM_WISDOM;
  return MFFT_SUCCESS;
}

/* Gives the plan the list of trials that it was chosen by, and wisdom what is new in it. */
static void tell(tuner *t, const char *key, mfft_plan plan) {
  char text[MFFT_CANDIDATE_BYTES];
  mfft_candidate_print(&t->best, text);
  mfft_trials_choose(t->trials, text, t->least);
  t->trials->spent = mfft_now() - t->begin;
  t->trials->limit = t->limit;
  if (plan->chosen == MFFT_CHOSEN_BY_RULE && t->least > 0) {
    plan->chosen = MFFT_CHOSEN_BY_TIMING;
    if (mfft_tune_remember(&t->scope, key, t->trials) != MFFT_SUCCESS) mfft_log(MFFT_LOG_WARNING, "%s", mfft_last_error());
  }
  plan->trials = t->trials;
  t->trials = NULL;
}

mfft_status mfft_tune(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options, mfft_plan *plan) {
  char key[MFFT_KEY_BYTES];
  mfft_plan made = NULL;
  tuner t = {
      .comm = comm, .begin = mfft_now(), .limit = mfft_options_time_limit(options), .trials = calloc(1, sizeof *t.trials)};
  t.scope.desc = desc;
  t.scope.asked = options;
  t.scope.rank = mfft_comm_rank(comm);
  t.scope.ranks = mfft_comm_size(comm);
  mfft_status status = mfft_backend_find(options->backend, &t.scope.backend);
  if (status == MFFT_SUCCESS && !t.trials) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a list of trials");
  MFFT_GOTO(done, mfft_agree(comm, status));
  MFFT_GOTO(done, mfft_tune_key(comm, &t.scope, key));
  MFFT_GOTO(done, build_known(&t, key, &made));
  if (!made) MFFT_GOTO(done, search(&t, &made));
  tell(&t, key, made);
  *plan = made;
done:
  for (int side = 0; side < 2; side++)
    if (t.array[side]) t.scope.backend->free(t.array[side]);
  mfft_trials_free(t.trials);
  return status;
}
