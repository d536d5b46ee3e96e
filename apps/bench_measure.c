/* bench_measure.c: plans, checks and times one case, ours and the peer's runs in turn so that both meet the same machine. */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "bench_cases.h"
#include "bench_exchange.h"
#include "bench_report.h"
#include "bench_truth.h"
#include "plan_options.h"
#include "progress.h"
#include "report.h"

/* What a sample knows of a run: all of it, the processor's time for it (which other jobs on the machine do not stretch),
 * and, of ours, the time in each kind of stage. */
enum { ALL, PROCESSOR, FFT, COPY, EXCHANGE, PARTS };

/* The arrays of our plan, on which most peers work too, and for how many more runs their data are good. */
typedef struct arena {
  const mfft_bench_case *bench;
  mfft_plan plan;
  mfft_box box;              /* of our input */
  mfft_bench_array array[2]; /* [side]; in place the same memory */
  double amplitude;
  int64_t runs, runs_left; /* from fresh data on */
  int fresh;               /* the input is random data of amplitude 1 that nothing has changed */
} arena;

/* One side of the comparison. */
typedef struct contender {
  arena *arena;
  mfft_peer *peer;       /* NULL: our plan */
  double *sample[PARTS]; /* [PARTS][samples] seconds of one run, slowest rank */
} contender;

static mfft_status run_once(const contender *c, mfft_direction direction) {
  const mfft_bench_array *array = c->arena->array;
  if (c->peer) return c->peer->ops->execute(c->peer, direction);
  return direction == MFFT_FORWARD ? mfft_execute(c->arena->plan, direction, array[MFFT_IN].data, array[MFFT_OUT].data)
                                   : mfft_execute(c->arena->plan, direction, array[MFFT_OUT].data, array[MFFT_IN].data);
}

static mfft_status synchronize(const contender *c) {
  return c->peer && c->peer->ops->synchronize ? c->peer->ops->synchronize(c->peer) : mfft_plan_synchronize(c->arena->plan);
}

/* Fresh data for both: the random input, and its transform where that is the input of a run. */
static mfft_status fill(arena *a, double amplitude) {
  mfft_status status = mfft_bench_fill(&a->bench->desc, &a->box, amplitude, &a->array[MFFT_IN]);
  if (status == MFFT_SUCCESS && a->bench->run == MFFT_BENCH_BACKWARD) {
    const contender ours = {.arena = a};
    status = run_once(&ours, MFFT_FORWARD);
    if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(a->plan);
  }
  return status;
}

