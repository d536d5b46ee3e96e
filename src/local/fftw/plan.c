/* plan.c: all calls of FFTW's planner, under one lock. */
#include "local/fftw/plan.h"

#include <fftw3.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "local/fftw/memory.h"
#include "local/fftw/problem.h"
#include "local/host/host.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int ready; /* 1: threads are initialised, which FFTW requires before planning and wisdom */

/* Timing a plan needs arrays as large as the problem.  If these have more bytes than this, FFTW estimates the plan. */
static const size_t measured_bytes_max = (size_t)1 << 30;

#ifdef MFFT_HAVE_FFTW_LONG_DOUBLE
#define LONG_DOUBLE &mfft_fftw_long_double
#else
#define LONG_DOUBLE NULL
#endif
const mfft_fftw_api *const mfft_fftw_api_of[] = {[MFFT_DOUBLE] = &mfft_fftw_double,
                                                 [MFFT_SINGLE] = &mfft_fftw_single,
                                                 [MFFT_HALF] = &mfft_fftw_single,
                                                 [MFFT_BFLOAT16] = &mfft_fftw_single,
                                                 [MFFT_LONG_DOUBLE] = LONG_DOUBLE};

/* The APIs of this build in the order of their parts in the text of wisdom. */
static const mfft_fftw_api *const apis[] = {&mfft_fftw_double, &mfft_fftw_single, LONG_DOUBLE};
enum { PARTS = sizeof apis / sizeof *apis };

/* Locks the planner.  Before that, checks that the system has `bytes` of memory and, at the first call, memory for the
 * solver lists of all precisions. */
static mfft_status enter(size_t bytes, const char *doing) {
  enum { LISTS_BYTES = PARTS * (2 << 20) };
  pthread_mutex_lock(&lock);
  const mfft_status status = mfft_fftw_check_memory(bytes + (ready ? 0 : LISTS_BYTES), doing);
  if (status != MFFT_SUCCESS) {
    pthread_mutex_unlock(&lock);
    return status;
  }
  if (ready) return MFFT_SUCCESS;
  for (int i = 0; i < PARTS; i++)
    if (apis[i]) apis[i]->threads_init();
  ready = 1;
  return MFFT_SUCCESS;
}

static void leave(void) { pthread_mutex_unlock(&lock); }

static unsigned flags_of(const mfft_fftw_problem *p, mfft_effort effort) {
  static const unsigned flag[] = {
      [MFFT_MEASURE] = FFTW_MEASURE, [MFFT_ESTIMATE] = FFTW_ESTIMATE, [MFFT_PATIENT] = FFTW_PATIENT};
  const unsigned input = p->in_place ? 0 : p->destroy_input ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT;
  return flag[effort] | input;
}

/* The dimension of stride 1 on a side; NULL: there is none. */
static const mfft_dim *unit_dim(const mfft_fftw_problem *p, int output) {
  for (int i = 0; i < p->naxes + p->nloops; i++) {
    const mfft_dim *dim = i < p->naxes ? &p->axis[i] : &p->loop[i - p->naxes];
    if (dim->n > 1 && (output ? dim->os : dim->is) == 1) return dim;
  }
  return NULL;
}

/* Whether FFTW 3.3.10 may crash on a problem.  For transpositions in single precision it uses codelets (n2fv, n2bv with AVX)
 * that store two complex numbers by one aligned instruction without checking the stride of their output lines, and an odd
 * stride causes a segmentation fault.  Plans for unaligned arrays do not use these codelets.  `beside` is the contiguous
 * dimension of the input, `along` that of the output. */
static int stores_misaligned(const mfft_fftw_api *api, const mfft_fftw_problem *p) {
  const mfft_dim *beside = unit_dim(p, 0), *along = unit_dim(p, 1);
  return api->real_bytes == sizeof(float) && p->type == MFFT_FFT_C2C && beside && along && beside != along && beside->os % 2;
}

/* Seconds until a deadline, as FFTW's time limit: with 0 it estimates, below 0 there is no limit. */
static double left_until(double deadline) {
  const double left = deadline - mfft_now();
  return deadline == 0 ? -1 : left > 0 ? left : 0;
}

mfft_status mfft_fftw_plan_make(const mfft_fftw_api *api, const mfft_fftw_problem *problem, const mfft_fftw_care *care,
                                mfft_fftw_plan *plan) {
  mfft_effort effort = care->effort;
  mfft_status status = MFFT_SUCCESS;
  mfft_fftw_plan made = {
      .api = api, .type = problem->type, .running_bytes = mfft_fftw_running_bytes(api, problem, care->threads)};
  void *in = NULL, *out = NULL;
  size_t in_bytes = mfft_fftw_problem_span(api, problem, 0), out_bytes = mfft_fftw_problem_span(api, problem, 1);
  size_t touched = mfft_fftw_problem_bytes(api, problem, 0) + mfft_fftw_problem_bytes(api, problem, 1);
  if (touched > measured_bytes_max) effort = MFFT_ESTIMATE;
  if (problem->in_place && out_bytes > in_bytes) in_bytes = out_bytes;

  /* FFTW does not access the arrays when it estimates; their untouched pages then take no memory. */
  MFFT_GOTO(done, mfft_host_alloc(in_bytes, &in));
  if (problem->in_place)
    out = in;
  else
    MFFT_GOTO(done, mfft_host_alloc(out_bytes, &out));

  if (care->threads > 1) MFFT_GOTO(done, mfft_fftw_check_threads(care->threads));
  MFFT_GOTO(done, enter(mfft_fftw_planning_bytes(api, problem, effort, care->threads), "planning"));
  int before = api->threads_set(care->threads);
  unsigned flags = flags_of(problem, effort), loose = care->both_measured ? flags : flags_of(problem, MFFT_ESTIMATE);
  if (stores_misaligned(api, problem)) flags |= FFTW_UNALIGNED;
  api->time_limit(left_until(care->deadline));
  made.aligned = api->plan(problem, flags, in, out);
  if (made.aligned) made.unaligned = api->plan(problem, loose | FFTW_UNALIGNED, in, out);
  api->time_limit(-1);
  api->threads_set(before);
  leave();
  if (!made.aligned || !made.unaligned) {
    mfft_fftw_plan_free(&made);
    status = mfft_fail(MFFT_ERR_BACKEND, "FFTW has no plan for a %s transform of %d axes and %d loops; try backend \"ref\"",
                       problem->in_place ? "in-place" : "out-of-place", problem->naxes, problem->nloops);
    goto done;
  }
  *plan = made;

done:
  if (out != in) mfft_host_free(out);
  mfft_host_free(in);
  return status;
}

