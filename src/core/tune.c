/* tune.c: timing whole plans.
 *
 * Timing exchanges alone picks the wrong grid (a slab moves once what a pencil moves twice, but its transforms differ), so
 * every candidate is a finished plan, run both ways.  Grids and transports come first, chunks for the winner after. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/env.h"
#include "core/log.h"
#include "core/plan_dist.h"
#include "core/wisdom.h"
#include "dist/agree.h"
#include "dist/reach.h"
#include "dist/together.h"
#include "mfft_mpi.h"

enum { VALUE_BYTES = 128, KEY_BYTES = 512, SAMPLES = 3 };

typedef struct tuner {
  MPI_Comm comm;
  int rank, ranks;
  const mfft_desc *asked;
  double begin, limit;         /* seconds */
  const mfft_backend *backend; /* of every candidate */
  void *array[2];              /* [side] of the largest candidate so far */
  size_t bytes[2];             /* [side] */
  mfft_desc best;
  double least; /* seconds of forward and backward */
} tuner;

static mfft_status make_key(MPI_Comm comm, const mfft_desc *d, int ranks, char key[KEY_BYTES]) {
  /* Boxes count by a sum over ranks that depends on who holds what. */
  uint64_t boxes = 0;
  const mfft_box *const box[2] = {d->in_box, d->out_box};
  int rank;
  MPI_Comm_rank(comm, &rank);
  for (int side = 0; side < 2; side++)
    for (int axis = 0; box[side] && axis < 3; axis++) {
      const uint64_t parts[3] = {(uint64_t)box[side]->lo[axis], (uint64_t)box[side]->hi[axis],
                                 (uint64_t)box[side]->order[axis]};
      for (int i = 0; i < 3; i++)
        boxes += (parts[i] + 1) * (0x9e3779b97f4a7c15u ^ (uint64_t)(rank * 32 + side * 16 + axis * 4 + i));
    }
  MFFT_TRY(mfft_together_reduce(comm, &boxes, 1, MPI_UINT64_T, MPI_SUM, "comparing boxes"));
  /* What was fastest on one card, or with so many ranks a node, need not be on another. */
  char model[64] = "";
  const mfft_backend *backend;
  mfft_reach reach;
  mfft_status status = mfft_reach_make(comm, &reach);
  if (status == MFFT_SUCCESS) status = mfft_backend_find(d->backend, &backend);
  if (status == MFFT_SUCCESS && backend->device) status = backend->device->model(model, sizeof model);
  int places = reach.places;
  mfft_reach_free(&reach);
  MFFT_TRY(mfft_agree(comm, status));
  snprintf(key, KEY_BYTES,
           "v%d,ranks=%d,node=%d,device=%s,n=%" PRId64 "x%" PRId64 "x%" PRId64 ",rank=%d,axes=%u,batch=%" PRId64
           ",kind=%d,precision=%d,placement=%d,order=%d,backend=%s,threads=%d,grid=%dx%d,transport=%s,chunks=%d,compute=%d,"
           "filtered=%u,wire=%d,front=%d,"
           "boxes=%016" PRIx64,
           MFFT_VERSION, ranks, places, model, d->n[0], d->n[1], d->n[2], d->rank, d->axes, d->batch, d->kind, d->precision,
           d->placement, d->order, d->backend ? d->backend : "", d->threads, d->grid[0], d->grid[1],
           d->transport ? d->transport : "", d->chunks, d->compute, d->filtered, d->wire, d->front, boxes);
  return MFFT_SUCCESS;
}

/* Rank 0's wisdom decides, so that all ranks build the same plan. */
static mfft_status recall(const tuner *t, const char *key, mfft_desc *desc, int *found) {
  char value[VALUE_BYTES] = "";
  if (t->rank == 0 && !mfft_wisdom_get(key, value, sizeof value)) value[0] = '\0';
  MFFT_TRY(mfft_together_share(t->comm, value, sizeof value, 0, "sharing wisdom"));
  int p, q, chunks;
  char transport[32];
  *found = sscanf(value, "grid %dx%d transport %31s chunks %d", &p, &q, transport, &chunks) == 4;
  if (!*found) return MFFT_SUCCESS;
  *desc = *t->asked;
  desc->grid[0] = p;
  desc->grid[1] = q;
  desc->chunks = chunks;
  for (int i = 0; i < mfft_transport_count(); i++)
    if (strcmp(mfft_transport_name(i), transport) == 0) desc->transport = mfft_transport_name(i);
  return MFFT_SUCCESS;
}

static mfft_status grow_arrays(tuner *t, mfft_plan plan) {
  for (int side = 0; side < 2; side++) {
    size_t wanted = plan->bytes[side];
    if (plan->desc.placement == MFFT_IN_PLACE && plan->bytes[!side] > wanted) wanted = plan->bytes[!side];
    if (wanted <= t->bytes[side]) continue;
    t->backend->free(t->array[side]);
    t->array[side] = NULL;
    t->bytes[side] = 0;
    MFFT_TRY(plan->backend->alloc(wanted, &t->array[side]));
    if (plan->backend->host_memory) memset(t->array[side], 0, wanted); /* pages that nobody touched cost time */
    t->bytes[side] = wanted;
  }
  return MFFT_SUCCESS;
}

