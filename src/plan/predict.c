/* predict.c: plans one rank of a cluster that is not there.  See mfft_predict.h and predict_model.h. */
#include "plan/predict.h"

#include <stdlib.h>
#include <string.h>

#include "comm/collective.h"
#include "plan/dist_path.h"
#include "plan/emit.h"
#include "plan/plan_dist.h"

static mfft_status refuse_boxes(const mfft_desc *d) {
  if (!d->in_box && !d->out_box) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "desc.%s is given, and a prediction has no boxes of other ranks; leave it NULL",
                   d->in_box ? "in_box" : "out_box");
}

/* The arguments are resolved as mfft_plan_create_mpi does. */
mfft_status mfft_model_make(const mfft_desc *desc, const mfft_options *options, const mfft_cluster *cluster,
                            mfft_model *model) {
  MFFT_TRY(mfft_model_machine(cluster, &model->machine));
  MFFT_TRY(mfft_desc_check(desc, &model->desc));
  MFFT_TRY(mfft_options_check(options, model->desc.precision, &model->options));
  MFFT_TRY(refuse_boxes(&model->desc));
  MFFT_TRY(mfft_dist_refuse_local_fields(&model->desc, model->options.radices));
  model->cluster = *cluster;
  model->cluster.machine = NULL; /* model->machine has the resolved numbers */
  model->ranks = cluster->nodes * cluster->node_ranks;
  const int host = model->machine.host_memory;
  MFFT_TRY(mfft_model_backend(host, &model->backend));
  MFFT_TRY(mfft_desc_suits(&model->desc, &model->backend));
  MFFT_TRY(mfft_model_transport(model->options.transport, host, cluster->nodes, &model->transport));
  if (model->options.wire == MFFT_WIRE_AUTO) model->options.wire = MFFT_WIRE_FULL; /* as without timing */
  (void)mfft_options_tune(&model->options);
  model->options.user_workspace = 1;
  model->options.backend = model->backend.name;
  model->options.transport = model->transport.name;
  MFFT_TRY(mfft_options_refuse_host_arrays(&model->options, &model->backend, "a prediction"));
  return mfft_options_suit(&model->options, &model->backend);
}

