/* cuda_bench_job.h: one transform that t890 times, the arrays that all transforms share, random input, and medians of times.
 */
#ifndef MFFT_TESTS_CUDA_BENCH_JOB_H
#define MFFT_TESTS_CUDA_BENCH_JOB_H

#include <time.h>

#include "batch_truth.h"

static int repeats = 11;
static CUevent from, till;
static char *in, *out, *work; /* arrays in device memory */
static size_t room;
static unsigned char *noise; /* [noise_reals] numbers of the precision that is timed */
static char *noise_there;    /* [noise_reals] the same in device memory */
static const int64_t noise_reals = 1 << 23;

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

typedef struct job {
  const mfft_fft_spec *spec;
  mfft_fft *fft;
  mfft_cufft_call *theirs;
  void *vkfft;
  CUstream stream; /* the stream that is captured, or NULL */
  CUgraphExec graph;
} job;
static int run_ours(const job *j) { return mfft_backend_cuda.fft_execute(j->fft, in, out, work, j->stream) == MFFT_SUCCESS; }
static int run_graph(const job *j) { return gpu->graph_launch(j->graph, NULL) == CUDA_SUCCESS; }

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const double warm_s = 2e-3;

/* Median milliseconds of one run.  Several short runs are timed together. */
static double median(int (*run)(const job *), const job *j) {
  double times[64] = {0};
  float ms = 0;
  int inner = 1;
  const double begun = seconds();
  for (int i = 0; i < 2 || seconds() - begun < warm_s; i++) { /* until clock rates are high and pages are mapped */
    if (!run(j)) return NAN;
    if (i >= 1 && gpu->context_synchronize()) return NAN;
  }
  gpu->event_record(from, NULL);
  if (!run(j)) return NAN;
  gpu->event_record(till, NULL);
  if (gpu->event_synchronize(till)) return NAN;
  gpu->event_elapsed(&ms, from, till);
  if (ms < 0.2f) inner = 20;
  for (int i = 0; i < repeats; i++) {
    gpu->event_record(from, NULL);
    for (int k = 0; k < inner; k++) run(j);
    gpu->event_record(till, NULL);
    if (gpu->event_synchronize(till)) return NAN;
    gpu->event_elapsed(&ms, from, till);
    times[i] = ms / inner;
  }
  qsort(times, (size_t)repeats, sizeof *times, by_value);
  return times[repeats / 2];
}

/* Fills `reals` numbers of the input with noise whose period is no power of two.  preserved: 1: transforms preserve the
 * input, so it is filled only once. */
static void fill(mfft_precision p, int64_t reals, int preserved) {
  size_t b = mfft_real_bytes(p);
  static int made = -1;
  static int64_t filled;
  if (made == (int)p && filled == reals && preserved) return;
  filled = preserved ? reals : 0;
  if (made != (int)p) {
    uint64_t seed = 99;
    for (int64_t i = 0; i < noise_reals; i++) { /* products have all bits of a double, so that sums of them are rounded */
      const double x = test_random(&seed);
      store_value(p, noise, i, x * (1.5 + test_random(&seed)));
    }
    gpu->copy_to_device((CUdeviceptr)noise_there, noise, (size_t)noise_reals * b);
    made = (int)p;
  }
  int64_t shift = 0;
  for (int64_t at = 0; at < reals;) {
    int64_t count = noise_reals - shift;
    if (count > reals - at) count = reals - at;
    gpu->copy_on_device((CUdeviceptr)(in + (size_t)at * b), (CUdeviceptr)(noise_there + (size_t)shift * b),
                        (size_t)count * b, NULL);
    at += count;
    shift = (shift + 1000003) % (noise_reals / 2);
  }
}

static void name_size(const mfft_fft_spec *spec, char name[64]) {
  for (int a = 0, used = 0; a < spec->naxes; a++)
    used += snprintf(name + used, 64 - (size_t)used, "%s%lld", a ? "x" : "", (long long)spec->axis[a].n);
}

#endif