static mfft_status time_plan(tuner *t, mfft_plan plan, double *seconds) {
  t->backend = plan->backend;
  MFFT_TRY(mfft_agree(t->comm, grow_arrays(t, plan)));
  void *in = t->array[MFFT_IN], *out = plan->desc.placement == MFFT_IN_PLACE ? in : t->array[MFFT_OUT];
  double best = 0;
  for (int sample = 0; sample <= SAMPLES; sample++) { /* the first one warms up */
    MFFT_TRY(mfft_together_meet(t->comm, "tuning"));
    double begin = MPI_Wtime();
    MFFT_TRY(mfft_execute(plan, MFFT_FORWARD, in, out));
    MFFT_TRY(mfft_execute(plan, MFFT_BACKWARD, out, in));
    MFFT_TRY(plan->backend->synchronize(plan->stream));
    double spent = MPI_Wtime() - begin;
    MFFT_TRY(mfft_together_reduce(t->comm, &spent, 1, MPI_DOUBLE, MPI_MAX, "tuning"));
    if (sample == 1 || (sample > 1 && spent < best)) best = spent;
  }
  *seconds = best;
  return MFFT_SUCCESS;
}

/* A candidate that cannot be built is no candidate; one that cannot run is an error. */
static mfft_status try_candidate(tuner *t, const mfft_desc *candidate) {
  mfft_plan plan;
  if (mfft_plan_dist_build(t->comm, candidate, &plan) != MFFT_SUCCESS) return MFFT_SUCCESS;
  void *workspace = NULL;
  double seconds;
  mfft_status status = MFFT_SUCCESS;
  if (plan->desc.user_workspace && plan->workspace_bytes) {
    status = plan->backend->alloc(plan->workspace_bytes, &workspace);
    if (status == MFFT_SUCCESS) status = mfft_plan_set_workspace(plan, workspace, plan->workspace_bytes);
  }
  status = mfft_agree(t->comm, status);
  if (status == MFFT_SUCCESS) status = time_plan(t, plan, &seconds);
  if (status == MFFT_SUCCESS) {
    if (t->rank == 0)
      mfft_log(MFFT_LOG_INFO, "tune: grid %d x %d, %s, chunks %d: %.6f s", plan->desc.grid[0], plan->desc.grid[1],
               plan->desc.transport, candidate->chunks, seconds);
    if (t->least == 0 || seconds < t->least) {
      t->least = seconds;
      t->best = *candidate;
      memcpy(t->best.grid, plan->desc.grid, sizeof t->best.grid);
      t->best.transport = plan->desc.transport;
    }
  }
  if (workspace) plan->backend->free(workspace);
  mfft_plan_destroy(plan);
  return status;
}

/* Whether rank 0's clock leaves time for another candidate. */
static mfft_status time_left(const tuner *t, int *left) {
  *left = MPI_Wtime() - t->begin < t->limit;
  return mfft_together_share(t->comm, left, sizeof *left, 0, "tuning");
}

static mfft_status try_grids(tuner *t) {
  int left = 1;
  for (int p = t->ranks; p >= 1; p--) {
    const int *asked = t->asked->grid;
    if (t->ranks % p || (asked[0] && asked[0] != p) || (asked[1] && asked[1] != t->ranks / p)) continue;
    for (int i = 0; i < mfft_transport_count(); i++) {
      if (t->asked->transport && *t->asked->transport && strcmp(t->asked->transport, mfft_transport_name(i)) != 0) continue;
      if (t->least > 0) MFFT_TRY(time_left(t, &left));
      if (!left) return MFFT_SUCCESS;
      mfft_desc candidate = *t->asked;
      candidate.grid[0] = p;
      candidate.grid[1] = t->ranks / p;
      candidate.transport = mfft_transport_name(i);
      MFFT_TRY(try_candidate(t, &candidate));
    }
  }
  return MFFT_SUCCESS;
}

static mfft_status try_chunks(tuner *t) {
  static const int counts[] = {1, 2, 4, 8, 16};
  int left = 1;
  const mfft_desc winner = t->best;
  for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++) {
    MFFT_TRY(time_left(t, &left));
    if (!left) break;
    mfft_desc candidate = winner;
    candidate.chunks = counts[i];
    MFFT_TRY(try_candidate(t, &candidate));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_tune(MPI_Comm comm, const mfft_desc *desc, mfft_plan *plan) {
  mfft_status status;
  int found = 0;
  char key[KEY_BYTES], value[VALUE_BYTES];
  tuner t = {.comm = comm, .asked = desc, .begin = MPI_Wtime(), .limit = mfft_env_number(MFFT_ENV_TUNE_S)};
  MPI_Comm_rank(comm, &t.rank);
  MPI_Comm_size(comm, &t.ranks);
  MFFT_TRY(make_key(comm, desc, t.ranks, key));
  MFFT_TRY(recall(&t, key, &t.best, &found));
  if (found && mfft_plan_dist_build(comm, &t.best, plan) == MFFT_SUCCESS) return MFFT_SUCCESS;

  MFFT_GOTO(done, try_grids(&t));
  if (t.least > 0 && !desc->chunks) MFFT_GOTO(done, try_chunks(&t));
  status = mfft_plan_dist_build(comm, t.least > 0 ? &t.best : desc, plan);
  if (status != MFFT_SUCCESS || t.least == 0) goto done;
  snprintf(value, sizeof value, "grid %dx%d transport %s chunks %d", t.best.grid[0], t.best.grid[1], t.best.transport,
           t.best.chunks);
  if (mfft_wisdom_put(key, value) != MFFT_SUCCESS) mfft_log(MFFT_LOG_WARNING, "%s", mfft_last_error());
done:
  for (int side = 0; side < 2; side++)
    if (t.array[side]) t.backend->free(t.array[side]);
  return status;
}