static mfft_status prepare(const contender *c, int64_t runs) {
  arena *a = c->arena;
  if (c->peer && c->peer->ops->fill) {
    c->peer->ops->fill(c->peer, a->amplitude);
    return MFFT_SUCCESS;
  }
  if (a->runs_left < runs) {
    mfft_status status = fill(a, a->amplitude);
    if (status != MFFT_SUCCESS) return status;
    a->runs_left = a->runs;
  }
  a->runs_left -= runs;
  return MFFT_SUCCESS;
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of one of `runs` runs in a row on the slowest rank. */
static mfft_status sample(const contender *c, int64_t runs, double seconds[PARTS]) {
  const mfft_bench_run kind = c->arena->bench->run;
  mfft_timing before = {0}, after = {0};
  mfft_status status = prepare(c, runs);
  if (status != MFFT_SUCCESS) return status;
  if (!c->peer) mfft_plan_timing(c->arena->plan, &before);
  MPI_Barrier(MPI_COMM_WORLD);
  double processor = processor_time(), start = mfft_app_time();
  for (int64_t i = 0; i < runs; i++) {
    if (kind != MFFT_BENCH_BACKWARD) status = run_once(c, MFFT_FORWARD);
    if (status == MFFT_SUCCESS && kind != MFFT_BENCH_FORWARD) status = run_once(c, MFFT_BACKWARD);
    if (status != MFFT_SUCCESS) return status;
  }
  status = synchronize(c);
  if (status != MFFT_SUCCESS) return status;
  seconds[ALL] = mfft_app_time() - start;
  seconds[PROCESSOR] = processor_time() - processor;
  if (!c->peer) mfft_plan_timing(c->arena->plan, &after);
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

/* How many runs may follow each other on the same data.  An unscaled pair multiplies by N, and a lone transform that uses
 * its input up by less; on a processor neither overflow nor denormals may enter the time.  The data start at 2^-lowest and
 * end below 2^+lowest.  A device computes as fast with any numbers. */
static int64_t most_runs(const arena *a) {
  static const double exponents[] = {[MFFT_DOUBLE] = 400, [MFFT_SINGLE] = 40, [MFFT_HALF] = 0, [MFFT_BFLOAT16] = 0};
  const mfft_desc *desc = &a->bench->desc;
  const int scaled = desc->scale[MFFT_FORWARD] != MFFT_SCALE_NONE || desc->scale[MFFT_BACKWARD] != MFFT_SCALE_NONE;
  const double range = exponents[desc->precision], bits = log2(mfft_bench_points(desc));
  const int preserved =
      desc->placement == MFFT_OUT_OF_PLACE && a->bench->run != MFFT_BENCH_PAIR && !desc->allow_destroy_input;
  if (scaled || bits == 0 || preserved || a->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE) return INT64_MAX;
  int64_t runs = (int64_t)(2 * range / bits);
  return runs > 1 ? runs : 1;
}

static double amplitude_of(const arena *a) {
  static const double lowest[] = {[MFFT_DOUBLE] = -400, [MFFT_SINGLE] = -40, [MFFT_HALF] = 0, [MFFT_BFLOAT16] = 0};
  return a->runs == INT64_MAX ? 1 : exp2(lowest[a->bench->desc.precision]);
}

static mfft_status make_peer(const arena *a, mfft_peer **peer) {
  const mfft_desc *desc = &a->bench->desc;
  mfft_peer_spec spec = {.comm = MPI_COMM_WORLD,
                         .rank = desc->rank,
                         .batch = desc->batch,
                         .kind = desc->kind,
                         .precision = desc->precision,
                         .placement = desc->placement,
                         .order = desc->order,
                         .effort = desc->effort,
                         .destroy_input = desc->allow_destroy_input,
                         .threads = desc->threads,
                         .array = {a->array[MFFT_IN].data, a->array[MFFT_OUT].data},
                         .backend = a->array[MFFT_IN].backend};
  memcpy(spec.n, desc->n, sizeof spec.n);
  for (int side = 0; side < 2; side++) mfft_plan_box(a->plan, (mfft_side)side, &spec.box[side]);
  if (desc->rank == 1 && desc->order == MFFT_ORDER_TRANSPOSED && !a->bench->vs->several_ranks)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs %s leaves one dimension in natural order; use --order natural",
                         a->bench->vs->name);
  return a->bench->vs->create(&spec, peer);
}

/* The error of a forward transform in the peer's own large arrays, on impulses: rank 0 looks at parts of all. */
static mfft_status check_parts(arena *a, const contender *peer, double *rel_l2) {
  mfft_bench_case alone = *a->bench;
  mfft_box box[MFFT_PEER_PARTS];
  mfft_bench_array part[MFFT_PEER_PARTS];
  mfft_status status = MFFT_SUCCESS;
  double sum = 0, one = 0;
  alone.distributed = 0; /* the checks of parts are no matter of the other ranks */
  for (int side = 0; side < 2 && status == MFFT_SUCCESS; side++) {
    const int count = peer->peer->ops->parts(peer->peer, (mfft_side)side, box, part);
    for (int i = 0; i < count && status == MFFT_SUCCESS; i++) {
      const mfft_bench_rows rows = mfft_bench_rows_of(&alone.desc, (mfft_side)side, &box[i]);
      status = side == MFFT_IN ? mfft_bench_fill_impulses(&alone.desc, &rows, &part[i])
                               : mfft_bench_truth_impulses(&alone, a->plan, &rows, &part[i], 1, &one);
      sum += one * one / count;
    }
    if (side == MFFT_IN && status == MFFT_SUCCESS) status = run_once(peer, MFFT_FORWARD);
    if (side == MFFT_IN && status == MFFT_SUCCESS) status = synchronize(peer);
  }
  int failed = status != MFFT_SUCCESS;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (failed && status == MFFT_SUCCESS) status = mfft_app_fail(MFFT_ERR_STATE, "another rank could not check the peer");
  *rel_l2 = mfft_app_slowest(sqrt(sum)); /* of rank 0; the others have no parts */
  return status;
}

/* The error of a peer: on the same data, against the same truth, in our arrays.  It scales nothing. */
static mfft_status check_peer(arena *a, const contender *peer, mfft_bench_error *error) {
  const mfft_bench_case *bench = a->bench;
  const mfft_desc *desc = &bench->desc;
  const double points = mfft_bench_points(desc), forward = mfft_bench_factor(desc, MFFT_FORWARD);
  mfft_bench_rows side[2];
  const mfft_direction direction = bench->run == MFFT_BENCH_BACKWARD ? MFFT_BACKWARD : MFFT_FORWARD;
  const mfft_peer_ops *ops = peer->peer->ops;
  const double farthest = ops->take ? exp2(28) : INFINITY; /* beyond, its arrays are long on their way to ours */
  if (points > farthest && ops->parts && direction == MFFT_FORWARD) return check_parts(a, peer, &error->peer);
  if ((ops->fill && !ops->take) || points > farthest) return MFFT_SUCCESS;
  const int small = points <= (double)bench->truth_limit;
  mfft_status status = mfft_bench_sides(desc, a->plan, side);
  if (status == MFFT_SUCCESS)
    status = !small && direction == MFFT_FORWARD ? mfft_bench_fill_impulses(desc, &side[MFFT_IN], &a->array[MFFT_IN])
             : ops->take /* which transforms it itself */ ? mfft_bench_fill(desc, &a->box, 1, &a->array[MFFT_IN])
                                                          : fill(a, 1);
  if (status == MFFT_SUCCESS && ops->take) status = ops->take(peer->peer, direction);
  if (status == MFFT_SUCCESS) status = run_once(peer, direction);
  if (status == MFFT_SUCCESS) status = synchronize(peer);
  if (status == MFFT_SUCCESS && ops->give) status = ops->give(peer->peer, direction);
  if (status != MFFT_SUCCESS) return status;
  a->fresh = small && direction == MFFT_FORWARD && desc->placement == MFFT_OUT_OF_PLACE && !desc->allow_destroy_input;
  if (direction == MFFT_BACKWARD)
    return mfft_bench_round_trip(bench, &side[MFFT_IN], &a->array[MFFT_IN], 1 / (points * forward), &error->peer);
  return (small ? mfft_bench_truth_fftw : mfft_bench_truth_impulses)(bench, a->plan, &side[MFFT_OUT], &a->array[MFFT_OUT], 1,
                                                                     &error->peer);
}

/* Samples of both in turn, ours first in even rounds.  The number of samples is the same on every rank: the decision to stop
 * is taken on times that all ranks share. */
static mfft_status take_samples(arena *a, contender *c, int contenders, mfft_bench_result *result) {
  enum { LEAST = 7, MOST = 1000 };
  const mfft_bench_case *bench = a->bench;
  /* A sample is long beside the clock, and on a device beside starting work and waiting for it. */
  const double least_s = a->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE ? 5e-3 : 2e-3;
  const int64_t wanted = bench->samples ? bench->samples : MOST;
  double once[2][PARTS] = {{0}}, spent = 0, seconds[PARTS];
  a->runs = most_runs(a);
  a->amplitude = amplitude_of(a);
  a->runs_left = a->fresh && a->amplitude == 1 ? a->runs : 0;
  for (int i = 0; i < contenders; i++)
    for (int warmup = 0; warmup < 2; warmup++) {
      mfft_status status = sample(&c[i], 1, once[i]);
      if (status != MFFT_SUCCESS) return status;
    }
  result->warmups = 2;
  result->runs_per_sample = 1;
  double shortest = contenders > 1 ? fmin(once[0][ALL], once[1][ALL]) : once[0][ALL];
  if (shortest < least_s)
    result->runs_per_sample = (int64_t)fmin(fmin(least_s / fmax(shortest, 1e-8), 1e5), (double)a->runs) + 1;
  if (result->runs_per_sample > a->runs) result->runs_per_sample = a->runs;
  for (int i = 0; i < contenders; i++)
    for (int part = 0; part < PARTS; part++) {
      c[i].sample[part] = malloc((size_t)wanted * sizeof(double));
      if (!c[i].sample[part]) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for %lld samples", (long long)wanted);
    }
  for (result->samples = 0; result->samples < wanted; result->samples++) {
    if (!bench->samples && result->samples >= LEAST && spent > bench->seconds) break;
    for (int i = 0; i < contenders; i++) {
      int who = (i + (int)(result->samples % contenders)) % contenders;
      mfft_status status = sample(&c[who], result->runs_per_sample, seconds);
      if (status != MFFT_SUCCESS) return status;
      for (int part = 0; part < PARTS; part++) c[who].sample[part][result->samples] = seconds[part];
      spent += seconds[ALL] * (double)result->runs_per_sample;
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

static void summarise(const arena *a, contender *c, int contenders, mfft_bench_result *result) {
  const double transforms = a->bench->run == MFFT_BENCH_PAIR ? 2 : 1;
  const double bytes = transforms * (double)(a->array[MFFT_IN].bytes + a->array[MFFT_OUT].bytes);
  double *const part[2][PARTS] = {{[ALL] = &result->time_s,
                                   [PROCESSOR] = &result->cpu_s,
                                   [FFT] = &result->fft_s,
                                   [COPY] = &result->copy_s,
                                   [EXCHANGE] = &result->exchange_s},
                                  {[ALL] = &result->peer_time_s, [PROCESSOR] = &result->peer_cpu_s}};
  for (int i = 0; i < contenders; i++)
    for (int p = 0; p < PARTS; p++)
      if (part[i][p]) *part[i][p] = median(c[i].sample[p], result->samples);
  result->time_min_s = c[0].sample[ALL][0];
  result->time_max_s = c[0].sample[ALL][result->samples - 1];
  if (contenders == 2) {
    result->peer_min_s = c[1].sample[ALL][0];
    result->peer_max_s = c[1].sample[ALL][result->samples - 1];
  }
  if (a->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE) result->fft_s = result->copy_s = result->exchange_s = NAN;
  if (!a->bench->distributed) result->passes = result->time_s * result->copy_speed / bytes;
  if (a->bench->distributed) {
    mfft_timing timing = {0};
    mfft_plan_timing(a->plan, &timing);
    /* Of one direction times those of a run: both send the same. */
    result->sent_bytes = mfft_app_slowest(transforms * (double)timing.sent_bytes / (double)timing.executes);
    result->link_share = result->sent_bytes / result->time_s / result->link_speed;
  }
  result->tflops = operations(a->bench) / result->time_s * 1e-12;
}

/* Our plan and its arrays. */
static mfft_status open_arena(arena *a, mfft_bench_result *result) {
  const mfft_bench_case *bench = a->bench;
  const int in_place = bench->desc.placement == MFFT_IN_PLACE;
  size_t bytes[2], workspace = 0;
  double start = mfft_app_time();
  mfft_status status = bench->distributed ? mfft_plan_create_mpi(MPI_COMM_WORLD, &bench->desc, &a->plan)
                                          : mfft_plan_create(&bench->desc, &a->plan);
  if (status != MFFT_SUCCESS) return status;
  result->plan_s = mfft_app_slowest(mfft_app_time() - start);
  mfft_plan_backend(a->plan, &result->backend);
  const char *candidate = "";
  mfft_plan_describe(a->plan, result->plan, sizeof result->plan, NULL);
  mfft_plan_chosen(a->plan, &result->chosen, &candidate);
  snprintf(result->candidate, sizeof result->candidate, "%s", candidate);
  if (!bench->distributed) result->copy_speed = mfft_bench_copy_speed(a->plan);
  if (bench->distributed) {
    mfft_plan_grid(a->plan, result->grid);
    mfft_plan_transport(a->plan, &result->transport, &result->chunks);
    mfft_plan_wire(a->plan, &result->wire);
    mfft_memory memory = MFFT_MEMORY_HOST;
    mfft_plan_memory(a->plan, &memory);
    result->link_speed = mfft_bench_link_speed(result->backend, memory);
  }
  mfft_plan_workspace_bytes(a->plan, &workspace);
  result->workspace_bytes = (size_t)mfft_app_slowest((double)workspace);
  mfft_plan_box(a->plan, MFFT_IN, &a->box);
  for (int s = 0; s < 2; s++) mfft_plan_bytes(a->plan, (mfft_side)s, &bytes[s]);
  if (in_place && bytes[MFFT_OUT] > bytes[MFFT_IN]) bytes[MFFT_IN] = bytes[MFFT_OUT];
  status = mfft_bench_array_create(a->plan, bytes[MFFT_IN], "the input", &a->array[MFFT_IN]);
  if (status == MFFT_SUCCESS && !in_place)
    status = mfft_bench_array_create(a->plan, bytes[MFFT_OUT], "the output", &a->array[MFFT_OUT]);
  if (in_place) a->array[MFFT_OUT] = a->array[MFFT_IN];
  int failed = status != MFFT_SUCCESS;
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed && status == MFFT_SUCCESS ? mfft_app_fail(MFFT_ERR_MEMORY, "another rank has no memory") : status;
}

static void close_arena(arena *a) {
  mfft_plan_destroy(a->plan);
  if (a->array[MFFT_OUT].data != a->array[MFFT_IN].data) mfft_bench_array_destroy(&a->array[MFFT_OUT]);
  mfft_bench_array_destroy(&a->array[MFFT_IN]);
}

static mfft_status one_run(void *context) {
  const contender *c = context;
  mfft_status status = MFFT_SUCCESS;
  if (c->arena->bench->run != MFFT_BENCH_BACKWARD) status = run_once(c, MFFT_FORWARD);
  return status == MFFT_SUCCESS && c->arena->bench->run != MFFT_BENCH_FORWARD ? run_once(c, MFFT_BACKWARD) : status;
}

/* One more run of ours for its time line; on a device it tells what the stream spent in each kind of stage. */
static mfft_status record(contender *ours, mfft_bench_result *result) {
  const mfft_bench_case *bench = ours->arena->bench;
  const mfft_desc *desc = &bench->desc;
  mfft_timing timing = {0};
  char title[160], shape[64];
  int length = snprintf(title, sizeof title, "%s", mfft_bench_shape_text(desc, shape));
  const struct {
    const char *choices;
    int place;
  } words[] = {{MFFT_KINDS, desc->kind}, {MFFT_PRECISIONS, desc->precision}, {MFFT_BENCH_RUNS, (int)bench->run}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) /* one at a time: each is valid until the next */
    length += snprintf(title + length, sizeof title - (size_t)length, " %s",
                       mfft_cli_choice_name(words[i].choices, words[i].place));
  if (bench->distributed)
    snprintf(title + length, sizeof title - (size_t)length, ", %s order, %dx%d ranks, %s, %d chunks",
             mfft_cli_choice_name(MFFT_ORDERS, desc->order), result->grid[0], result->grid[1], result->transport,
             result->chunks > 1 ? result->chunks : 1);
  mfft_timeline_destroy(bench->timeline);
  mfft_status status = prepare(ours, 3);
  if (status == MFFT_SUCCESS) status = mfft_timeline_record(ours->arena->plan, one_run, ours, title, bench->timeline);
  if (status == MFFT_SUCCESS && ours->arena->array[MFFT_IN].memory == MFFT_MEMORY_DEVICE) {
    status = mfft_plan_timing(ours->arena->plan, &timing);
    result->fft_s = mfft_app_slowest(timing.fft);
    result->copy_s = mfft_app_slowest(timing.copy);
    result->exchange_s = mfft_app_slowest(timing.exchange);
  }
  mfft_plan_trace(ours->arena->plan, 0);
  return status;
}

mfft_status mfft_bench_measure(const mfft_bench_case *bench, mfft_bench_result *result) {
  arena a = {.bench = bench};
  contender c[2] = {{.arena = &a}, {.arena = &a}};
  int contenders = 1;
  *result = (mfft_bench_result){.transport = bench->distributed ? "" : "none", .grid = {1, 1}};
  double *const unknown[] = {&result->time_s,      &result->time_min_s, &result->time_max_s, &result->cpu_s,
                             &result->peer_plan_s, &result->peer_cpu_s, &result->peer_min_s, &result->peer_max_s,
                             &result->peer_time_s, &result->copy_speed, &result->passes,     &result->sent_bytes,
                             &result->link_speed,  &result->link_share, &result->tflops,     &result->error.peer};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) *unknown[i] = NAN;

  mfft_status status = open_arena(&a, result);
  if (status != MFFT_SUCCESS) goto done;
  status = mfft_bench_check(bench, a.plan, a.array, &result->error);
  if (status != MFFT_SUCCESS) goto done;
  const mfft_bench_error *e = &result->error;
  result->correct =
      e->rel_l2 <= e->bound && e->round_trip <= e->bound && !(e->parseval > e->bound + 1e-12); /* sums of many squares */
  if (!result->correct) goto done;

  if (bench->vs) {
    double start = mfft_app_time();
    status = make_peer(&a, &c[1].peer);
    if (status == MFFT_SUCCESS) {
      contenders = 2;
      result->peer_plan_s = mfft_app_slowest(mfft_app_time() - start);
      status = check_peer(&a, &c[1], &result->error);
    } else if (status == MFFT_ERR_UNSUPPORTED && bench->lenient) {
      mfft_app_story();
      status = MFFT_SUCCESS;
    }
    if (status != MFFT_SUCCESS) goto done;
  }
  status = take_samples(&a, c, contenders, result);
  if (status == MFFT_SUCCESS) summarise(&a, c, contenders, result);
  if (status == MFFT_SUCCESS && bench->timeline) status = record(&c[0], result);

done:
  mfft_peer_destroy(c[1].peer);
  close_arena(&a);
  for (int part = 0; part < PARTS; part++) {
    free(c[0].sample[part]);
    free(c[1].sample[part]);
  }
  return status;
}
