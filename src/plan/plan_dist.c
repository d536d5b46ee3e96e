/* plan_dist.c: creates a distributed plan.  Every step is either local or collective.  The ranks agree on the status
 * after each collective step and after each sequence of local steps. */
#include "plan/plan_dist.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "base/words.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "comm/mpi_status.h"
#include "dist/group.h"
#include "mfft_mpi.h"
#include "plan/dist_path.h"
#include "plan/emit.h"
#include "plan/host_arrays.h"

static mfft_status make_lanes(struct mfft_dist *dist, int asked) {
  const double count = asked ? asked : mfft_env_number(MFFT_ENV_COPY_LANES);
  if (!dist->transport->direct) return MFFT_SUCCESS;
  if (count > MFFT_MOST_LANES)
    return mfft_fail(MFFT_ERR_ARG, "MFFT_COPY_LANES is %.0f; use 1 to %d, or 0 for queues of each transfer's own", count,
                     MFFT_MOST_LANES);
  for (; dist->lanes.count < (int)count; dist->lanes.count++)
    for (int q = 0; q < 2; q++) MFFT_TRY(dist->topology.device->stream_create(&dist->lanes.stream[dist->lanes.count][q]));
  return MFFT_SUCCESS;
}

void mfft_dist_free(struct mfft_dist *dist) {
  if (!dist) return;
  if (dist->complete && dist->transport->end_collectives && !mfft_mpi_is_over())
    (void)dist->transport->end_collectives(&dist->topology, dist->transfer, dist->ntransfers);
  for (int i = 0; i < dist->ntransfers; i++) dist->transfer[i]->destroy(dist->transfer[i]);
  mfft_host_copies_destroy(dist->host_copies);
  for (int i = 0; i < MFFT_MOST_LANES; i++)
    for (int q = 0; q < 2; q++)
      if (dist->lanes.stream[i][q]) dist->topology.device->stream_destroy(dist->lanes.stream[i][q]);
  mfft_window_close(&dist->window);
  free(dist->transfer);
  for (int i = 0; i < MFFT_MAX_STEPS; i++) mfft_group_free(&dist->group[i], dist->comm);
  mfft_failure_close(dist->failure);
  mfft_topology_free(&dist->topology);
  mfft_path_free(&dist->path);
  for (int side = 0; side < 2; side++) mfft_layout_free(&dist->boxes[side]);
  mfft_comm_free(&dist->comm);
  free(dist);
}

static mfft_status begin(struct mfft_dist *dist, mfft_status mine) { return mfft_failure_begin(dist->failure, mine); }
static mfft_status end(struct mfft_dist *dist, mfft_status mine) { return mfft_failure_end(dist->failure, mine); }
static mfft_status failure(struct mfft_dist *dist) { return mfft_failure_announced(dist->failure); }
static mfft_status agree(struct mfft_dist *dist, mfft_status mine) { return mfft_agree(dist->comm, mine); }

static mfft_status compare(struct mfft_dist *dist, const char *const *name, const int64_t *value, int count) {
  mfft_agree_item items[8];
  for (int i = 0; i < count; i++) items[i] = mfft_agree_integer(name[i], value[i]);
  return mfft_agree_values(dist->comm, items, count);
}

static mfft_status create_beside(struct mfft_dist *dist, const mfft_desc *desc, const mfft_options *options,
                                 mfft_plan *plan) {
  return mfft_plan_create_mpi(dist->comm, desc, options, plan);
}

/* Opens the window and connects the transfers to it.  Collective; after a failure it may be tried again. */
static mfft_status open_window(mfft_plan plan) {
  struct mfft_dist *dist = plan->dist;
  mfft_status status = mfft_window_open(&dist->window, dist->window_bytes);
  if (status == MFFT_SUCCESS) {
    for (int i = 0; i < dist->ntransfers && status == MFFT_SUCCESS; i++)
      if (dist->transfer[i]->connect) status = dist->transfer[i]->connect(dist->transfer[i]);
    status = mfft_agree(dist->comm, status);
  }
  if (status == MFFT_SUCCESS)
    plan->shared_work = mfft_window_arrays(&dist->window, dist->rank);
  else
    mfft_window_close(&dist->window);
  return status;
}

static mfft_status open_window_late(mfft_plan plan, mfft_status mine) {
  MFFT_TRY(mfft_agree(plan->dist->comm, mine));
  return open_window(plan);
}

static const mfft_dist_calls calls = {.begin = begin,
                                      .end = end,
                                      .open_window = open_window_late,
                                      .failure = failure,
                                      .agree = agree,
                                      .compare = compare,
                                      .create = create_beside,
                                      .free = mfft_dist_free};

