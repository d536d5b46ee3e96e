/* tune.c: chooses among whole plans by timing them.
 *
 * Timing exchanges alone selects the wrong grid (a slab moves once what a pencil moves twice, but its transforms differ),
 * so every candidate is a complete plan that is run in both directions.  The search is a coordinate descent from the plan
 * that rules choose, over the parameters in the sequence of their table; with a patient effort it repeats while it finds
 * improvements.  Every decision uses numbers that all ranks share: the time of the slowest rank, and the clock of rank 0. */
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

/* Each candidate has SAMPLES samples of at least sample_s seconds.  A candidate that is far slower has only its warm-up,
 * and one that is not clearly faster does not replace the best. */
enum { SAMPLES = 3, MOST_RUNS = 64, MOST_PLANS = 256, MOST_ROUNDS = 4 };
static const double sample_s = 1e-3;

typedef struct tuner {
  MPI_Comm comm;
  mfft_tune_scope scope;
  double begin, limit; /* seconds */
  double cost;         /* seconds that the last candidate took */
  void *array[2];      /* [side] large enough for every candidate so far */
  size_t bytes[2];     /* [side] */
  mfft_candidate best;
  double least;              /* seconds of forward and backward of `best`; 0: nothing has been timed */
  uint64_t plan[MOST_PLANS]; /* [plans] hashes of the plans timed */
  int plans;
  mfft_trials *trials;
} tuner;

/* ---- Timing one plan ---- */

/* Fills an array with numbers of moderate size in every precision: zeros and overflow may change the speed of kernels. */
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
    MFFT_TRY(fill(plan->backend, t->array[side], wanted)); /* first touch of pages would be timed otherwise */
  }
  return MFFT_SUCCESS;
}

/* Times `runs` runs forward and backward: seconds of the slowest rank. */
static mfft_status run_both(tuner *t, mfft_plan plan, int runs, double *seconds) {
  void *in = t->array[MFFT_IN], *out = plan->desc.placement == MFFT_IN_PLACE ? in : t->array[MFFT_OUT];
  /* Repeated transforms without a scale may overflow, so each measurement starts with new input. */
  MFFT_TRY(mfft_agree(t->comm, fill(plan->backend, in, plan->bytes[MFFT_IN])));
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
  if (mfft_trial_is_too_slow(first, t->least)) return MFFT_SUCCESS;
  MFFT_TRY(run_both(t, plan, 1, seconds));
  const double wanted = sample_s / (*seconds + 1e-9);
  const int runs = wanted > MOST_RUNS ? MOST_RUNS : wanted > 1 ? (int)ceil(wanted) : 1;
  for (int sample = runs == 1; sample < SAMPLES; sample++) {
    MFFT_TRY(run_both(t, plan, runs, &next));
    if (next / runs < *seconds) *seconds = next / runs;
  }
  return MFFT_SUCCESS;
}

/* Times a plan, with workspace from here if the caller is to provide it. */
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

/* Whether a plan has the same stages on every rank as one that was timed; otherwise its hash is recorded. */
static mfft_status is_known(tuner *t, mfft_plan plan, int *known) {
  uint64_t hash = mfft_plan_hash(plan) * (2 * (uint64_t)t->scope.rank + 1);
  MFFT_TRY(mfft_collective_allreduce(t->comm, &hash, 1, MPI_UINT64_T, MPI_SUM, "comparing plans"));
  *known = 0;
  for (int i = 0; i < t->plans; i++) *known |= t->plan[i] == hash;
  if (!*known && t->plans < MOST_PLANS) t->plan[t->plans++] = hash;
  return MFFT_SUCCESS;
}

/* ---- Candidates ---- */

/* Whether, by the clock of rank 0, time is left for another candidate that takes as long as the last one. */
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

/* Times a complete plan, and records its candidate if it is the best. */
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

/* Builds and times a candidate.  One that cannot be built is recorded as such; one that cannot run is an error. */
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

/* Whether a value could not be built in an earlier round, which makes another attempt pointless. */
static int was_refused(const tuner *t, const char *parameter, const char *word) {
  char words[2 * MFFT_WORD_BYTES];
  /* The last parameter has no blank after its word and is not recognised: it is tried again. */
  snprintf(words, sizeof words, "%s %s ", parameter, word);
  for (int i = 0; i < t->trials->count; i++) {
    const mfft_trial *trial = &t->trials->trial[i];
    if (trial->why_not && strcmp(trial->why_not, mfft_trial_same) != 0 && strcmp(trial->parameter, parameter) == 0 &&
        strstr(trial->candidate, words))
      return 1;
  }
  return 0;
}

/* ---- The search ---- */

/* Tries the values of parameter number p; the others stay at those of the best candidate. */
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

/* Builds the plan that rules choose; t->best becomes its candidate. */
static mfft_status build_by_rule(tuner *t, mfft_plan *plan) {
  mfft_request request = {
      .desc = *t->scope.desc, .options = *t->scope.asked, .grid_given = mfft_options_name_grid(t->scope.asked)};
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

/* Searches from the plan that rules choose to the best one.  If nothing is timed, *plan is the former. */
static mfft_status search(tuner *t, mfft_plan *plan) {
  mfft_plan rule = NULL;
  mfft_status status;
  int left = 0;
  t->trials->complete = 1;
  MFFT_TRY(build_by_rule(t, &rule));
  t->begin = mfft_now(); /* the time limit does not include planning the first plan, which is needed in any case */
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

/* Builds the candidate that wisdom has, if it can be built; otherwise *plan stays NULL. */
static mfft_status build_known(tuner *t, const char *key, mfft_plan *plan) {
  int found = 0;
  double seconds;
  MFFT_TRY(mfft_tune_recall(t->comm, &t->scope, key, &t->best, &seconds, &found));
  if (!found || build(t, &t->best, plan) != MFFT_SUCCESS) return MFFT_SUCCESS;
  t->least = seconds;
  (*plan)->chosen = MFFT_CHOSEN_FROM_WISDOM;
  return MFFT_SUCCESS;
}

/* Gives the plan its list of trials, and stores a new result as wisdom. */
static void record_choice(tuner *t, const char *key, mfft_plan plan) {
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
  record_choice(&t, key, made);
  *plan = made;
done:
  for (int side = 0; side < 2; side++)
    if (t.array[side]) t.scope.backend->free(t.array[side]);
  mfft_trials_free(t.trials);
  return status;
}
