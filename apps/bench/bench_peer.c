/* bench_peer.c: the peer's plan on our arrays, and its error. */
#include <math.h>
#include <mpi.h>
#include <string.h>

#include "bench/bench_library.h"
#include "bench/bench_truth.h"
#include "cli/collective.h"
#include "cli/plan_options.h"
#include "cli/report.h"

mfft_status mfft_bench_peer_make(const mfft_bench_arena *a, mfft_peer **peer) {
  const mfft_desc *desc = &a->bench->desc;
  mfft_peer_spec spec = {.comm = MPI_COMM_WORLD,
                         .rank = desc->rank,
                         .batch = desc->batch,
                         .kind = desc->kind,
                         .precision = desc->precision,
                         .placement = desc->placement,
                         .order = mfft_desc_order(desc),
                         .effort = a->bench->peer_effort,
                         .wanted = {a->bench->run != MFFT_BENCH_BACKWARD, a->bench->run != MFFT_BENCH_FORWARD},
                         .destroy_input = desc->allow_destroy_input,
                         .threads = a->bench->options.threads,
                         .array = {a->array[MFFT_IN].data, a->array[MFFT_OUT].data},
                         .backend = a->array[MFFT_IN].backend};
  memcpy(spec.n, desc->n, sizeof spec.n);
  for (int side = 0; side < 2; side++) mfft_plan_box(a->plan, (mfft_side)side, &spec.box[side]);
  if (desc->scrambled && !a->bench->vs->several_ranks)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs %s leaves one dimension in natural order; use --order natural",
                         a->bench->vs->name);
  return a->bench->vs->create(&spec, peer);
}

/* The error of a forward transform in the peer's own large arrays, on impulses: rank 0 checks parts of all. */
static mfft_status check_parts(mfft_bench_arena *a, const mfft_bench_library *peer, double *rel_l2) {
  mfft_bench_case alone = *a->bench;
  mfft_box box[MFFT_PEER_PARTS];          /* [part] */
  mfft_bench_array part[MFFT_PEER_PARTS]; /* [part] */
  mfft_status status = MFFT_SUCCESS;
  double sum = 0, one = 0;
  alone.distributed = 0; /* the checks of parts concern rank 0 alone */
  for (int side = 0; side < 2 && status == MFFT_SUCCESS; side++) {
    const int count = peer->peer->ops->parts(peer->peer, (mfft_side)side, box, part);
    for (int i = 0; i < count && status == MFFT_SUCCESS; i++) {
      const mfft_bench_rows rows = mfft_bench_rows_of(&alone.desc, (mfft_side)side, &box[i]);
      status = side == MFFT_IN ? mfft_bench_fill_impulses(&alone.desc, &rows, &part[i])
                               : mfft_bench_truth_impulses(&alone, a->plan, &rows, &part[i], 1, &one);
      sum += one * one / count;
    }
    if (side == MFFT_IN && status == MFFT_SUCCESS) status = mfft_bench_run_once(peer, MFFT_FORWARD);
    if (side == MFFT_IN && status == MFFT_SUCCESS) status = mfft_bench_synchronize(peer);
  }
  const int failed = mfft_app_anywhere(status != MFFT_SUCCESS);
  if (failed && status == MFFT_SUCCESS) status = mfft_app_fail(MFFT_ERR_STATE, "another rank could not check the peer");
  *rel_l2 = mfft_app_slowest(sqrt(sum)); /* of rank 0; the others have no parts */
  return status;
}

/* Runs the peer once in a direction, on the data in our arrays or, if it has arrays of its own, in copies of it. */
static mfft_status run_peer(const mfft_bench_library *peer, mfft_direction direction) {
  const mfft_peer_ops *ops = peer->peer->ops;
  mfft_status status = ops->take ? ops->take(peer->peer, direction) : MFFT_SUCCESS;
  if (status == MFFT_SUCCESS) status = mfft_bench_run_once(peer, direction);
  if (status == MFFT_SUCCESS) status = mfft_bench_synchronize(peer);
  return status == MFFT_SUCCESS && ops->give ? ops->give(peer->peer, direction) : status;
}

/* Fills our input with data whose transform is known.  impulses: those of mfft_bench_fill_impulses, on `in`. */
static mfft_status fill_input(mfft_bench_arena *a, int impulses, const mfft_bench_rows *in, int peer_has_arrays) {
  const mfft_desc *desc = &a->bench->desc;
  if (impulses) return mfft_bench_fill_impulses(desc, in, &a->array[MFFT_IN]);
  return peer_has_arrays ? mfft_bench_fill(desc, &a->box, 1, &a->array[MFFT_IN]) : mfft_bench_arena_fill(a, 1);
}

/* The error of a peer: on the same data, against the same truth, in our arrays.  A peer does not scale. */
mfft_status mfft_bench_peer_check(mfft_bench_arena *a, const mfft_bench_library *peer, mfft_bench_error *error) {
  const mfft_bench_case *bench = a->bench;
  const mfft_desc *desc = &bench->desc;
  const double points = mfft_bench_points(desc);
  const long double forward = mfft_bench_factor(desc, MFFT_FORWARD);
  mfft_bench_rows side[2]; /* [side] */
  const mfft_direction direction = bench->run == MFFT_BENCH_BACKWARD ? MFFT_BACKWARD : MFFT_FORWARD;
  const mfft_peer_ops *ops = peer->peer->ops;
  const double farthest = ops->take ? exp2(28) : INFINITY; /* larger arrays take long to copy to ours */
  if (points > farthest && ops->parts && direction == MFFT_FORWARD) return check_parts(a, peer, &error->peer);
  if ((ops->fill && !ops->take) || points > farthest) return MFFT_SUCCESS;
  const int small = mfft_bench_has_truth(bench);
  mfft_status status = mfft_bench_sides(desc, a->plan, side);
  if (status == MFFT_SUCCESS) status = fill_input(a, !small && direction == MFFT_FORWARD, &side[MFFT_IN], ops->take != NULL);
  if (status == MFFT_SUCCESS) status = run_peer(peer, direction);
  if (status != MFFT_SUCCESS) return status;
  a->fresh = small && direction == MFFT_FORWARD && desc->placement == MFFT_OUT_OF_PLACE && !desc->allow_destroy_input;
  if (direction == MFFT_BACKWARD)
    return mfft_bench_round_trip(bench, &side[MFFT_IN], &a->array[MFFT_IN], 1 / (points * forward), &error->peer);
  return (small ? mfft_bench_truth_fftw : mfft_bench_truth_impulses)(bench, a->plan, &side[MFFT_OUT], &a->array[MFFT_OUT], 1,
                                                                     &error->peer);
}