/* ---- Arguments that must agree ---- */

static mfft_agree_item size_setting(mfft_env variable) {
  return mfft_agree_integer(mfft_env_name(variable), (int64_t)mfft_env_number(variable));
}

static mfft_status agree_request(MPI_Comm comm, const mfft_desc *d, const mfft_options *o) {
#define CHOICE(field, words) mfft_agree_choice("desc." #field, (int64_t)d->field, words, MFFT_WORD_COUNT(words))
#define INTEGER(field)       mfft_agree_integer("desc." #field, (int64_t)d->field)
#define OPTION(field)        mfft_agree_integer("options." #field, (int64_t)o->field)
#define HOW(field, words)    mfft_agree_choice("options." #field, (int64_t)o->field, words, MFFT_WORD_COUNT(words))
  const mfft_agree_item items[] = {
      mfft_agree_integer("the version of mergefft", MFFT_VERSION),
      INTEGER(rank),
      INTEGER(n[0]),
      INTEGER(n[1]),
      INTEGER(n[2]),
      INTEGER(axes),
      INTEGER(batch),
      CHOICE(kind, mfft_kind_words),
      INTEGER(axis_kind[0]),
      INTEGER(axis_kind[1]),
      INTEGER(axis_kind[2]),
      INTEGER(given[0]),
      INTEGER(given[1]),
      INTEGER(given[2]),
      CHOICE(precision, mfft_precision_words),
      CHOICE(scale[MFFT_FORWARD], mfft_scale_words),
      CHOICE(scale[MFFT_BACKWARD], mfft_scale_words),
      CHOICE(placement, mfft_placement_words),
      INTEGER(allow_destroy_input),
      HOW(effort, mfft_effort_words),
      mfft_agree_text("options.backend", o->backend),
      OPTION(user_workspace),
      OPTION(reproducible),
      OPTION(late_window),
      OPTION(host_arrays),
      OPTION(grid[0]),
      OPTION(grid[1]),
      mfft_agree_text("options.transport", o->transport),
      OPTION(chunks),
      CHOICE(order, mfft_order_words),
      INTEGER(scrambled),
      mfft_agree_switch("whether desc.in_box is given", d->in_box != NULL),
      mfft_agree_switch("whether desc.out_box is given", d->out_box != NULL),
      HOW(compute, mfft_compute_words),
      INTEGER(filtered),
      INTEGER(padded),
      HOW(wire, mfft_wire_words),
      OPTION(overlap_split),
      mfft_agree_real("options.tolerance", o->tolerance),
      mfft_agree_real("options.time_limit", o->time_limit),
      size_setting(MFFT_ENV_RUN_BYTES),
      size_setting(MFFT_ENV_CHUNK_BYTES),
      size_setting(MFFT_ENV_NODE_RANKS),
  };
#undef HOW
#undef OPTION
#undef INTEGER
#undef CHOICE
  return mfft_agree_values(comm, items, sizeof items / sizeof items[0]);
}

static mfft_status make_groups(struct mfft_dist *dist) {
  for (int i = 0; i + 1 < dist->path.count; i++)
    MFFT_TRY(mfft_group_make(dist->comm, dist->transport->wants_groups, &dist->path.step[i].out, &dist->path.step[i + 1].in,
                             &dist->group[i]));
  return MFFT_SUCCESS;
}

static mfft_status emit_both(mfft_plan plan) {
  struct mfft_dist *dist = plan->dist;
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_emit(plan));
  plan->shares_work = dist->transport->direct;
  if (plan->options.host_arrays) status = mfft_host_arrays_add(plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_finish(plan);
  MFFT_TRY(mfft_agree(dist->comm, status));
  if (!dist->transport->direct) return MFFT_SUCCESS;
  size_t arrays = mfft_whole_lines(plan->work_bytes[MFFT_BUFFER_WORK]);
  dist->window.area_offset_bytes = (int64_t)arrays;
  const size_t areas = mfft_whole_lines(plan->work_bytes[MFFT_BUFFER_AREA]);
  int64_t carried;
  MFFT_TRY(mfft_transport_arrange(dist->transport, &dist->topology, dist->transfer, dist->ntransfers,
                                  (int64_t)(arrays + areas), &carried));
  dist->window_bytes = arrays + areas + (size_t)carried;
  return plan->options.late_window ? MFFT_SUCCESS : open_window(plan);
}

static mfft_status find_backend(struct mfft_dist *dist, const char *name, const mfft_backend **backend) {
  MFFT_TRY(mfft_backend_find(name, backend));
  if (!(*backend)->device)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "options.backend is \"%s\", whose memory exchanges cannot reach; use \"fftw\"",
                     (*backend)->name);
  dist->topology.device = (*backend)->device;
  dist->topology.host_memory = (*backend)->host_memory;
  return MFFT_SUCCESS;
}