void mfft_fftw_plan_free(mfft_fftw_plan *plan) {
  if (!plan->api) return;
  pthread_mutex_lock(&lock); /* not enter(), since destroying a plan needs no memory */
  plan->api->destroy(plan->aligned);
  plan->api->destroy(plan->unaligned);
  leave();
  memset(plan, 0, sizeof *plan);
}

/* The wisdom is FFTW's own text for double, then that for single, and that for long double where FFTW has it.  Each begins
 * with "(fftw-" and the version. */
static const char head[] = "(fftw-";

enum { WISDOM_BYTES = 1 << 20 }; /* bytes that FFTW may allocate in addition to several times the length of the text */

static void free_parts(char *part[PARTS]) {
  for (int i = 0; i < PARTS; i++) free(part[i]);
}

/* Fills in the wisdom of each API, under the lock.  Returns 0, and nothing to be freed, if memory is exhausted. */
static int get_parts(char *part[PARTS]) {
  int whole = 1;
  for (int i = 0; i < PARTS; i++) {
    part[i] = apis[i] ? apis[i]->wisdom_get() : NULL;
    whole &= part[i] || !apis[i];
  }
  if (!whole) free_parts(part);
  return whole;
}

char *mfft_fftw_wisdom_get(void) {
  char *part[PARTS], *text = NULL;
  if (enter(WISDOM_BYTES, "writing wisdom") != MFFT_SUCCESS) return NULL;
  const int whole = get_parts(part);
  leave();
  if (!whole) return NULL;
  size_t length = 0;
  for (int i = 0; i < PARTS; i++) length += part[i] ? strlen(part[i]) : 0;
  text = malloc(length + 1);
  if (text) *text = '\0';
  for (int i = 0; text && i < PARTS; i++)
    if (part[i]) strcat(text, part[i]);
  free_parts(part);
  return text;
}

/* Whether all entries have the form that FFTW writes, "(SOLVER NUMBER #xFLAGS #xFLAGS #xLIMIT ...", with numbers that fit
 * their bit fields: FFTW aborts the process if one does not fit.  FFTW itself checks everything else. */
static int sound(const char *text) {
  enum { FLAGS = 1 << 20, LIMIT = 1 << 9 };
  for (const char *at = text; (at = strchr(at, '(')); at++) {
    unsigned lower, upper, limit;
    if (strncmp(at, head, sizeof head - 1) == 0) continue;
    if (sscanf(at, "(%*63s %*d #x%x #x%x #x%x", &lower, &upper, &limit) != 3) return 0;
    if (lower >= FLAGS || upper >= FLAGS || limit >= LIMIT) return 0;
  }
  return 1;
}

static mfft_status damaged(void) {
  return mfft_fail(MFFT_ERR_CORRUPT, "wisdom of FFTW is damaged or of another build of FFTW; plan anew and export it");
}

/* Copies the parts of a text.  Text before the first part, and parts of APIs that this build lacks, are ignored. */
static mfft_status copy_parts(const char *text, char *part[PARTS]) {
  const char *at = strstr(text, head);
  for (int i = 0; i < PARTS && at; i++) {
    const char *next = strstr(at + 1, head);
    const size_t length = next ? (size_t)(next - at) : strlen(at);
    part[i] = malloc(length + 1);
    if (!part[i]) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of wisdom", length);
    memcpy(part[i], at, length);
    part[i][length] = '\0';
    at = next;
  }
  return MFFT_SUCCESS;
}

/* FFTW imports each part as a whole or not at all; if one fails, those before it are restored. */
static int import_parts(char *const part[PARTS]) {
  char *before[PARTS];
  int taken = get_parts(before), i = 0;
  if (!taken) return 0;
  for (; taken && i < PARTS; i++)
    if (apis[i] && part[i]) taken = apis[i]->wisdom_set(part[i]);
  for (int j = 0; !taken && j < i; j++)
    if (apis[j] && part[j]) {
      apis[j]->wisdom_forget();
      apis[j]->wisdom_set(before[j]);
    }
  free_parts(before);
  return taken;
}

mfft_status mfft_fftw_wisdom_set(const char *text) {
  char *part[PARTS] = {NULL};
  mfft_status status = copy_parts(text, part);
  if (status == MFFT_SUCCESS && !(part[0] && part[1]))
    status = mfft_fail(MFFT_ERR_CORRUPT, "wisdom of FFTW does not have its parts; plan anew and export it again");
  if (status == MFFT_SUCCESS && !sound(text)) status = damaged();
  if (status == MFFT_SUCCESS) status = enter(WISDOM_BYTES + 4 * strlen(text), "reading wisdom");
  if (status == MFFT_SUCCESS) {
    const int taken = import_parts(part);
    leave();
    status = taken ? MFFT_SUCCESS : damaged();
  }
  free_parts(part);
  return status;
}
