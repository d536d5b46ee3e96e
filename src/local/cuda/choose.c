/* choose.c: chooses the algorithm of a transform.  By default the rules of the planner decide, which on an H200 nearly
 * always find the fastest algorithm (docs/lab/trials.md).  With MFFT_MEASURE and MFFT_PATIENT all algorithms that can do the
 * transform are timed, on arrays that are allocated here, and the fastest is taken.  The result is wisdom: the process
 * remembers it, and mfft_wisdom_save saves it.
 *
 * Algorithms that give the same passes count as one.  Most transforms have only one, and nothing is timed for them. */
#include "local/cuda/choose.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/wisdom_store.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/runtime/context.h"
#include "local/cuda/runtime/load.h"
#include "local/cuda/transform.h"
#include "local/device.h"
#include "local/trials.h"
#include "mfft_inspect.h"

enum { SAMPLES = 7, WARMUPS = 2 };
static const double sample_ms = 0.5;

/* Bytes from the first to the last element of a side. */
static size_t side_reach(const mfft_fft_spec *s, int output) {
  int real = s->type == MFFT_FFT_R2C ? !output : s->type == MFFT_FFT_C2R ? output : 0;
  int64_t last = 0;
  for (int a = 0; a < s->naxes; a++) last += (mfft_fft_length(s, a, output) - 1) * (output ? s->axis[a].os : s->axis[a].is);
  for (int l = 0; l < s->nloops; l++) last += (s->loop[l].n - 1) * (output ? s->loop[l].os : s->loop[l].is);
  return (size_t)(last + 1) * mfft_real_bytes(s->precision) * (real ? 1 : 2);
}

typedef struct bench {
  const mfft_cuda_driver *driver;
  CUdeviceptr in, out, work;
  CUstream stream;
  CUevent from, till;
} bench;

static mfft_status run(const bench *b, const mfft_fft *fft, int count) {
  for (int i = 0; i < count; i++)
    MFFT_TRY(mfft_cuda_fft_execute(fft, (void *)b->in, (void *)b->out, (void *)b->work, b->stream));
  return MFFT_SUCCESS;
}