/* All ranks must find the same backend: a rank without a GPU would send data in host memory that the others cannot read. */
static mfft_status choose_backend_and_transport(struct mfft_dist *dist, mfft_plan plan) {
  const mfft_options *options = &plan->options;
  const mfft_transport *wanted = NULL;
  MFFT_TRY(mfft_topology_make(dist->comm, &dist->topology));
  mfft_status status = find_backend(dist, options->backend, &plan->backend);
  if (status == MFFT_SUCCESS) status = mfft_transport_find(options->transport, &wanted);
  if (status == MFFT_SUCCESS) status = dist->topology.device->prepare(plan->desc.precision, options->wire != MFFT_WIRE_FULL);
  MFFT_TRY(mfft_agree(dist->comm, status));
  const mfft_agree_item found = mfft_agree_text("the backend found", plan->backend->name);
  MFFT_TRY(mfft_agree_values(dist->comm, &found, 1));
  MFFT_TRY(mfft_topology_warn_shared(&dist->topology));
  MFFT_TRY(mfft_transport_choose(&dist->topology, wanted, &dist->transport));
  mfft_window_init(&dist->topology, &dist->window);
  return mfft_failure_open(&dist->topology, "plan", &dist->failure);
}

mfft_status mfft_plan_dist_build(MPI_Comm comm, const mfft_request *request, mfft_plan *result) {
  const mfft_desc *desc = &request->desc;
  mfft_status status;
  mfft_plan plan = NULL;
  mfft_layout user[2] = {{0}}; /* [side] */
  mfft_path_spec spec;

  status = mfft_plan_new(&plan);
  struct mfft_dist *dist = status == MFFT_SUCCESS ? calloc(1, sizeof *dist) : NULL;
  if (status == MFFT_SUCCESS && !dist) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a distributed plan");
  if (dist) {
    dist->comm = MPI_COMM_NULL;
    plan->dist = dist;
    plan->dist_calls = &calls;
  }
  MFFT_GOTO(fail, mfft_agree(comm, status));
  MFFT_GOTO(fail, mfft_comm_duplicate(comm, &dist->comm));
  MPI_Comm_rank(dist->comm, &dist->rank);
  MPI_Comm_size(dist->comm, &dist->ranks);

  plan->desc = *desc;
  plan->options = request->options;
  dist->grid_given = request->grid_given;
  plan->algorithm = request->algorithm;
  plan->deadline = request->deadline;
  plan->element_bytes = 2 * (int64_t)mfft_real_bytes(desc->precision);
  MFFT_GOTO(fail, choose_backend_and_transport(dist, plan));
  plan->options.host_arrays &= !plan->backend->host_memory;
  if (plan->options.host_arrays) plan->desc.allow_destroy_input = 1; /* only the copy on the device is destroyed */
  plan->options.backend = plan->backend->name;
  plan->options.transport = dist->transport->name;
  plan->copy_blocks = dist->transport->direct ? request->copy_blocks : 0;
  plan->copy_lanes = dist->transport->direct ? request->copy_lanes : 0;

  MFFT_GOTO(fail, mfft_dist_path_spec(dist, desc, &plan->options, user, &spec));
  memcpy(plan->four_step, dist->four_step, sizeof plan->four_step);
  status = mfft_path_build(&spec, &dist->path);
  if (status == MFFT_SUCCESS) {
    memcpy(plan->options.grid, dist->path.grid, sizeof plan->options.grid);
    plan->by_node = dist->path.order != NULL;
    status = mfft_dist_find_padding(dist, desc);
    if (status == MFFT_SUCCESS) status = mfft_dist_fill_sides(plan);
  }
  if (status == MFFT_SUCCESS) status = make_lanes(dist, plan->copy_lanes);
  MFFT_GOTO(fail, mfft_agree(dist->comm, status));
  MFFT_GOTO(fail, make_groups(dist));
  MFFT_GOTO(fail, emit_both(plan));
  dist->complete = 1;
  plan->desc.in_box = plan->desc.out_box = NULL; /* these are variables of the caller */
  for (int side = 0; side < 2; side++) mfft_layout_free(&user[side]);
  *result = plan;
  return MFFT_SUCCESS;
fail:
  for (int side = 0; side < 2; side++) mfft_layout_free(&user[side]);
  mfft_plan_destroy(plan);
  return status;
}

/* Checks the arguments and replaces the names of backend and transport by those of the library ("mpi" is an alias of a
 * transport). */
