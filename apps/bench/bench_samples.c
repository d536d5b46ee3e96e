/* bench_samples.c: samples of both sides, alternating so that both meet the same conditions, and their statistics. */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

#include "bench/bench_library.h"
#include "bench/bench_median.h"
#include "cli/collective.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of one of `runs` consecutive runs on the slowest rank. */
static mfft_status sample(const mfft_bench_library *c, int64_t runs, double seconds[MFFT_BENCH_PARTS]) {
  mfft_timing before = {0}, after = {0};
  mfft_status status = mfft_bench_prepare(c, runs);
  if (status != MFFT_SUCCESS) return status;
  if (!c->peer) mfft_plan_timing(c->arena->plan, &before);
  mfft_app_barrier("the start of a sample");
  double processor = processor_time(), start = mfft_app_time();
  for (int64_t i = 0; i < runs; i++) {
    status = mfft_bench_run_whole(c);
    if (status != MFFT_SUCCESS) return status;
  }
  status = mfft_bench_synchronize(c);
  if (status != MFFT_SUCCESS) return status;
  seconds[MFFT_BENCH_ALL] = mfft_app_time() - start;
  seconds[MFFT_BENCH_PROCESSOR] = processor_time() - processor;
  if (!c->peer) mfft_plan_timing(c->arena->plan, &after);
  seconds[MFFT_BENCH_FFT] = after.fft - before.fft;
  seconds[MFFT_BENCH_COPY] = after.copy - before.copy;
  seconds[MFFT_BENCH_EXCHANGE] = after.exchange - before.exchange;
  mfft_app_reduce(seconds, MFFT_BENCH_PARTS, MPI_DOUBLE, MPI_MAX, "the times of a sample");
  for (int part = 0; part < MFFT_BENCH_PARTS; part++) seconds[part] /= (double)runs;
  return MFFT_SUCCESS;
}

/* The number of consecutive runs on the same data.  An unscaled pair multiplies by N, and a single transform that overwrites
 * its input by less; on a processor neither overflow nor denormal numbers may affect the time.  The data start at 2^-far and
 * end below 2^+far.  The speed of a device does not depend on the numbers. */
static const double far[] = {
    [MFFT_DOUBLE] = 400, [MFFT_SINGLE] = 40, [MFFT_HALF] = 0, [MFFT_BFLOAT16] = 0, [MFFT_LONG_DOUBLE] = 400};

static int64_t most_runs(const mfft_bench_arena *a) {
  const mfft_desc *desc = &a->bench->desc;
  const int scaled = desc->scale[MFFT_FORWARD] != MFFT_SCALE_NONE || desc->scale[MFFT_BACKWARD] != MFFT_SCALE_NONE;
  const double range = far[desc->precision], bits = log2(mfft_bench_points(desc));
  const int preserved =
      desc->placement == MFFT_OUT_OF_PLACE && a->bench->run != MFFT_BENCH_PAIR && !desc->allow_destroy_input;
  if (scaled || bits == 0 || preserved || a->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE) return INT64_MAX;
  int64_t runs = (int64_t)(2 * range / bits);
  return runs > 1 ? runs : 1;
}

static double amplitude_of(const mfft_bench_arena *a) {
  return a->runs == INT64_MAX ? 1 : exp2(-far[a->bench->desc.precision]);
}

/* Samples of both, alternating, ours first in even rounds.  The number of samples is the same on every rank: the decision to
 * stop depends on times that all ranks share. */