static mfft_status sample(const bench *b, const mfft_fft *fft, int count, double *each_ms) {
  float ms = 0;
  MFFT_CUDA_TRY(b->driver, "recording an event", b->driver->event_record(b->from, b->stream));
  MFFT_TRY(run(b, fft, count));
  MFFT_CUDA_TRY(b->driver, "recording an event", b->driver->event_record(b->till, b->stream));
  MFFT_CUDA_TRY(b->driver, "timing a transform", b->driver->event_synchronize(b->till));
  MFFT_CUDA_TRY(b->driver, "timing a transform", b->driver->event_elapsed(&ms, b->from, b->till));
  *each_ms = (double)ms / count;
  return MFFT_SUCCESS;
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median time of several runs.  A candidate that is several times slower than the best so far runs only once. */
static mfft_status median(const bench *b, const mfft_fft *fft, double least, double *ms) {
  double times[SAMPLES];
  MFFT_TRY(sample(b, fft, WARMUPS, &times[0]));
  MFFT_TRY(sample(b, fft, 1, &times[0]));
  *ms = times[0];
  if (mfft_trial_is_too_slow(*ms, least)) return MFFT_SUCCESS;
  int count = times[0] < sample_ms ? (int)(sample_ms / (times[0] + 1e-3)) + 1 : 1;
  for (int i = 0; i < SAMPLES; i++) MFFT_TRY(sample(b, fft, count, &times[i]));
  qsort(times, SAMPLES, sizeof *times, by_value);
  *ms = times[SAMPLES / 2];
  return MFFT_SUCCESS;
}

static void close_bench(bench *b, const mfft_fft_spec *spec) {
  if (b->till) b->driver->event_destroy(b->till);
  if (b->from) b->driver->event_destroy(b->from);
  if (b->stream) b->driver->stream_destroy(b->stream);
  if (b->work) b->driver->memory_free(b->work);
  if (b->out && !spec->in_place) b->driver->memory_free(b->out);
  if (b->in) b->driver->memory_free(b->in);
}

/* Allocates and fills the arrays of a timing.  They are filled with an ordinary number, since kernels treat lines of zeros
 * and of tiny numbers separately. */
static mfft_status open_bench(bench *b, const mfft_fft_spec *spec, size_t work_bytes) {
  size_t in = side_reach(spec, 0), out = side_reach(spec, 1);
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  b->driver = current.driver;
  if (spec->in_place && out > in) in = out;
  MFFT_CUDA_TRY(b->driver, "memory to measure with", b->driver->memory_alloc(&b->in, in));
  b->out = b->in;
  if (!spec->in_place) {
    b->out = 0;
    MFFT_CUDA_TRY(b->driver, "memory to measure with", b->driver->memory_alloc(&b->out, out));
    MFFT_CUDA_TRY(b->driver, "setting memory", b->driver->memory_set(b->out, 0x3c, out));
  }
  if (work_bytes) MFFT_CUDA_TRY(b->driver, "memory to measure with", b->driver->memory_alloc(&b->work, work_bytes));
  MFFT_CUDA_TRY(b->driver, "setting memory", b->driver->memory_set(b->in, 0x3c, in));
  MFFT_CUDA_TRY(b->driver, "a stream", b->driver->stream_create(&b->stream, CU_STREAM_NON_BLOCKING));
  MFFT_CUDA_TRY(b->driver, "an event", b->driver->event_create(&b->from, 0));
  MFFT_CUDA_TRY(b->driver, "an event", b->driver->event_create(&b->till, 0));
  return MFFT_SUCCESS;
}

/* ---- Algorithms ------------------------------------------------------------------------------------------------------ */

enum { WIDE = 1 << MFFT_DOUBLE | 1 << MFFT_SINGLE, NARROW = 1 << MFFT_HALF | 1 << MFFT_BFLOAT16, ALL = WIDE | NARROW };

/* OFTEN: tried for a single transform with any timing effort, and for all transforms of a whole plan with patient effort.
 * SELDOM: tried for a single transform with patient effort only; a whole plan then tries "timed-patient", which finds it. */
#define OFTEN  .alone = MFFT_MEASURE, .whole = MFFT_PATIENT, .effort = MFFT_ESTIMATE
#define SELDOM .alone = MFFT_PATIENT, .alone_only = 1, .effort = MFFT_ESTIMATE
const mfft_algorithm mfft_cuda_algorithms[] = {
    {"rule", ALL, .alone = MFFT_ESTIMATE, .whole = MFFT_MEASURE, .effort = MFFT_ESTIMATE},
    {"timed", ALL, .whole = MFFT_MEASURE, .effort = MFFT_MEASURE}, /* each transform is timed by itself */
    {"timed-patient", ALL, .whole = MFFT_PATIENT, .effort = MFFT_PATIENT},
    {"blocks", WIDE, OFTEN, .cluster = -1},
    {"cluster-8x16", WIDE, OFTEN, .cluster = 8, .cluster_values = 16},
    {"cluster-1x16", WIDE, SELDOM, .cluster = 1, .cluster_values = 16},
    {"cluster-2x16", WIDE, SELDOM, .cluster = 2, .cluster_values = 16},
    {"cluster-4x16", WIDE, SELDOM, .cluster = 4, .cluster_values = 16},
    {"cluster-8x32", WIDE, SELDOM, .cluster = 8, .cluster_values = 32},
    {"cluster-16x16", WIDE, SELDOM, .cluster = 16, .cluster_values = 16},
    {"columns-4", WIDE, SELDOM, .columns = 4},
    {"columns-8", WIDE, SELDOM, .columns = 8},
    {"columns-16", WIDE, SELDOM, .columns = 16},
    {"tensor", ALL, SELDOM, .compute = MFFT_COMPUTE_TENSOR},
    {"no-tiles", NARROW, SELDOM, .tile_bytes = -1},
    {"tiles-64", NARROW, SELDOM, .tile_bytes = 1 << 16},
    {"tiles-128", NARROW, SELDOM, .tile_bytes = 1 << 17},
    {"tiles-32-double-buffered", NARROW, SELDOM, .tile_bytes = 1 << 15, .tile_double_buffered = 1},
    {"tiles-64-double-buffered", NARROW, SELDOM, .tile_bytes = 1 << 16, .tile_double_buffered = 1},
    {"tiles-128-double-buffered", NARROW, SELDOM, .tile_bytes = 1 << 17, .tile_double_buffered = 1},
    {"butterfly", NARROW, SELDOM, .compute = MFFT_COMPUTE_BUTTERFLY},
    {"threads-128-prefetch", ALL, SELDOM, .block = {.threads = 128, .prefetch = 2}},
    {"threads-256", ALL, SELDOM, .block = {.threads = 256, .prefetch = 1}},
    {"threads-256-prefetch", ALL, SELDOM, .block = {.threads = 256, .prefetch = 2}},
    {"threads-512-prefetch", ALL, SELDOM, .block = {.threads = 512, .prefetch = 2}},
    {"second-chain-256-prefetch", ALL, SELDOM, .block = {.rank = 2, .threads = 256, .prefetch = 2}},
    {"third-chain-256-prefetch", ALL, SELDOM, .block = {.rank = 3, .threads = 256, .prefetch = 2}},
    {"segments-64", WIDE, SELDOM, .block = {.segment = 64}},
    {"segments-32", WIDE, SELDOM, .block = {.segment = 32}},
    {.name = NULL}};

enum { MOST_CANDIDATES = sizeof mfft_cuda_algorithms / sizeof *mfft_cuda_algorithms, TEXT_BYTES = 512 };
enum { CARD_BYTES = 64, DIMS = 3 + MFFT_MAX_LOOPS };
enum { KEY_BYTES = 384 + CARD_BYTES + DIMS * 64 }; /* a dimension is three numbers of at most 19 digits, and signs */

typedef struct candidate {
  const mfft_algorithm *algorithm;
  char passes[TEXT_BYTES];
} candidate;

static mfft_fft_spec spec_with(const mfft_fft_spec *spec, const mfft_algorithm *algorithm) {
  mfft_fft_spec s = *spec;
  mfft_algorithm_apply(algorithm, &s);
  return s;
}

/* Whether the transform by the rule is one pass of thread blocks.  No other algorithm was ever faster, so that others are
 * tried with patient effort only. */
static int is_simple(const mfft_phases *p) {
  const mfft_pass *first = &p->phase[0].schedule.pass[0];
  const mfft_engine_id engine = first->kernel.engine;
  return p->count == 1 && p->phase[0].schedule.count == 1 && engine != MFFT_ENGINE_CLUSTER;
}

/* Writes the text by which two algorithms are compared: that of their phases, and the distances of prefetching, which that
 * text does not contain. */
static void describe(const mfft_phases *phases, char text[TEXT_BYTES]) {
  mfft_phases_print(phases, text, TEXT_BYTES);
  for (int i = 0; i < phases->count; i++)
    for (int k = 0; k < phases->phase[i].schedule.count; k++) {
      const size_t used = strlen(text);
      snprintf(text + used, TEXT_BYTES - used, " %d", phases->phase[i].schedule.pass[k].kernel.hints.prefetch);
    }
}

/* Lists the algorithms that give distinct passes, that of the rule first.  Only plans are compared, so that no kernel is
 * compiled for an algorithm that is not timed. */
static mfft_status list_candidates(const mfft_fft_spec *spec, const mfft_device_limits *limits,
                                   candidate list[MOST_CANDIDATES], int *count) {
  mfft_phases *phases = malloc(sizeof *phases);
  if (!phases) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory to compare schedules");
  *count = 0;
  for (const mfft_algorithm *algorithm = mfft_cuda_algorithms; algorithm->name; algorithm++) {
    const mfft_fft_spec s = spec_with(spec, algorithm);
    candidate *r = &list[*count];
    if (algorithm->effort != MFFT_ESTIMATE || !mfft_algorithm_suits(algorithm, spec->precision, spec->compute) ||
        !mfft_effort_reaches(spec->effort, algorithm->alone) || mfft_phases_make(&s, limits, phases) != MFFT_SUCCESS)
      continue;
    r->algorithm = algorithm;
    describe(phases, r->passes);
    int known = 0;
    for (int i = 0; i < *count; i++) known |= !strcmp(list[i].passes, r->passes);
    *count += !known;
    if (spec->effort == MFFT_MEASURE && is_simple(phases) && *count == 1) break;
  }
  free(phases);
  return MFFT_SUCCESS;
}

/* ---- Wisdom ---------------------------------------------------------------------------------------------------------- */

static const char *const effort_name[] = {
    [MFFT_MEASURE] = "measure", [MFFT_ESTIMATE] = "estimate", [MFFT_PATIENT] = "patient"};

/* Writes the key of wisdom, which contains everything on which a choice depends. */
static mfft_status make_key(const mfft_fft_spec *s, int arch, char key[KEY_BYTES]) {
  char card[CARD_BYTES] = "";
  MFFT_TRY(mfft_device_cuda.model(card, sizeof card));
  int used =
      snprintf(key, KEY_BYTES,
               "cuda,v%d,%s,sm=%d,type=%d,direction=%d,precision=%d,place=%d%d,filtered=%d,scrambled=%" PRId64, MFFT_VERSION,
               card, arch, s->type, s->direction, s->precision, s->in_place, s->destroy_input, s->filtered, s->scrambled);
  if (s->scatter.count) used += snprintf(key + used, KEY_BYTES - (size_t)used, ",shares=%d", s->scatter.count);
  if (s->convolved) used += snprintf(key + used, KEY_BYTES - (size_t)used, ",convolved=%d", s->convolved);
  if (s->trigonometric) used += snprintf(key + used, KEY_BYTES - (size_t)used, ",trigonometric=%d", s->trigonometric);
  for (int a = 0; a < s->naxes; a++)
    if (s->given[a]) used += snprintf(key + used, KEY_BYTES - (size_t)used, ",given%d=%" PRId64, a, s->given[a]);
  if (s->wire) used += snprintf(key + used, KEY_BYTES - (size_t)used, ",wire=%d", s->wire);
  for (int i = 0; i < s->naxes + s->nloops; i++) {
    const mfft_dim *d = i < s->naxes ? &s->axis[i] : &s->loop[i - s->naxes];
    used += snprintf(key + used, KEY_BYTES - (size_t)used, ",%s%" PRId64 ":%" PRId64 ":%" PRId64, i < s->naxes ? "n" : "x",
                     d->n, d->is, d->os);
  }
  mfft_wisdom_word(key);
  return MFFT_SUCCESS;
}

/* The algorithm that wisdom has for a key, if it was timed with at least the effort of the spec; NULL: none. */
static const mfft_algorithm *recall(const char *key, const mfft_fft_spec *spec) {
  char value[64], name[32], effort[16];
  if (!mfft_wisdom_get(key, value, sizeof value) || sscanf(value, "%31s %15s", name, effort) != 2) return NULL;
  const mfft_algorithm *algorithm = mfft_algorithm_find(mfft_cuda_algorithms, name);
  const mfft_effort spent = strcmp(effort, effort_name[MFFT_PATIENT]) ? MFFT_MEASURE : MFFT_PATIENT;
  const int usable =
      algorithm && algorithm->effort == MFFT_ESTIMATE && mfft_algorithm_suits(algorithm, spec->precision, spec->compute);
  return usable && mfft_effort_reaches(spent, spec->effort) ? algorithm : NULL;
}

/* ---- Choosing -------------------------------------------------------------------------------------------------------- */

/* Times a plan with a workspace of its own. */
static mfft_status time_one(bench *b, const mfft_fft *fft, double least, double *ms) {
  if (b->work) b->driver->memory_free(b->work), b->work = 0;
  if (fft->work_bytes)
    MFFT_CUDA_TRY(b->driver, "memory to measure with", b->driver->memory_alloc(&b->work, fft->work_bytes));
  return median(b, fft, least, ms);
}

/* Times the plan by the rule, *fft, which took `longest` seconds to make, and its candidates; *fft becomes the fastest.
 * Fails if the plan by the rule cannot be timed.  A candidate is tried only if the remaining time is at least the longest
 * that a plan has taken so far: most of that is compilation, which differs between candidates by seconds. */
static mfft_status time_candidates(const mfft_fft_spec *spec, const candidate *list, int count, double longest,
                                   mfft_trials *trials, mfft_fft **fft) {
  mfft_status status = MFFT_SUCCESS;
  bench b = {0};
  double least = 0, begin = mfft_now();
  const mfft_algorithm *best = list[0].algorithm;
  trials->limit = spec->deadline ? spec->deadline - begin : INFINITY;
  trials->complete = 1;
  MFFT_GOTO(done, open_bench(&b, spec, 0));
  for (int i = 0; i < count && trials->complete; i++) {
    const mfft_fft_spec other = spec_with(spec, list[i].algorithm);
    mfft_fft *plan = NULL;
    double ms = 0;
    const double now = mfft_now();
    if (i > 0 && now - begin + longest > trials->limit) {
      trials->complete = 0;
      break;
    }
    status = i ? mfft_cuda_fft_create(&other, &plan) : MFFT_SUCCESS;
    if (status == MFFT_SUCCESS) status = time_one(&b, i ? plan : *fft, least, &ms);
    const int ran = status == MFFT_SUCCESS; /* a candidate that cannot be made or run is no error */
    char why_not[MFFT_ERROR_TEXT_BYTES];
    if (!ran) snprintf(why_not, sizeof why_not, "%s", mfft_last_error());
    if (i == 0 && !ran) goto done;
    status = mfft_trials_add(trials, i ? "local" : "rule", list[i].algorithm->name, 1e-3 * ms, ran ? NULL : why_not);
    if (ran && (i == 0 || mfft_trial_faster(ms, least))) {
      least = ms;
      best = list[i].algorithm;
      if (i) {
        mfft_fft *slower = *fft;
        *fft = plan, plan = slower;
      }
    }
    mfft_cuda_fft_destroy(plan);
    if (status != MFFT_SUCCESS) goto done;
    longest = fmax(longest, mfft_now() - now);
  }
  mfft_trials_choose(trials, best->name, 1e-3 * least);
done:
  trials->spent = mfft_now() - begin;
  if (b.driver) close_bench(&b, spec);
  return status;
}

/* Times *fft, which took made_s seconds to make, and its candidates, if there are any; *fft becomes the fastest and gets the
 * record of the trials. */
static mfft_status measure(const mfft_fft_spec *spec, const mfft_device_limits *limits, const char *key, double made_s,
                           mfft_fft **fft) {
  char value[MFFT_CANDIDATE_BYTES + 32];
  candidate *list = malloc(MOST_CANDIDATES * sizeof *list);
  mfft_trials *trials = calloc(1, sizeof *trials);
  int count = 0;
  mfft_status status = list && trials ? list_candidates(spec, limits, list, &count)
                                      : mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory to compare algorithms");
  if (status == MFFT_SUCCESS && count > 1 && time_candidates(spec, list, count, made_s, trials, fft) == MFFT_SUCCESS) {
    (*fft)->chosen = MFFT_CHOSEN_BY_TIMING;
    (*fft)->trials = trials;
    snprintf(value, sizeof value, "%s %s", trials->candidate, effort_name[spec->effort]);
    if (trials->complete)
      status = mfft_wisdom_put(key, value); /* if time ran out, a later plan finds these kernels compiled and tries more */
    trials = NULL;
  } /* otherwise there is one algorithm, or no memory for timing, and the rule decides */
  mfft_trials_free(trials);
  free(list);
  return status;
}

static int is_named(const mfft_fft_spec *spec) {
  static const mfft_block_trial none;
  int named = spec->compute != MFFT_COMPUTE_AUTO || spec->cluster || spec->columns || spec->tile_bytes || spec->part_bytes ||
              memcmp(&spec->block, &none, sizeof none) != 0;
  for (int i = 0; i < spec->naxes; i++) named |= spec->radices[i] != NULL;
  return named;
}

int mfft_cuda_fft_known(mfft_fft_spec *spec, int arch) {
  char key[KEY_BYTES];
  const mfft_algorithm *known = !is_named(spec) && make_key(spec, arch, key) == MFFT_SUCCESS ? recall(key, spec) : NULL;
  mfft_algorithm_apply(known, spec);
  return known != NULL;
}

mfft_status mfft_cuda_fft_choose(const mfft_fft_spec *spec, mfft_fft **out) {
  mfft_status status = MFFT_SUCCESS;
  if (is_named(spec)) return mfft_cuda_fft_create(spec, out);
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  char key[KEY_BYTES];
  mfft_fft *fft = NULL;
  MFFT_TRY(make_key(spec, current.limits->arch, key));
  const mfft_algorithm *known = recall(key, spec);
  mfft_fft_spec chosen = *spec;
  mfft_algorithm_apply(known, &chosen);
  const double begin = mfft_now();
  MFFT_TRY(mfft_cuda_fft_create(&chosen, &fft));
  const double made_s = mfft_now() - begin;
  if (known) fft->chosen = MFFT_CHOSEN_FROM_WISDOM;
  const int late = spec->deadline && mfft_now() >= spec->deadline;
  const int whole =
      !spec->filtered && !spec->convolved && !spec->scatter.count && !spec->wire; /* filters and shares are not there yet */
  if (!known && spec->effort != MFFT_ESTIMATE && whole && !late) status = measure(spec, current.limits, key, made_s, &fft);
  if (status == MFFT_SUCCESS)
    *out = fft;
  else
    mfft_cuda_fft_destroy(fft);
  return status;
}
