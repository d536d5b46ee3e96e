/* choose.c: which engine a patient plan takes: the faster of those that can do it, timed on arrays of its own.
 *
 * Only MFFT_PATIENT measures: a plan of known kernels takes a millisecond, but timing two takes many, and arrays as large as
 * the caller's; and on an H200 the rule is right (docs/performance.md). */
#include <stdlib.h>

#include "local/cuda/driver.h"
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
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&b->driver, &context, &limits));
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

mfft_status mfft_cuda_fft_choose(const mfft_fft_spec *spec, mfft_fft **out) {
  MFFT_TRY(mfft_cuda_fft_create(spec, out));
  if (spec->compute != MFFT_COMPUTE_AUTO || spec->effort != MFFT_PATIENT) return MFFT_SUCCESS;
  mfft_fft_spec other = *spec; /* what the rule does not take */
  int sixteen = spec->precision == MFFT_HALF || spec->precision == MFFT_BFLOAT16;
  other.compute = sixteen ? MFFT_COMPUTE_BUTTERFLY : MFFT_COMPUTE_TENSOR;
  mfft_fft *rival = NULL;
  if (mfft_cuda_fft_create(&other, &rival) != MFFT_SUCCESS) return MFFT_SUCCESS; /* no rival is no failure */

  bench b = {0};
  double ours = 0, theirs = 0;
  size_t work = (*out)->work_bytes > rival->work_bytes ? (*out)->work_bytes : rival->work_bytes;
  int faster = open_bench(&b, spec, work) == MFFT_SUCCESS && median(&b, *out, &ours) == MFFT_SUCCESS &&
               median(&b, rival, &theirs) == MFFT_SUCCESS && theirs < clearly * ours;
  if (b.driver) close_bench(&b, spec);
  mfft_cuda_fft_destroy(faster ? *out : rival);
  if (faster) *out = rival;
  return MFFT_SUCCESS;
}
