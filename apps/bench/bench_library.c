/* bench_library.c: our plan with its arrays, and runs of either side. */
#include "bench/bench_library.h"

#include <mpi.h>
#include <stdio.h>

#include "bench/bench_links.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

/* ---- Runs ------------------------------------------------------------------------------------------------------------ */

mfft_status mfft_bench_run_once(const mfft_bench_library *c, mfft_direction direction) {
  const mfft_bench_array *array = c->arena->array;
  if (c->peer) return c->peer->ops->execute(c->peer, direction);
  return direction == MFFT_FORWARD ? mfft_execute(c->arena->plan, direction, array[MFFT_IN].data, array[MFFT_OUT].data)
                                   : mfft_execute(c->arena->plan, direction, array[MFFT_OUT].data, array[MFFT_IN].data);
}

mfft_status mfft_bench_run_whole(const mfft_bench_library *c) {
  const mfft_bench_run kind = c->arena->bench->run;
  mfft_status status = MFFT_SUCCESS;
  if (kind != MFFT_BENCH_BACKWARD) status = mfft_bench_run_once(c, MFFT_FORWARD);
  return status == MFFT_SUCCESS && kind != MFFT_BENCH_FORWARD ? mfft_bench_run_once(c, MFFT_BACKWARD) : status;
}

mfft_status mfft_bench_synchronize(const mfft_bench_library *c) {
  return c->peer && c->peer->ops->synchronize ? c->peer->ops->synchronize(c->peer) : mfft_plan_synchronize(c->arena->plan);
}

mfft_status mfft_bench_arena_fill(mfft_bench_arena *a, double amplitude) {
  mfft_status status = mfft_bench_fill(&a->bench->desc, &a->box, amplitude, &a->array[MFFT_IN]);
  if (status == MFFT_SUCCESS && a->bench->run == MFFT_BENCH_BACKWARD) {
    const mfft_bench_library ours = {.arena = a};
    status = mfft_bench_run_once(&ours, MFFT_FORWARD);
    if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(a->plan);
  }
  return status;
}

mfft_status mfft_bench_prepare(const mfft_bench_library *c, int64_t runs) {
  mfft_bench_arena *a = c->arena;
  if (c->peer && c->peer->ops->fill) {
    c->peer->ops->fill(c->peer, a->amplitude);
    return MFFT_SUCCESS;
  }
  if (a->runs_left < runs) {
    mfft_status status = mfft_bench_arena_fill(a, a->amplitude);
    if (status != MFFT_SUCCESS) return status;
    a->runs_left = a->runs;
  }
  a->runs_left -= runs;
  return MFFT_SUCCESS;
}

/* ---- Our plan and its arrays ----------------------------------------------------------------------------------------- */

mfft_status mfft_bench_arena_open(mfft_bench_arena *a, mfft_bench_result *result) {
  const mfft_bench_case *bench = a->bench;
  const int in_place = bench->desc.placement == MFFT_IN_PLACE;
  size_t bytes[2], workspace = 0; /* [side] */
  double start = mfft_app_time();
  mfft_status status = bench->distributed ? mfft_plan_create_mpi(MPI_COMM_WORLD, &bench->desc, &bench->options, &a->plan)
                                          : mfft_plan_create(&bench->desc, &bench->options, &a->plan);
  if (status != MFFT_SUCCESS) return status;
  result->plan_s = mfft_app_slowest(mfft_app_time() - start);
  mfft_plan_backend(a->plan, &result->backend);
  const char *candidate = "";
  mfft_plan_describe(a->plan, result->plan, sizeof result->plan, NULL);
  mfft_plan_chosen(a->plan, &result->chosen, &candidate);
  snprintf(result->candidate, sizeof result->candidate, "%s", candidate);
  if (!bench->distributed) result->copy_speed = mfft_bench_copy_speed(a->plan, bench->seconds);
  if (bench->distributed) {
    mfft_plan_grid(a->plan, result->grid);
    mfft_plan_transport(a->plan, &result->transport, &result->chunks);
    mfft_plan_wire(a->plan, &result->wire);
    mfft_memory memory = MFFT_MEMORY_HOST;
    mfft_plan_memory(a->plan, &memory);
    result->link_bound_s = mfft_bench_link_bound(bench, memory, result);
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
  const int failed = mfft_app_anywhere(status != MFFT_SUCCESS);
  return failed && status == MFFT_SUCCESS ? mfft_app_fail(MFFT_ERR_MEMORY, "another rank has no memory") : status;
}

void mfft_bench_arena_close(mfft_bench_arena *a) {
  mfft_plan_destroy(a->plan);
  if (a->array[MFFT_OUT].data != a->array[MFFT_IN].data) mfft_bench_array_destroy(&a->array[MFFT_OUT]);
  mfft_bench_array_destroy(&a->array[MFFT_IN]);
}
