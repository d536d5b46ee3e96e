/* bench_measure.c: plans, checks and times one case, with runs of both sides alternating so that both meet the same
 * conditions. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/bench_cases.h"
#include "bench/bench_library.h"
#include "bench/bench_report.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static mfft_status one_run(void *library) { return mfft_bench_run_whole(library); }

/* One more run of ours for its time line; on a device it gives the time of the stream in each kind of stage. */
static mfft_status record(mfft_bench_library *ours, mfft_bench_result *result) {
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
  const int chunks = result->chunks > 1 ? result->chunks : 1;
  if (bench->distributed)
    snprintf(title + length, sizeof title - (size_t)length, ", %s order, %dx%d ranks, %s, %d chunk%s",
             mfft_cli_choice_name(MFFT_ORDERS, mfft_desc_order(desc)), result->grid[0], result->grid[1], result->transport,
             chunks, chunks > 1 ? "s" : "");
  mfft_timeline_destroy(bench->timeline);
  mfft_status status = mfft_bench_prepare(ours, 3);
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

/* The relative error from which on a peer has computed something else, in any precision. */
static const double farthest_peer = 0.1;

mfft_status mfft_bench_measure(const mfft_bench_case *bench, mfft_bench_result *result) {
  mfft_bench_arena a = {.bench = bench};
  mfft_bench_library c[2] = {{.arena = &a}, {.arena = &a}}; /* [ours, peer] */
  int libraries = 1;
  *result = (mfft_bench_result){.transport = bench->distributed ? "" : "none", .grid = {1, 1}};
  double *const unknown[] = {&result->time_s,      &result->time_min_s, &result->time_max_s,   &result->cpu_s,
                             &result->peer_plan_s, &result->peer_cpu_s, &result->peer_min_s,   &result->peer_max_s,
                             &result->peer_time_s, &result->copy_speed, &result->passes,       &result->sent_bytes,
                             &result->link_speed,  &result->link_share, &result->link_bound_s, &result->tflops,
                             &result->error.peer};
  for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) *unknown[i] = NAN;

  mfft_status status = mfft_bench_arena_open(&a, result);
  if (status != MFFT_SUCCESS) goto done;
  status = mfft_bench_check(bench, a.plan, a.array, &result->error);
  if (status != MFFT_SUCCESS) goto done;
  const mfft_bench_error *e = &result->error;
  result->correct =
      e->rel_l2 <= e->bound && e->round_trip <= e->bound && !(e->parseval > e->bound + 1e-12); /* sums of many squares */
  if (!result->correct) goto done;

  if (bench->vs) {
    double start = mfft_app_time();
    status = mfft_bench_peer_make(&a, &c[1].peer);
    if (status == MFFT_SUCCESS) {
      libraries = 2;
      result->peer_plan_s = mfft_app_slowest(mfft_app_time() - start);
      memcpy(result->peer_call, c[1].peer->call, sizeof result->peer_call);
      status = mfft_bench_peer_check(&a, &c[1], &result->error);
      if (status == MFFT_SUCCESS && result->error.peer > farthest_peer)
        status = mfft_app_fail(MFFT_ERR_BACKEND, "--vs %s: the peer's result is wrong, relative error %.2e, by %s",
                               bench->vs->name, result->error.peer, result->peer_call);
    } else if (status == MFFT_ERR_UNSUPPORTED && bench->omits_unsupported) {
      mfft_app_message();
      status = MFFT_SUCCESS;
    }
    if (status != MFFT_SUCCESS) goto done;
  }
  status = mfft_bench_take_samples(&a, c, libraries, result);
  if (status == MFFT_SUCCESS) mfft_bench_summarise(&a, c, libraries, result);
  if (status == MFFT_SUCCESS && bench->timeline) status = record(&c[0], result);

done:
  mfft_peer_destroy(c[1].peer);
  mfft_bench_arena_close(&a);
  for (int part = 0; part < MFFT_BENCH_PARTS; part++) {
    free(c[0].sample[part]);
    free(c[1].sample[part]);
  }
  return status;
}