static mfft_status place_rank(const mfft_model *model, int rank, mfft_topology *topology) {
  const mfft_cluster *c = &model->cluster;
  const int place = c->cyclic ? rank / c->nodes : rank % c->node_ranks;
  *topology = (mfft_topology){.comm = MPI_COMM_NULL,
                              .rank = rank,
                              .ranks = model->ranks,
                              .host_memory = model->machine.host_memory,
                              .node_rank = place,
                              .node_ranks = c->node_ranks,
                              .node = MPI_COMM_NULL,
                              .host_rank = place};
  topology->near = calloc((size_t)model->ranks, 1);
  topology->near_first = calloc((size_t)model->ranks, 1);
  topology->node_of = malloc((size_t)model->ranks * sizeof *topology->node_of);
  if (!topology->near || !topology->near_first || !topology->node_of)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks", model->ranks);
  for (int r = 0; r < model->ranks; r++) topology->node_of[r] = c->cyclic ? r % c->nodes : r / c->node_ranks * c->node_ranks;
  for (int r = 0; r < model->ranks; r++) {
    topology->near_first[r] = r && topology->node_of[r] == 0;
    topology->near[r] = r != rank && topology->node_of[r] == topology->node_of[rank];
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_model_plan(mfft_model *model, int rank, mfft_plan *result) {
  static const mfft_dist_calls calls = {.free = mfft_dist_free};
  mfft_plan plan = NULL;
  mfft_path_spec spec;
  mfft_status status;
  MFFT_TRY(mfft_plan_new(&plan));
  plan->backend = &model->backend;
  struct mfft_dist *dist = plan->dist = calloc(1, sizeof *dist);
  plan->dist_calls = &calls;
  if (!dist) MFFT_GOTO(fail, mfft_fail(MFFT_ERR_MEMORY, "no memory for a distributed plan"));
  dist->comm = MPI_COMM_NULL;
  dist->rank = rank;
  dist->ranks = model->ranks;
  dist->transport = &model->transport;
  dist->grid_given = mfft_options_name_grid(&model->options);
  plan->desc = model->desc;
  plan->options = model->options;
  plan->element_bytes = 2 * (int64_t)mfft_real_bytes(plan->desc.precision);
  MFFT_GOTO(fail, place_rank(model, rank, &dist->topology));
  MFFT_GOTO(fail, mfft_comm_duplicate(MPI_COMM_SELF, &dist->comm)); /* for agreements with itself */
  MFFT_GOTO(fail, mfft_dist_path_spec(dist, &plan->desc, &plan->options, NULL, &spec));
  memcpy(plan->four_step, dist->four_step, sizeof plan->four_step);
  MFFT_GOTO(fail, mfft_path_build(&spec, &dist->path));
  memcpy(plan->options.grid, dist->path.grid, sizeof plan->options.grid);
  MFFT_GOTO(fail, mfft_dist_find_padding(dist, &plan->desc));
  MFFT_GOTO(fail, mfft_dist_fill_sides(plan));
  MFFT_GOTO(fail, mfft_emit(plan));
  for (int b = MFFT_BUFFER_WORK; b < MFFT_BUFFER_COUNT; b++) plan->workspace_bytes += mfft_whole_lines(plan->work_bytes[b]);
  *result = plan;
  return MFFT_SUCCESS;
fail:
  mfft_plan_destroy(plan);
  return status;
}

/* Bytes that stay on the rank in all exchanges, which a transform may store or a COPY stage may copy. */
static int64_t self_bytes(mfft_plan plan) {
  const mfft_path *path = &plan->dist->path;
  const int rank = plan->dist->rank;
  int64_t bytes = 0;
  int real = path->real || path->half_axis >= 0; /* until a step has halved an axis */
  for (int i = 0; i + 1 < path->count; i++) {
    if (path->half_axis >= 0 && path->step[i].axes >> path->half_axis & 1) real = 0;
    const mfft_box stays = mfft_box_intersect(&path->step[i].out.box[rank], &path->step[i + 1].in.box[rank]);
    bytes += plan->desc.batch * mfft_box_count(&stays) * plan->element_bytes / (real ? 2 : 1);
  }
  return bytes;
}

static mfft_status check_rank(const mfft_model *model, int rank) {
  if (rank >= 0 && rank < model->ranks) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "rank is %d; the cluster has ranks 0 to %d", rank, model->ranks - 1);
}

mfft_status mfft_predict(const mfft_desc *desc, const mfft_options *options, const mfft_cluster *cluster, int rank,
                         mfft_prediction *prediction) {
  mfft_model model;
  mfft_plan plan;
  if (!prediction) return mfft_fail(MFFT_ERR_ARG, "prediction is NULL; pass the address of an mfft_prediction");
  MFFT_TRY(mfft_model_make(desc, options, cluster, &model));
  MFFT_TRY(check_rank(&model, rank));
  MFFT_TRY(mfft_model_plan(&model, rank, &plan));
  mfft_prediction p = {.chunks = plan->dist->most_chunks, .workspace_bytes = (int64_t)plan->workspace_bytes};
  p.transport = model.transport.name; /* a text of the registry */
  memcpy(p.grid, plan->options.grid, sizeof p.grid);
  for (int side = 0; side < 2; side++) p.array_bytes[side] = (int64_t)plan->bytes[side];
  for (int d = 0; d < 2; d++) {
    mfft_model_time(&model.machine, &model.cluster, plan, (mfft_direction)d, &p.direction[d]);
    p.direction[d].self_bytes = self_bytes(plan);
  }
  mfft_plan_destroy(plan);
  *prediction = p;
  return MFFT_SUCCESS;
}

/* ---- The fullest rank ---- */

/* Seconds of the transforms of a step on the rank with the largest box there. */
static double step_bound(const mfft_model *model, const mfft_path *path, const mfft_path_step *step) {
  const mfft_box *box = &step->in.box[0];
  for (int rank = 1; rank < step->in.ranks; rank++)
    if (mfft_box_count(&step->in.box[rank]) > mfft_box_count(box)) box = &step->in.box[rank];
  if (!step->axes || mfft_box_empty(box)) return 0;
  const int halves = path->half_axis >= 0 && step->axes >> path->half_axis & 1;
  mfft_fft_spec spec = {.type = path->real ? MFFT_FFT_R2R
                                : halves   ? MFFT_FFT_R2C
                                           : MFFT_FFT_C2C,
                        .precision = model->desc.precision,
                        .loop = {{model->desc.batch, 1, 1}},
                        .nloops = 1};
  for (int axis = 0; axis < 3; axis++) {
    const mfft_dim dim = {mfft_box_extent(box, axis), axis == 2 ? 1 : 2, axis == 2 ? 1 : 2};
    const int transformed = step->axes >> axis & 1;
    if (!transformed) spec.loop[spec.nloops++] = dim;
    if (transformed && !(halves && axis == path->half_axis)) spec.axis[spec.naxes++] = dim;
  }
  if (halves) spec.axis[spec.naxes++] = (mfft_dim){path->n[path->half_axis], 1, 1};
  return mfft_model_fft_s(&model->machine, &spec);
}

/* Elements of a rank, added up over the arrays of all steps of the path. */
static int64_t load_of(const mfft_path *path, int rank) {
  int64_t load = 0;
  for (int i = 0; i < path->count; i++)
    load += mfft_box_count(&path->step[i].in.box[rank]) + mfft_box_count(&path->step[i].out.box[rank]);
  return load;
}

/* The fullest rank, the lowest of several. */
static int fullest_of(const mfft_path *path, int ranks) {
  int fullest = 0;
  for (int rank = 1; rank < ranks; rank++)
    if (load_of(path, rank) > load_of(path, fullest)) fullest = rank;
  return fullest;
}

/* The path is that of any rank's plan.  The fullest rank is planned too, since only that refuses what its plan would. */
mfft_status mfft_predict_fullest(const mfft_desc *desc, const mfft_options *options, const mfft_cluster *cluster, int *rank,
                                 double *bound_s) {
  mfft_model model;
  mfft_plan plan, full;
  if (!rank) return mfft_fail(MFFT_ERR_ARG, "rank is NULL; pass the address of an int");
  MFFT_TRY(mfft_model_make(desc, options, cluster, &model));
  MFFT_TRY(mfft_model_plan(&model, 0, &plan));
  const mfft_path *path = &plan->dist->path;
  const int fullest = fullest_of(path, model.ranks);
  double bound = 0;
  for (int i = 0; i < path->count; i++) bound += step_bound(&model, path, &path->step[i]);
  mfft_plan_destroy(plan);
  if (fullest) {
    MFFT_TRY(mfft_model_plan(&model, fullest, &full));
    mfft_plan_destroy(full);
  }
  *rank = fullest;
  if (bound_s) *bound_s = bound;
  return MFFT_SUCCESS;
}