mfft_status mfft_bench_take_samples(mfft_bench_arena *a, mfft_bench_library *c, int libraries, mfft_bench_result *result) {
  enum { LEAST = 7, MOST = 1000 };
  const mfft_bench_case *bench = a->bench;
  /* A sample is long compared with the resolution of the clock, and on a device with starting work and waiting for it. */
  const double least_s = a->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE ? 5e-3 : 2e-3;
  const int64_t wanted = bench->samples ? bench->samples : MOST;
  double once[2][MFFT_BENCH_PARTS] = {{0}}, spent = 0, seconds[MFFT_BENCH_PARTS];
  a->runs = most_runs(a);
  a->amplitude = amplitude_of(a);
  a->runs_left = a->fresh && a->amplitude == 1 ? a->runs : 0;
  for (int i = 0; i < libraries; i++)
    for (int warmup = 0; warmup < 2; warmup++) {
      mfft_status status = sample(&c[i], 1, once[i]);
      if (status != MFFT_SUCCESS) return status;
    }
  result->warmups = 2;
  result->runs_per_sample = 1;
  double shortest = libraries > 1 ? fmin(once[0][MFFT_BENCH_ALL], once[1][MFFT_BENCH_ALL]) : once[0][MFFT_BENCH_ALL];
  if (shortest < least_s)
    result->runs_per_sample = (int64_t)fmin(fmin(least_s / fmax(shortest, 1e-8), 1e5), (double)a->runs) + 1;
  if (result->runs_per_sample > a->runs) result->runs_per_sample = a->runs;
  for (int i = 0; i < libraries; i++)
    for (int part = 0; part < MFFT_BENCH_PARTS; part++) {
      c[i].sample[part] = malloc((size_t)wanted * sizeof(double));
      if (!c[i].sample[part]) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %lld samples", (long long)wanted);
    }
  for (result->samples = 0; result->samples < wanted; result->samples++) {
    if (!bench->samples && result->samples >= LEAST && spent > bench->seconds) break;
    for (int i = 0; i < libraries; i++) {
      int who = (i + (int)(result->samples % libraries)) % libraries;
      mfft_status status = sample(&c[who], result->runs_per_sample, seconds);
      if (status != MFFT_SUCCESS) return status;
      for (int part = 0; part < MFFT_BENCH_PARTS; part++) c[who].sample[part][result->samples] = seconds[part];
      spent += seconds[MFFT_BENCH_ALL] * (double)result->runs_per_sample;
    }
    mfft_progress_step(result->samples);
  }
  return MFFT_SUCCESS;
}

/* Operations of one run by the count of a radix-2 transform, 5 N log2 N, and half of it for reals. */
static double operations(const mfft_bench_case *bench) {
  const double points = mfft_bench_points(&bench->desc), transforms = bench->run == MFFT_BENCH_PAIR ? 2 : 1;
  return transforms * (double)bench->desc.batch * (bench->desc.kind == MFFT_R2C ? 2.5 : 5) * points * log2(points);
}

void mfft_bench_summarise(const mfft_bench_arena *a, mfft_bench_library *c, int libraries, mfft_bench_result *result) {
  const double transforms = a->bench->run == MFFT_BENCH_PAIR ? 2 : 1;
  const double bytes = transforms * (double)(a->array[MFFT_IN].bytes + a->array[MFFT_OUT].bytes);
  double *const part[2][MFFT_BENCH_PARTS] = {
      {[MFFT_BENCH_ALL] = &result->time_s,
       [MFFT_BENCH_PROCESSOR] = &result->cpu_s,
       [MFFT_BENCH_FFT] = &result->fft_s,
       [MFFT_BENCH_COPY] = &result->copy_s,
       [MFFT_BENCH_EXCHANGE] = &result->exchange_s},
      {[MFFT_BENCH_ALL] = &result->peer_time_s, [MFFT_BENCH_PROCESSOR] = &result->peer_cpu_s}};
  for (int i = 0; i < libraries; i++)
    for (int p = 0; p < MFFT_BENCH_PARTS; p++)
      if (part[i][p]) *part[i][p] = mfft_bench_median(c[i].sample[p], result->samples);
  result->time_min_s = c[0].sample[MFFT_BENCH_ALL][0];
  result->time_max_s = c[0].sample[MFFT_BENCH_ALL][result->samples - 1];
  if (libraries == 2) {
    result->peer_min_s = c[1].sample[MFFT_BENCH_ALL][0];
    result->peer_max_s = c[1].sample[MFFT_BENCH_ALL][result->samples - 1];
  }
  if (a->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE) result->fft_s = result->copy_s = result->exchange_s = NAN;
  if (!a->bench->distributed) result->passes = result->time_s * result->copy_speed / bytes;
  if (a->bench->distributed) {
    mfft_timing timing = {0};
    mfft_plan_timing(a->plan, &timing);
    /* The bytes of one direction times the directions of a run, since both directions send the same. */
    result->sent_bytes = mfft_app_slowest(transforms * (double)timing.sent_bytes / (double)timing.executes);
    /* A network carries short transfers faster than long ones, through its buffers: then the fastest run itself is the
     * bound. */
    if (result->link_bound_s > result->time_min_s) result->link_bound_s = result->time_min_s;
    result->link_speed = result->sent_bytes / result->link_bound_s;
    result->link_share = result->link_bound_s / result->time_s;
  }
  result->tflops = operations(a->bench) / result->time_s * 1e-12;
}
