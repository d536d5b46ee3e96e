/* choose.c: which way a patient plan takes: the fastest of those that can do it, timed on arrays of its own.  What is found
 * is wisdom: it is remembered in the process, and kept with the rest by mfft_wisdom_save.
 *
 * Only MFFT_PATIENT measures: a plan of known kernels takes a millisecond, but timing several takes many, and arrays as
 * large as the caller's; and on an H200 the rules are right (docs/performance.md). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wisdom.h"
#include "local/cuda/here.h"
#include "local/cuda/transform.h"

enum { SAMPLES = 7, WARMUPS = 2 };
static const double sample_ms = 0.5, clearly = 0.97; /* what is not clearly faster stays with the rule */

/* Bytes from the first to the last element of a side. */
static size_t side_reach(const mfft_fft_spec *s, int output) {
  int real = s->type == MFFT_FFT_R2C ? !output : s->type == MFFT_FFT_C2R ? output : 0;
  int64_t last = 0;
  for (int a = 0; a < s->naxes; a++) {
    int64_t n = a == s->naxes - 1 && s->type != MFFT_FFT_C2C && !real ? s->axis[a].n / 2 + 1 : s->axis[a].n;
    last += (n - 1) * (output ? s->axis[a].os : s->axis[a].is);
  }
  for (int l = 0; l < s->nloops; l++) last += (s->loop[l].n - 1) * (output ? s->loop[l].os : s->loop[l].is);
  return (size_t)(last + 1) * mfft_cuda_real_bytes(s->precision) * (real ? 1 : 2);
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

static mfft_status median(const bench *b, const mfft_fft *fft, double *ms) {
  double times[SAMPLES];
  MFFT_TRY(sample(b, fft, WARMUPS, &times[0]));
  MFFT_TRY(sample(b, fft, 1, &times[0]));
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

/* Arrays of a plain number: zeros would take the road of tiny lines. */
static mfft_status open_bench(bench *b, const mfft_fft_spec *spec, size_t work_bytes) {
  size_t in = side_reach(spec, 0), out = side_reach(spec, 1);
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  b->driver = here.driver;
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

/* ---- Ways --------------------------------------------------------------------------------------------------------------
 */

typedef struct way {
  mfft_compute compute;
  int cluster, cluster_values; /* as in mfft_fft_spec */
  int64_t relay_bytes;
} way;

enum { MOST_RIVALS = 10, KEY_BYTES = 512, TEXT_BYTES = 512 };

static mfft_fft_spec by_way(const mfft_fft_spec *spec, const way *w) {
  mfft_fft_spec s = *spec;
  s.compute = w->compute;
  s.cluster = w->cluster;
  s.cluster_values = w->cluster_values;
  s.relay_bytes = w->relay_bytes;
  return s;
}

/* What else could do it: the other engine, passes of blocks alone, other clusters, a relay. */
static int rivals_of(const mfft_fft_spec *spec, way rival[MOST_RIVALS]) {
  static const way pairs[] = {{.cluster = -1, .relay_bytes = -1},    {.cluster = 1, .cluster_values = 16},
                              {.cluster = 2, .cluster_values = 16},  {.cluster = 4, .cluster_values = 16},
                              {.cluster = 8, .cluster_values = 16},  {.cluster = 8, .cluster_values = 32},
                              {.cluster = 16, .cluster_values = 16}, {.relay_bytes = 4000000}}; /* [8] */
  int sixteen = spec->precision == MFFT_HALF || spec->precision == MFFT_BFLOAT16, count = 0;
  rival[count++].compute = sixteen ? MFFT_COMPUTE_BUTTERFLY : MFFT_COMPUTE_TENSOR;
  for (int i = 0; !sixteen && spec->type == MFFT_FFT_C2C && i < 8; i++) rival[count++] = pairs[i];
  return count;
}

/* Everything that a choice depends on, without blanks. */
static void make_key(const mfft_fft_spec *s, int arch, char key[KEY_BYTES]) {
  int used =
      snprintf(key, KEY_BYTES, "cuda,sm=%d,type=%d,direction=%d,precision=%d,place=%d%d,filtered=%d,scrambled=%" PRId64,
               arch, s->type, s->direction, s->precision, s->in_place, s->destroy_input, s->filtered, s->scrambled);
  if (s->scatter.count) used += snprintf(key + used, KEY_BYTES - (size_t)used, ",shares=%d", s->scatter.count);
  for (int i = 0; i < s->naxes + s->nloops; i++) {
    const mfft_dim *d = i < s->naxes ? &s->axis[i] : &s->loop[i - s->naxes];
    used += snprintf(key + used, KEY_BYTES - (size_t)used, ",%s%" PRId64 ":%" PRId64 ":%" PRId64, i < s->naxes ? "n" : "x",
                     d->n, d->is, d->os);
  }
}

static int recall(const char *key, way *w) {
  char value[64];
  int compute;
  if (!mfft_wisdom_get(key, value, sizeof value) ||
      sscanf(value, "%d %d %d %" SCNd64, &compute, &w->cluster, &w->cluster_values, &w->relay_bytes) != 4)
    return 0;
  w->compute = (mfft_compute)compute;
  return 1;
}

/* Times the plan by the rule and its rivals; *fft becomes the fastest, *best how it was asked for. */
static mfft_status compete(const mfft_fft_spec *spec, mfft_fft **fft, way *best) {
  mfft_status status = MFFT_SUCCESS;
  way rival[MOST_RIVALS] = {{0}};
  char seen[MOST_RIVALS + 1][TEXT_BYTES]; /* plans that were timed */
  int count = rivals_of(spec, rival), plans = 0;
  bench b = {0};
  double least = 0;
  MFFT_GOTO(done, open_bench(&b, spec, 0));
  for (int i = -1; i < count; i++) {
    mfft_fft_spec other = i < 0 ? *spec : by_way(spec, &rival[i]);
    mfft_fft *plan = NULL;
    double ms = 0;
    if (i < 0)
      plan = *fft;
    else if (mfft_cuda_fft_create(&other, &plan) != MFFT_SUCCESS)
      continue; /* no rival is no failure */
    int known = 0;
    mfft_cuda_fft_print(plan, seen[plans], TEXT_BYTES);
    for (int k = 0; k < plans; k++) known |= !strcmp(seen[k], seen[plans]);
    plans += !known;
    if (!known) {
      if (b.work) b.driver->memory_free(b.work), b.work = 0;
      CUresult got = plan->work_bytes ? b.driver->memory_alloc(&b.work, plan->work_bytes) : CUDA_SUCCESS;
      known = got != CUDA_SUCCESS || median(&b, plan, &ms) != MFFT_SUCCESS || (i >= 0 && ms >= clearly * least);
    }
    if (i < 0) {
      if (known) { /* it cannot be timed */
        status = MFFT_ERR_MEMORY;
        goto done;
      }
      least = ms;
      continue;
    }
    if (!known) {
      mfft_fft *slower = *fft;
      *fft = plan, plan = slower;
      least = ms;
      *best = rival[i];
    }
    mfft_cuda_fft_destroy(plan);
  }
done:
  if (b.driver) close_bench(&b, spec);
  return status;
}

mfft_status mfft_cuda_fft_choose(const mfft_fft_spec *spec, mfft_fft **out) {
  int named = spec->compute != MFFT_COMPUTE_AUTO || spec->cluster || spec->relay_bytes;
  for (int i = 0; i < spec->naxes; i++) named |= spec->radices[i] != NULL;
  if (named) return mfft_cuda_fft_create(spec, out);
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  char key[KEY_BYTES], value[64];
  way best = {MFFT_COMPUTE_AUTO, 0, 0, 0};
  make_key(spec, here.limits->arch, key);
  int known = recall(key, &best);
  const mfft_fft_spec chosen = by_way(spec, &best);
  MFFT_TRY(mfft_cuda_fft_create(&chosen, out));
  if (known || spec->effort != MFFT_PATIENT) return MFFT_SUCCESS;
  if (spec->filtered || spec->scatter.count) return MFFT_SUCCESS;     /* filters and shares are given later */
  if (compete(spec, out, &best) != MFFT_SUCCESS) return MFFT_SUCCESS; /* no memory to measure with: the rule */
  snprintf(value, sizeof value, "%d %d %d %" PRId64, best.compute, best.cluster, best.cluster_values, best.relay_bytes);
  return mfft_wisdom_put(key, value);
}
