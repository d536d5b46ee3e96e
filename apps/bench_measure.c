/* bench_measure.c: plans, checks and times one case, ours and the peer's runs in turn so that both meet the same machine. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_case.h"
#include "peer.h"
#include "progress.h"
#include "report.h"

/* What a sample knows of a run: all of it, the processor's time for it (which other jobs on the machine do not stretch),
 * and, of ours, the time in each kind of stage. */
enum { ALL, PROCESSOR, FFT, COPY, EXCHANGE, PARTS };

/* One side of the comparison. */
typedef struct contender {
  const mfft_bench_case *bench;
  mfft_plan plan;        /* ours, or */
  mfft_peer *peer;       /* the peer's */
  mfft_box box;          /* of our input */
  void *in, *out;        /* ours */
  double *sample[PARTS]; /* [PARTS][samples] seconds of one run, slowest rank */
} contender;

static mfft_status run_once(const contender *c, mfft_direction direction) {
  if (c->peer) {
    c->peer->ops->execute(c->peer, direction);
    return MFFT_SUCCESS;
  }
  return direction == MFFT_FORWARD ? mfft_execute(c->plan, direction, c->in, c->out)
                                   : mfft_execute(c->plan, direction, c->out, c->in);
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* `runs` runs from fresh data of this amplitude; seconds of one run on the slowest rank. */
static mfft_status sample(const contender *c, int64_t runs, double amplitude, double seconds[PARTS]) {
  mfft_timing before = {0}, after = {0};
  if (c->peer)
    c->peer->ops->fill(c->peer, amplitude);
  else {
    mfft_bench_fill(&c->bench->desc, &c->box, amplitude, c->in);
    mfft_plan_timing(c->plan, &before);
  }
  MPI_Barrier(MPI_COMM_WORLD);
  double processor = processor_time(), start = mfft_app_time();
  for (int64_t i = 0; i < runs; i++) {
    mfft_status status = run_once(c, MFFT_FORWARD);
    if (status == MFFT_SUCCESS && c->bench->run == MFFT_BENCH_PAIR) status = run_once(c, MFFT_BACKWARD);
    if (status != MFFT_SUCCESS) return status;
  }
  seconds[ALL] = mfft_app_time() - start;
  seconds[PROCESSOR] = processor_time() - processor;
  if (!c->peer) mfft_plan_timing(c->plan, &after);
  seconds[FFT] = after.fft - before.fft;
  seconds[COPY] = after.copy - before.copy;
  seconds[EXCHANGE] = after.exchange - before.exchange;
  MPI_Allreduce(MPI_IN_PLACE, seconds, PARTS, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  for (int part = 0; part < PARTS; part++) seconds[part] /= (double)runs;
  return MFFT_SUCCESS;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median; sorts. */
static double median(double *values /* [count] */, int64_t count) {
  qsort(values, (size_t)count, sizeof(double), ascending);
  return (values[(count - 1) / 2] + values[count / 2]) / 2;
}

/* How many runs may follow each other on the same data: unscaled pairs multiply by N each, and neither overflow nor
 * denormals may enter the time.  The data start at 2^-lowest and end below 2^+lowest. */
static int64_t most_runs(const mfft_bench_case *bench, double *amplitude) {
  static const double exponents[] = {[MFFT_DOUBLE] = 400, [MFFT_SINGLE] = 40, [MFFT_HALF] = 0, [MFFT_BFLOAT16] = 0};
  double range = exponents[bench->desc.precision], bits = log2(mfft_bench_points(&bench->desc));
  *amplitude = 1;
  if (bench->desc.scale[0] != MFFT_SCALE_NONE || bits == 0) return INT64_MAX;
  if (bench->run == MFFT_BENCH_FORWARD && bench->desc.placement == MFFT_OUT_OF_PLACE) return INT64_MAX; /* input preserved */
  *amplitude = exp2(-range);
  int64_t runs = (int64_t)(2 * range / bits);
  return runs > 1 ? runs : 1;
}

static mfft_status make_peer(const mfft_bench_case *bench, mfft_peer **peer) {
  const mfft_desc *desc = &bench->desc;
  mfft_peer_spec spec = {.comm = MPI_COMM_WORLD,
                         .rank = desc->rank,
                         .batch = desc->batch,
                         .kind = desc->kind,
                         .precision = desc->precision,
                         .placement = desc->placement,
                         .order = desc->order,
                         .effort = desc->effort,
                         .destroy_input = desc->allow_destroy_input,
                         .threads = desc->threads};
  memcpy(spec.n, desc->n, sizeof spec.n);
  return bench->vs == MFFT_BENCH_VS_FFTW ? mfft_peer_create_fftw(&spec, peer) : mfft_peer_create_fftw_mpi(&spec, peer);
}

/* Samples of both in turn, ours first in even rounds.  The number of samples is the same on every rank: the decision to stop
 * is taken on times that all ranks share. */
static mfft_status take_samples(const mfft_bench_case *bench, contender *c, int contenders, mfft_bench_result *result) {
  enum { LEAST = 7, MOST = 1000 };
  int64_t wanted = bench->samples ? bench->samples : MOST, limit;
  double amplitude, once[2][PARTS] = {{0}}, spent = 0, seconds[PARTS];
  limit = most_runs(bench, &amplitude);
  for (int i = 0; i < contenders; i++)
    for (int warmup = 0; warmup < 2; warmup++) {
      mfft_status status = sample(&c[i], 1, amplitude, once[i]);
      if (status != MFFT_SUCCESS) return status;
    }
  result->warmups = 2;
  result->runs_per_sample = 1;
  double shortest = contenders > 1 ? fmin(once[0][ALL], once[1][ALL]) : once[0][ALL];
  if (shortest < 2e-3) result->runs_per_sample = (int64_t)fmin(fmin(2e-3 / fmax(shortest, 1e-8), 1e5), (double)limit) + 1;
  if (result->runs_per_sample > limit) result->runs_per_sample = limit;
  for (int i = 0; i < contenders; i++)
    for (int part = 0; part < PARTS; part++) {
      c[i].sample[part] = malloc((size_t)wanted * sizeof(double));
      if (!c[i].sample[part]) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %lld samples", (long long)wanted);
    }
  for (result->samples = 0; result->samples < wanted; result->samples++) {
    if (!bench->samples && result->samples >= LEAST && spent > bench->seconds) break;
    for (int i = 0; i < contenders; i++) {
      int who = (i + (int)(result->samples % contenders)) % contenders;
      mfft_status status = sample(&c[who], result->runs_per_sample, amplitude, seconds);
      if (status != MFFT_SUCCESS) return status;
      for (int part = 0; part < PARTS; part++) c[who].sample[part][result->samples] = seconds[part];
      spent += seconds[ALL] * (double)result->runs_per_sample;
    }
    mfft_progress_step(result->samples);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_bench_measure(const mfft_bench_case *bench, mfft_bench_result *result) {
  contender c[2] = {{.bench = bench}, {.bench = bench}};
  size_t bytes[2], workspace = 0;
  int contenders = bench->vs == MFFT_BENCH_VS_NONE ? 1 : 2;
  memset(result, 0, sizeof *result);
  result->time_s = result->time_min_s = result->time_max_s = NAN;
  result->peer_plan_s = result->cpu_s = result->peer_cpu_s = result->peer_time_s = result->peer_min_s = result->peer_max_s =
      NAN;
  result->transport = bench->distributed ? "" : "none";
  result->grid[0] = result->grid[1] = 1;

  double start = mfft_app_time();
  mfft_status status = bench->distributed ? mfft_plan_create_mpi(MPI_COMM_WORLD, &bench->desc, &c[0].plan)
                                          : mfft_plan_create(&bench->desc, &c[0].plan);
  if (status != MFFT_SUCCESS) goto done;
  result->plan_s = mfft_app_slowest(mfft_app_time() - start);
  if (bench->distributed) {
    mfft_plan_grid(c[0].plan, result->grid);
    mfft_plan_transport(c[0].plan, &result->transport, &result->chunks);
  }
  mfft_plan_workspace_bytes(c[0].plan, &workspace);
  result->workspace_bytes = (size_t)mfft_app_slowest((double)workspace);
  mfft_plan_box(c[0].plan, MFFT_IN, &c[0].box);
  mfft_plan_bytes(c[0].plan, MFFT_IN, &bytes[0]);
  mfft_plan_bytes(c[0].plan, MFFT_OUT, &bytes[1]);
  if (bench->desc.placement == MFFT_IN_PLACE && bytes[1] > bytes[0]) bytes[0] = bytes[1];
  status = mfft_app_alloc((int64_t)bytes[0], 1, "the input", &c[0].in);
  if (status == MFFT_SUCCESS && bench->desc.placement == MFFT_OUT_OF_PLACE)
    status = mfft_app_alloc((int64_t)bytes[1], 1, "the output", &c[0].out);
  int failed = status != MFFT_SUCCESS;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (failed) goto done;
  if (bench->desc.placement == MFFT_IN_PLACE) c[0].out = c[0].in;
  memset(c[0].out, 0, bytes[bench->desc.placement == MFFT_IN_PLACE ? 0 : 1]); /* touched before it is timed */

  status = mfft_bench_check(bench, c[0].plan, c[0].in, c[0].out, &result->error);
  if (status != MFFT_SUCCESS) goto done;
  const mfft_bench_error *e = &result->error;
  result->correct =
      e->rel_l2 <= e->bound && e->round_trip <= e->bound && e->parseval <= e->bound + 1e-12; /* sums of many squares */
  if (!result->correct) goto done;

  if (contenders == 2) {
    start = mfft_app_time();
    status = make_peer(bench, &c[1].peer);
    if (status != MFFT_SUCCESS) goto done;
    result->peer_plan_s = mfft_app_slowest(mfft_app_time() - start);
  }
  status = take_samples(bench, c, contenders, result);
  if (status != MFFT_SUCCESS) goto done;
  result->cpu_s = median(c[0].sample[PROCESSOR], result->samples);
  result->fft_s = median(c[0].sample[FFT], result->samples);
  result->copy_s = median(c[0].sample[COPY], result->samples);
  result->exchange_s = median(c[0].sample[EXCHANGE], result->samples);
  result->time_s = median(c[0].sample[ALL], result->samples);
  result->time_min_s = c[0].sample[ALL][0];
  result->time_max_s = c[0].sample[ALL][result->samples - 1];
  if (contenders == 2) {
    result->peer_cpu_s = median(c[1].sample[PROCESSOR], result->samples);
    result->peer_time_s = median(c[1].sample[ALL], result->samples);
    result->peer_min_s = c[1].sample[ALL][0];
    result->peer_max_s = c[1].sample[ALL][result->samples - 1];
  }

done:
  mfft_peer_destroy(c[1].peer);
  mfft_plan_destroy(c[0].plan);
  if (c[0].out != c[0].in) mfft_free(c[0].out);
  mfft_free(c[0].in);
  for (int part = 0; part < PARTS; part++) {
    free(c[0].sample[part]);
    free(c[1].sample[part]);
  }
  return status;
}