static mfft_status resolve(const mfft_desc *desc, const mfft_options *options, const mfft_plan *plan, mfft_desc *d,
                           mfft_options *o) {
  const mfft_backend *backend = NULL;
  const mfft_transport *transport = NULL;
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "plan is NULL; pass the address of an mfft_plan");
  MFFT_TRY(mfft_desc_check(desc, d));
  MFFT_TRY(mfft_options_check(options, d->precision, o));
  MFFT_TRY(mfft_desc_find_backend(d, o->backend, mfft_backend_find, &backend));
  MFFT_TRY(mfft_options_suit(o, backend));
  mfft_options tuned = *o;
  if (mfft_options_tune(&tuned)) MFFT_TRY(mfft_options_refuse_host_arrays(o, backend, "an effort with TUNE"));
  if (o->reproducible && d->rank == 1)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "options.reproducible is 1 for one dimension, whose steps depend on the ranks; use a local plan");
  MFFT_TRY(mfft_dist_refuse_local_fields(d, o->radices));
  MFFT_TRY(mfft_transport_find(o->transport, &transport));
  o->backend = backend->name;
  o->transport = transport ? transport->name : NULL;
  return MFFT_SUCCESS;
}

/* Proposes the device that matches this rank's index on its host, before any call selects one. */
static mfft_status prefer_device(MPI_Comm comm) {
  mfft_topology topology;
  mfft_status status = mfft_topology_make(comm, &topology);
  for (int i = 0; status == MFFT_SUCCESS && mfft_backends[i]; i++)
    if (mfft_backends[i]->device) mfft_backends[i]->device->prefer(topology.host_rank);
  mfft_topology_free(&topology);
  return status;
}

/* Half-width messages are used automatically only if timing has shown that they are faster. */
static mfft_status build_by_rule(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options, mfft_plan *plan) {
  const mfft_backend *backend;
  mfft_request request = {.desc = *desc, .options = *options, .grid_given = mfft_options_name_grid(options)};
  if (options->wire == MFFT_WIRE_AUTO) request.options.wire = MFFT_WIRE_FULL;
  mfft_status status = mfft_backend_find(options->backend, &backend);
  if (status == MFFT_SUCCESS) request.deadline = mfft_options_deadline(options, backend);
  MFFT_TRY(mfft_agree(comm, status));
  return mfft_plan_dist_build(comm, &request, plan);
}

mfft_status mfft_plan_create_mpi(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options, mfft_plan *plan) {
  MPI_Comm own;
  MFFT_TRY(mfft_comm_duplicate(comm, &own));
  mfft_desc d;
  mfft_options o;
  mfft_status status;
  MFFT_GOTO(done, prefer_device(own));
  MFFT_GOTO(done, mfft_agree(own, resolve(desc, options, plan, &d, &o)));
  MFFT_GOTO(done, agree_request(own, &d, &o));
  status = (mfft_options_tune(&o) ? mfft_tune : build_by_rule)(own, &d, &o, plan);
  if (status == MFFT_SUCCESS && (*plan)->dist->rank == 0) mfft_plan_log(*plan);
done:
  mfft_comm_free(&own);
  return status;
}

/* ---- Queries ---- */

static mfft_status check_dist(mfft_plan plan, const void *result) {
  if (!plan || !plan->dist)
    return mfft_fail(MFFT_ERR_ARG, "the plan is %s; make one with mfft_plan_create_mpi", plan ? "local" : "NULL");
  if (!result) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of a variable for it");
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_box_of(mfft_plan plan, mfft_side side, int rank, mfft_box *box) {
  MFFT_TRY(check_dist(plan, box));
  if (rank < 0 || rank >= plan->dist->ranks)
    return mfft_fail(MFFT_ERR_ARG, "rank is %d; the plan has ranks 0 to %d", rank, plan->dist->ranks - 1);
  if (side != MFFT_IN && side != MFFT_OUT) return mfft_fail(MFFT_ERR_ARG, "side is %d; use MFFT_IN or MFFT_OUT", (int)side);
  *box = plan->dist->boxes[side].box[rank];
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_grid(mfft_plan plan, int grid[2]) {
  MFFT_TRY(check_dist(plan, grid));
  memcpy(grid, plan->options.grid, sizeof plan->options.grid);
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_wire(mfft_plan plan, mfft_wire *wire) {
  MFFT_TRY(check_dist(plan, wire));
  *wire = plan->options.wire;
  return MFFT_SUCCESS;
}

mfft_status mfft_plan_transport(mfft_plan plan, const char **name, int *chunks) {
  MFFT_TRY(check_dist(plan, name));
  *name = plan->dist->transport->name;
  if (chunks) *chunks = plan->dist->most_chunks;
  return MFFT_SUCCESS;
}
