/* sums.c: exact sums over an array (mfft_sums in mfft_array.h).  Each thread has a sum of its own.  These may be added up in
 * any order, since they are exact. */
#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/workers.h"
#include "local/host/host.h"

enum { RUN = 512, TASK_RUNS = 128 };

/* The results of one thread. */
typedef struct share {
  mfft_exact_sum sum;
  double min, max;
  int64_t nonfinite, first; /* count, and index of the first in the order of the loops; INT64_MAX: none */
} share;

typedef struct summing {
  const mfft_reals_sums *what;
  mfft_real_loops loops;
  int64_t runs, all; /* runs in a row; runs in all rows */
  const void *from;
  mfft_precision precision;
  share *share; /* [thread] */
} summing;

/* Finds the minimum and maximum of the finite numbers, and counts the others, of which there are usually none. */
static void look(share *s, int64_t count, const double *number, int64_t first) {
  double min[4] = {INFINITY, INFINITY, INFINITY, INFINITY}, max[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  double nothing[4] = {0, 0, 0, 0}; /* sums of x - x, which is 0 for finite x and NaN for others */
  for (int64_t i = 0; i + 4 <= count; i += 4)
    for (int l = 0; l < 4; l++) {
      const double x = number[i + l];
      min[l] = x < min[l] ? x : min[l];
      max[l] = x > max[l] ? x : max[l];
      nothing[l] += x - x;
    }
  const int all_finite = nothing[0] + nothing[1] + nothing[2] + nothing[3] == 0;
  for (int l = 0; l < 4 && all_finite; l++) {
    s->min = fmin(s->min, min[l]);
    s->max = fmax(s->max, max[l]);
  }
  for (int64_t i = all_finite ? count - count % 4 : 0; i < count; i++) {
    if (isfinite(number[i])) {
      s->min = fmin(s->min, number[i]);
      s->max = fmax(s->max, number[i]);
      continue;
    }
    s->nonfinite++;
    if (first + i < s->first) s->first = first + i;
  }
}

/* Adds up the numbers of a run.  first: index of its first number in the order of the loops. */
static void add_run(const summing *s, share *mine, int64_t first, int64_t at, int64_t stride, int64_t count) {
  const mfft_reals_sums *w = s->what;
  double number[RUN]; /* [number of a run] */
  mfft_reals_load(s->precision, s->from, at, stride, count, number);
  look(mine, count, number, first);
  if (w->squares)
    for (int64_t j = 0; j < count; j++) {
      const double rest = (number[j] - w->centre) - w->centre_rest;
      number[j] = rest * rest;
    }
  mfft_exact_add(&mine->sum, number, count);
}

/* add_run in long double.  A term is split into a few doubles: the nearest to it, the nearest to the rest, and so on.  These
 * are added up exactly. */
static void add_run_long(const summing *s, share *mine, int64_t first, int64_t at, int64_t stride, int64_t count) {
  enum { PARTS = (LDBL_MANT_DIG + DBL_MANT_DIG - 1) / DBL_MANT_DIG };
  const mfft_reals_sums *w = s->what;
  const long double *from = (const long double *)s->from + at;
  long double term[RUN]; /* [RUN] the rests of the terms */
  double part[RUN];
  mfft_reals_load(s->precision, s->from, at, stride, count, part);
  look(mine, count, part, first);
  for (int64_t j = 0; j < count; j++) {
    const long double rest = (from[j * stride] - w->centre) - w->centre_rest;
    term[j] = w->squares ? rest * rest : from[j * stride];
  }
  for (int p = 0; p < PARTS; p++) {
    for (int64_t j = 0; j < count; j++) {
      part[j] = (double)term[j];
      term[j] = isfinite(part[j]) ? term[j] - part[j] : 0;
    }
    mfft_exact_add(&mine->sum, part, count);
  }
}

static mfft_status sum_task(void *context, int64_t task, int worker) {
  const summing *s = context;
  const int last = MFFT_REAL_LOOPS - 1;
  const int64_t length = s->loops.n[last], stride = s->loops.stride[last];
  share *mine = &s->share[worker];
  for (int64_t i = task * TASK_RUNS; i < (task + 1) * TASK_RUNS && i < s->all; i++) {
    const int64_t row = i / s->runs, from = i % s->runs * RUN, count = length - from < RUN ? length - from : RUN;
    const int64_t first = row * length + from;
    const int64_t at = mfft_real_loops_offset(&s->loops, first);
    (s->precision == MFFT_LONG_DOUBLE ? add_run_long : add_run)(s, mine, first, at, stride, count);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_host_sums(mfft_precision precision, const mfft_reals_sums *what, const void *in, void *stream) {
  (void)stream;
  mfft_sums *found = what->found;
  mfft_workers workers = mfft_workers_create(what->threads);
  const int threads = mfft_workers_count(workers);
  summing s = {.what = what, .loops = mfft_reals_loops(&what->reals), .from = in, .precision = precision};
  s.share = calloc((size_t)threads, sizeof *s.share);
  mfft_status status = MFFT_SUCCESS;
  if (!s.share) {
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for the sums of %d threads", threads);
    goto done;
  }
  for (int i = 0; i < threads; i++) s.share[i] = (share){.min = INFINITY, .max = -INFINITY, .first = INT64_MAX};
  const int64_t count = mfft_reals_count(&what->reals), length = s.loops.n[MFFT_REAL_LOOPS - 1];
  s.runs = (length + RUN - 1) / RUN;
  s.all = count ? count / length * s.runs : 0;
  MFFT_GOTO(done, mfft_workers_run(workers, (s.all + TASK_RUNS - 1) / TASK_RUNS, sum_task, &s));
  int64_t first = INT64_MAX;
  for (int i = 0; i < threads; i++) {
    mfft_exact_merge(&found->sum, &s.share[i].sum);
    found->min = fmin(found->min, s.share[i].min);
    found->max = fmax(found->max, s.share[i].max);
    found->nonfinite += s.share[i].nonfinite;
    first = s.share[i].first < first ? s.share[i].first : first;
  }
  if (found->nonfinite) found->first[0] = mfft_real_loops_offset(&s.loops, first);
done:
  free(s.share);
  mfft_workers_destroy(workers);
  return status;
}
