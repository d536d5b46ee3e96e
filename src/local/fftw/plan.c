/* plan.c: FFTW's planner, under one lock. */
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
static int ready; /* threads are initialised, which FFTW requires before planning and wisdom */

/* Timing a plan overwrites arrays as large as the problem.  For more bytes than this the plan is estimated. */
static const size_t measured_bytes_max = (size_t)1 << 30;

/* Locks the planner after checking for `bytes` of memory, and, before the first use, for the solver lists of both
 * precisions. */
static mfft_status enter(size_t bytes, const char *doing) {
  enum { LISTS_BYTES = 4 << 20 };
  pthread_mutex_lock(&lock);
  const mfft_status status = mfft_fftw_check_memory(bytes + (ready ? 0 : LISTS_BYTES), doing);
  if (status != MFFT_SUCCESS) {
    pthread_mutex_unlock(&lock);
    return status;
  }
  if (ready) return MFFT_SUCCESS;
  mfft_fftw_double.threads_init();
  mfft_fftw_single.threads_init();
  ready = 1;
  return MFFT_SUCCESS;
}

static void leave(void) { pthread_mutex_unlock(&lock); }

static unsigned flags_of(const mfft_fftw_problem *p, mfft_effort effort) {
  static const unsigned flag[] = {
      [MFFT_MEASURE] = FFTW_MEASURE, [MFFT_ESTIMATE] = FFTW_ESTIMATE, [MFFT_PATIENT] = FFTW_PATIENT};
  unsigned keep = p->in_place ? 0 : p->destroy_input ? FFTW_DESTROY_INPUT : FFTW_PRESERVE_INPUT;
  return flag[effort] | keep;
}

/* The dimension of stride 1 on a side; NULL: there is none. */
static const mfft_dim *unit_dim(const mfft_fftw_problem *p, int output) {
  for (int i = 0; i < p->naxes + p->nloops; i++) {
    const mfft_dim *dim = i < p->naxes ? &p->axis[i] : &p->loop[i - p->naxes];
    if (dim->n > 1 && (output ? dim->os : dim->is) == 1) return dim;
  }
  return NULL;
}

/* Whether FFTW 3.3.10 may crash.  It uses codelets for a transposition in single precision (n2fv, n2bv with AVX) that
 * store two complex numbers by one aligned instruction, whatever the stride of their output lines; an odd stride causes a
 * segmentation fault.  Plans for unaligned arrays do not use these codelets.  `beside` is the contiguous dimension of the
 * input, `along` that of the output. */
static int stores_misaligned(const mfft_fftw_api *api, const mfft_fftw_problem *p) {
  const mfft_dim *beside = unit_dim(p, 0), *along = unit_dim(p, 1);
  return api->real_bytes == sizeof(float) && p->type == MFFT_FFT_C2C && beside && along && beside != along && beside->os % 2;
}

/* Seconds until a deadline for FFTW's time limit, at which 0 means estimating. */
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

  /* Estimating reads and writes nothing, so untouched pages of these arrays cost no memory. */
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
  pthread_mutex_lock(&lock); /* without checking memory: destroying needs none */
  plan->api->destroy(plan->aligned);
  plan->api->destroy(plan->unaligned);
  leave();
  memset(plan, 0, sizeof *plan);
}

/* The wisdom is FFTW's own text for double followed by that for single.  Each begins with "(fftw-" and the version. */
static const char head[] = "(fftw-";

enum { WISDOM_BYTES = 1 << 20 }; /* what FFTW may allocate, in addition to several times the text */

char *mfft_fftw_wisdom_get(void) {
  if (enter(WISDOM_BYTES, "writing wisdom") != MFFT_SUCCESS) return NULL;
  char *a = mfft_fftw_double.wisdom_get(), *b = mfft_fftw_single.wisdom_get();
  leave();
  char *text = a && b ? malloc(strlen(a) + strlen(b) + 1) : NULL;
  if (text) strcat(strcpy(text, a), b);
  free(a);
  free(b);
  return text;
}

/* Whether the entries have the form that FFTW writes, "(SOLVER NUMBER #xFLAGS #xFLAGS #xLIMIT ...".  FFTW checks the
 * rest, but aborts the process if a number exceeds its bit field. */
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

mfft_status mfft_fftw_wisdom_set(const char *text) {
  const char *a = strstr(text, head), *b = a ? strstr(a + 1, head) : NULL;
  if (!b) return mfft_fail(MFFT_ERR_CORRUPT, "wisdom of FFTW does not have its two parts; plan anew and export it again");
  if (!sound(a)) return damaged();
  size_t length = (size_t)(b - a);
  char *first = malloc(length + 1);
  if (!first) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %zu bytes of wisdom", length);
  memcpy(first, a, length);
  first[length] = '\0';

  const mfft_status status = enter(WISDOM_BYTES + 4 * strlen(text), "reading wisdom");
  if (status != MFFT_SUCCESS) {
    free(first);
    return status;
  }
  char *before =
      mfft_fftw_double.wisdom_get(); /* FFTW imports each part as a whole or not at all; restored if the second part fails */
  int taken = before && mfft_fftw_double.wisdom_set(first);
  if (taken && !mfft_fftw_single.wisdom_set(b)) {
    mfft_fftw_double.wisdom_forget();
    mfft_fftw_double.wisdom_set(before);
    taken = 0;
  }
  leave();
  free(before);
  free(first);
  return taken ? MFFT_SUCCESS : damaged();
}
