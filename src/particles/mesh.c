/* mesh.c: creation of particle meshes, and functions that deposit, gather, exchange and force share. */
#include "particles/mesh.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/precision.h"
#include "base/versioned.h"
#include "base/words.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "mfft_memory.h"
#include "particles/space.h"
#include "plan/distribution.h"

static const size_t ends[] = {MFFT_FIELD_END(mfft_particle_mesh_desc, blocks)};
static const mfft_versioned versions = {.name = "desc",
                                        .init = "mfft_particle_mesh_desc_init",
                                        .size = sizeof(mfft_particle_mesh_desc),
                                        .first = offsetof(mfft_particle_mesh_desc, blocks),
                                        .ends = ends,
                                        .count = 1};

void mfft_particle_mesh_desc_init_sized(mfft_particle_mesh_desc *desc, size_t struct_size) {
  const mfft_particle_mesh_desc defaults = {.length = {1, 1, 1}, .assignment = MFFT_TSC};
  mfft_versioned_init(desc, struct_size, &defaults, sizeof defaults);
}

/* ---- Checks ---------------------------------------------------------------------------------------------------------- */

static mfft_status check_desc(const mfft_particle_mesh_desc *given, mfft_particle_mesh_desc *d) {
  MFFT_TRY(mfft_versioned_take(&versions, given, d));
  for (int a = 0; a < 3; a++)
    if (!(d->length[a] >= 0x1p-300 && d->length[a] <= 0x1p300))
      return mfft_fail(MFFT_ERR_ARG, "desc.length[%d] is %g; give the side of the box, from 1e-90 to 1e90", a, d->length[a]);
  if (!d->assignment) d->assignment = MFFT_TSC;
  if (d->assignment < MFFT_NGP || d->assignment > MFFT_PCS)
    return mfft_fail(MFFT_ERR_ARG, "desc.assignment is %d; use MFFT_NGP, MFFT_CIC, MFFT_TSC or MFFT_PCS",
                     (int)d->assignment);
  if (d->centered != 0 && d->centered != 1) return mfft_fail(MFFT_ERR_ARG, "desc.centered is %d; use 0 or 1", d->centered);
  MFFT_TRY(mfft_check_range("desc.blocks", d->blocks, 0, 4096, "use 0 for transforms of the whole array, or 8"));
  return mfft_check_range("desc.threads", d->threads, 0, 4096, "use 0 for one thread");
}

static mfft_status check_plan(mfft_plan plan) {
  const mfft_desc *d = &plan->desc;
  if (d->kind != MFFT_R2C || d->rank != 3 || d->axes != 7 || d->batch != 1 || d->axis_kind[0] || d->axis_kind[1] ||
      d->axis_kind[2])
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "the plan transforms axes %#x of %" PRId64
                     " arrays of rank %d%s; particles need one real array of rank 3 "
                     "with a DFT of all axes",
                     d->axes, d->batch, d->rank, d->kind == MFFT_R2C ? "" : ", not real to complex");
  if (d->precision != MFFT_DOUBLE && d->precision != MFFT_SINGLE)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "the plan is in %s, and particles need a mesh of MFFT_SINGLE or MFFT_DOUBLE; make it in one of these",
                     mfft_precision_words[d->precision]);
  if (!plan->backend->host_memory && !plan->backend->particles)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "backend %s has no particles; make the plan with backend \"cuda\" or \"fftw\"",
                     plan->backend->name);
  for (int a = 0; a < 3; a++)
    if (d->n[a] > 1 << 30)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "the plan has %" PRId64 " cells on axis %d; use at most 2^30", d->n[a], a);
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_check(mfft_particle_mesh mesh) {
  if (mesh) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "the particle mesh is NULL; make one with mfft_particle_mesh_create");
}

mfft_status mfft_pm_enter(mfft_particle_mesh mesh, mfft_device_guard *guard) {
  if (!mfft_plan_particle_calls(mesh->plan)) return MFFT_SUCCESS;
  mfft_status status = mfft_plan_enter(mesh->plan, guard);
  const int entered = status == MFFT_SUCCESS;
  status = mfft_pm_agree(mesh, status);
  if (entered && status != MFFT_SUCCESS) mfft_plan_leave(mesh->plan, guard);
  return status;
}

void mfft_pm_leave(mfft_particle_mesh mesh, mfft_device_guard *guard) {
  if (mfft_plan_particle_calls(mesh->plan)) mfft_plan_leave(mesh->plan, guard);
}

/* ---- Ranks ----------------------------------------------------------------------------------------------------------- */

mfft_status mfft_pm_agree(mfft_particle_mesh mesh, mfft_status mine) {
  return mesh->comm == MPI_COMM_NULL ? mine : mfft_agree(mesh->comm, mine);
}

mfft_status mfft_pm_largest(mfft_particle_mesh mesh, double *values, int count) {
  if (mesh->comm == MPI_COMM_NULL) return MFFT_SUCCESS;
  return mfft_collective_allreduce(mesh->comm, values, count, MPI_DOUBLE, MPI_MAX, "finding the largest weights");
}

mfft_status mfft_pm_total(mfft_particle_mesh mesh, int64_t *values, int count) {
  if (mesh->comm == MPI_COMM_NULL) return MFFT_SUCCESS;
  return mfft_collective_allreduce(mesh->comm, values, count, MPI_INT64_T, MPI_SUM, "adding up weights");
}

static mfft_status agree_desc(mfft_particle_mesh mesh, const mfft_particle_mesh_desc *d) {
  if (mesh->comm == MPI_COMM_NULL) return MFFT_SUCCESS;
  static const char *const names[] = {"0", "MFFT_NGP", "MFFT_CIC", "MFFT_TSC", "MFFT_PCS"};
  const mfft_agree_item items[] = {
      mfft_agree_real("desc.length[0]", d->length[0]), mfft_agree_real("desc.length[1]", d->length[1]),
      mfft_agree_real("desc.length[2]", d->length[2]), mfft_agree_choice("desc.assignment", d->assignment, names, 5),
      mfft_agree_switch("desc.centered", d->centered), mfft_agree_integer("desc.blocks", d->blocks)};
  return mfft_agree_values(mesh->comm, items, sizeof items / sizeof items[0]);
}

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

/* Reads ranks, boxes and strides of the plan. */
static mfft_status take_plan(mfft_particle_mesh mesh, mfft_plan plan) {
  const mfft_dist *dist = plan->dist;
  mesh->plan = plan;
  mesh->ranks = dist ? dist->ranks : 1;
  mesh->rank = dist ? dist->rank : 0;
  mesh->precision = plan->desc.precision;
  mesh->box = malloc((size_t)mesh->ranks * sizeof *mesh->box);
  if (!mesh->box) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d boxes", mesh->ranks);
  for (int r = 0; r < mesh->ranks; r++) mesh->box[r] = dist ? dist->boxes[MFFT_IN].box[r] : plan->box[MFFT_IN];
  mfft_pm_grid *grid = &mesh->grid;
  grid->own = mesh->box[mesh->rank];
  memcpy(grid->n, plan->desc.n, sizeof grid->n);
  mfft_box rows = grid->own;
  if (dist && dist->padded) rows.hi[2] = rows.lo[2] + 2 * (mfft_box_extent(&grid->own, 2) / 2 + 1);
  mfft_box_strides(&rows, grid->stride);
  if (!dist) memcpy(grid->stride, plan->desc.in_stride, sizeof grid->stride);
  return MFFT_SUCCESS;
}

/* The kernels and the words of a device, and its own copies of ghost cells. */
static mfft_status build_on_device(mfft_particle_mesh mesh) {
  mfft_particle_space *space = &mesh->device.space;
  mesh->bins.grid = &mesh->grid; /* the bins say what is sorted */
  mfft_pm_space_make(&mesh->grid, &mesh->parts, mesh->precision, space);
  MFFT_TRY(mesh->calls->prepare(space));
  MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_TILES, mesh->calls->table_bytes(space, 0)));
  if (mesh->ranks > 1) {
    mfft_dist *dist = mesh->plan->dist;
    MFFT_TRY(
        mfft_dynamic_create(&dist->topology, dist->transport, &dist->flow, "messages of a particle mesh", &mesh->dynamic));
  }
  return mfft_pm_ghosts_on_device(mesh->ghosts, mesh->plan, mesh->dynamic);
}

/* The workspace of a plan that was made to get one from its caller, and has none yet: the mesh shares it with its arrays. */
static mfft_status build_workspace(mfft_particle_mesh mesh) {
  const mfft_plan plan = mesh->plan;
  mesh->lacks_workspace =
      plan->options.user_workspace && !plan->workspace && plan->workspace_bytes && plan->desc.placement == MFFT_IN_PLACE;
  if (!mesh->lacks_workspace || mesh->blocks) return MFFT_SUCCESS;
  const mfft_pm_layout layout = mfft_pm_layout_of_force(mesh, 1, 1);
  MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_CELLS, layout.bytes));
  return mfft_pm_give_workspace(mesh, layout.workspace);
}

static mfft_status build(mfft_particle_mesh mesh, mfft_plan plan, const mfft_particle_mesh_desc *d) {
  enum { CELL_BYTES = 16, DEVICE_CELL_BYTES = 24 };
  MFFT_TRY(take_plan(mesh, plan));
  mfft_pm_grid *grid = &mesh->grid;
  for (int a = 0; a < 3; a++) {
    mesh->length[a] = d->length[a];
    grid->cells[a] = (double)grid->n[a] / d->length[a];
  }
  grid->order = d->assignment;
  grid->shift = d->centered ? 0.5 : 0;
  mfft_pm_grid_ghosts(grid);
  mfft_pm_parts_make(grid, &mesh->parts);
  mesh->kernels = mfft_pm_kernels_best();
  mesh->calls = mfft_plan_particle_calls(plan);
  mesh->window = mfft_pm_window_of(grid, mesh->calls ? mesh->calls->tile_log : mfft_pm_tile_log, mesh->calls != NULL);
  mesh->workers = mfft_workers_create(d->threads);
  mesh->scratch_bytes = d->scratch_bytes;
  if (!mesh->scratch_bytes) {
    const size_t least = (size_t)64 << 20,
                 most = (size_t)(mfft_box_count(&grid->own) * (mesh->calls ? DEVICE_CELL_BYTES : CELL_BYTES));
    mesh->scratch_bytes = most > least ? most : least;
  }
  MFFT_TRY(mfft_pm_ghosts_create(mesh->comm, mesh->rank, mesh->ranks, mesh->box, grid, &mesh->parts, &mesh->ghosts));
  MFFT_TRY(mesh->calls ? build_on_device(mesh) : mfft_pm_bins_create(grid, mesh->workers, &mesh->bins));
  return MFFT_SUCCESS;
}

mfft_status mfft_particle_mesh_create(mfft_plan plan, const mfft_particle_mesh_desc *desc, mfft_particle_mesh *mesh) {
  mfft_particle_mesh_desc d;
  mfft_device_guard guard;
  if (!plan) return mfft_fail(MFFT_ERR_ARG, "the plan is NULL; make one with mfft_plan_create_mpi");
  if (!mesh) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of an mfft_particle_mesh");
  mfft_particle_mesh made = calloc(1, sizeof *made);
  mfft_status status = made ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a particle mesh");
  const int several = plan->dist && plan->dist->ranks > 1;
  if (several) status = mfft_agree(plan->dist->comm, status);
  MFFT_TRY(status);
  made->comm = MPI_COMM_NULL;
  if (several) MFFT_GOTO(fail, mfft_comm_duplicate(plan->dist->comm, &made->comm));
  status = check_desc(desc, &d);
  if (status == MFFT_SUCCESS) status = check_plan(plan);
  MFFT_GOTO(fail, mfft_pm_agree(made, status));
  MFFT_GOTO(fail, agree_desc(made, &d));
  made->plan = plan;
  MFFT_GOTO(fail, mfft_pm_enter(made, &guard));
  status = build(made, plan, &d);
  mfft_pm_leave(made, &guard);
  MFFT_GOTO(fail, mfft_pm_agree(made, status));
  if (d.blocks && mfft_pm_blocks_suit(plan)) MFFT_GOTO(fail, mfft_pm_blocks_create(plan, d.blocks, &made->blocks));
  MFFT_GOTO(fail, mfft_pm_enter(made, &guard));
  status = build_workspace(made);
  mfft_pm_leave(made, &guard);
  MFFT_GOTO(fail, mfft_pm_agree(made, status));
  *mesh = made;
  return MFFT_SUCCESS;
fail:
  mfft_particle_mesh_destroy(made);
  return status;
}

static void free_work(mfft_particle_mesh mesh, void *array) {
  if (!mesh->calls)
    mfft_free(array);
  else if (array)
    mesh->plan->backend->free(array);
}

void mfft_particle_mesh_destroy(mfft_particle_mesh mesh) {
  mfft_device_guard guard = {NULL, NULL};
  if (!mesh) return;
  if (mesh->gives_workspace) mesh->plan->workspace = NULL;
  mfft_pm_blocks_destroy(mesh->blocks);
  if (mesh->calls) (void)mfft_device_guard_enter(&mesh->plan->context, &guard);
  mfft_pm_ghosts_destroy(mesh->ghosts);
  mfft_pm_stencil_destroy(mesh->stencil);
  mfft_dynamic_destroy(mesh->dynamic);
  if (mesh->spare_order) mesh->plan->backend->free(mesh->spare_order);
  for (int work = 0; work < MFFT_PM_WORK_ARRAYS; work++) free_work(mesh, mesh->work[work]);
  mfft_device_guard_leave(&guard);
  mfft_pm_bins_destroy(&mesh->bins);
  mfft_workers_destroy(mesh->workers);
  mfft_comm_free(&mesh->comm);
  free(mesh->box);
  free(mesh);
}

/* ---- Shared functions ------------------------------------------------------------------------------------------------ */

mfft_status mfft_pm_reserve(mfft_particle_mesh mesh, mfft_pm_work work, size_t bytes) {
  if (!bytes) bytes = 1; /* memset and memcpy need an address even for 0 bytes */
  if (bytes <= mesh->work_bytes[work]) return MFFT_SUCCESS;
  free_work(mesh, mesh->work[work]);
  mesh->work[work] = NULL;
  mesh->work_bytes[work] = 0;
  MFFT_TRY(mesh->calls ? mesh->plan->backend->alloc(bytes, &mesh->work[work]) : mfft_alloc(bytes, &mesh->work[work]));
  mesh->work_bytes[work] = bytes;
  return work == MFFT_PM_WORK_CELLS && mesh->gives_workspace ? mfft_pm_give_workspace(mesh, mesh->workspace_at)
                                                             : MFFT_SUCCESS;
}

mfft_status mfft_pm_give_workspace(mfft_particle_mesh mesh, size_t offset) {
  if (!mesh->lacks_workspace) return MFFT_SUCCESS;
  mesh->gives_workspace = 1;
  mesh->workspace_at = offset;
  return mfft_plan_set_workspace(mesh->plan, (char *)mesh->work[MFFT_PM_WORK_CELLS] + offset, mesh->plan->workspace_bytes);
}

mfft_status mfft_pm_copy(mfft_particle_mesh mesh, void *to, const void *from, size_t bytes) {
  enum { WORD = 8 }; /* bytes of a complex number in single precision */
  const mfft_block words = {{1, 1, 1, (int64_t)bytes / WORD}, 0, {0, 0, 0, 1}, 0, {0, 0, 0, 1}};
  mfft_device_guard guard;
  if (!mesh->calls) {
    memcpy(to, from, bytes);
    return MFFT_SUCCESS;
  }
  MFFT_TRY(mfft_pm_enter(mesh, &guard));
  const mfft_status status = bytes ? mesh->plan->backend->copy(&words, 1, WORD, from, to, mesh->plan->stream) : MFFT_SUCCESS;
  mfft_pm_leave(mesh, &guard);
  return mfft_pm_agree(mesh, status);
}

mfft_status mfft_particle_mesh_bytes(mfft_particle_mesh mesh, size_t *bytes) {
  MFFT_TRY(mfft_pm_check(mesh));
  if (!bytes) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of a size_t");
  *bytes = mfft_pm_bins_bytes(&mesh->bins) + mfft_pm_ghosts_bytes(mesh->ghosts) + mfft_pm_stencil_bytes(mesh->stencil) +
           (size_t)mesh->ranks * sizeof *mesh->box;
  for (int work = 0; work < MFFT_PM_WORK_ARRAYS; work++) *bytes += mesh->work_bytes[work];
  if (mesh->dynamic) *bytes += mfft_dynamic_bytes(mesh->dynamic);
  if (mesh->spare_order) *bytes += (size_t)mesh->spare_room * sizeof *mesh->spare_order;
  return MFFT_SUCCESS;
}

int64_t mfft_pm_buffer_cells(mfft_particle_mesh mesh) { return mfft_pm_bins_tile_cells(&mesh->bins) + MFFT_PM_PAD; }

static void at_least(size_t *bytes, size_t least) {
  if (*bytes < least) *bytes = least;
}

void mfft_pm_work_of_fields(mfft_particle_mesh mesh, int fields, int separate, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  const size_t workers = (size_t)mfft_workers_count(mesh->workers), buffer = (size_t)mfft_pm_buffer_cells(mesh);
  const size_t whole = (size_t)mesh->plan->count[MFFT_IN] * sizeof(int64_t);
  at_least(&bytes[MFFT_PM_WORK_CELLS], (size_t)separate * whole);
  at_least(&bytes[MFFT_PM_WORK_RIMS], (size_t)fields * (size_t)mesh->parts.rim_count * sizeof(int64_t));
  if (mesh->calls) return; /* the buffers of tiles are in the multiprocessors */
  at_least(&bytes[MFFT_PM_WORK_TILES], workers * (size_t)fields * buffer * sizeof(int64_t));
}

void mfft_pm_work_of_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  const int64_t capacity = mfft_pm_bins_capacity(particles, mesh->scratch_bytes);
  at_least(&bytes[MFFT_PM_WORK_TILES], mesh->calls->table_bytes(&mesh->device.space, capacity));
  at_least(&bytes[MFFT_PM_WORK_RECORDS], mesh->calls->record_bytes(capacity, mfft_pm_position_bytes(particles->type)));
}

int mfft_pm_takes_windows(mfft_particle_mesh mesh, const mfft_particles *particles, int on_mesh) {
  return on_mesh && mfft_pm_bins_capacity(particles, mesh->scratch_bytes) == particles->count;
}

/* Whether planes of the own cells follow each other in memory, so that sums can become numbers plane by plane. */
static int planes_follow(const mfft_pm_grid *grid) {
  const int *order = grid->own.order;
  for (int i = 0; i < 2; i++)
    if (grid->stride[order[i]] < grid->stride[order[i + 1]] * mfft_box_extent(&grid->own, order[i + 1])) return 0;
  return 1;
}

mfft_pm_layout mfft_pm_layout_of_force(mfft_particle_mesh mesh, int on_mesh, int windows) {
  const mfft_plan plan = mesh->plan;
  const size_t in = plan->bytes[MFFT_IN], out = plan->bytes[MFFT_OUT],
               array = mfft_whole_lines((in > out ? in : out) + MFFT_LINE_BYTES);
  mfft_pm_layout layout = {.second = array, .workspace = on_mesh ? array : 2 * array, .windows = windows};
  layout.bytes = layout.workspace;
  if (on_mesh && mesh->blocks)
    layout.bytes += mfft_pm_blocks_bytes(mesh->blocks);
  else if (plan->options.user_workspace)
    layout.bytes += plan->workspace_bytes;
  if (mesh->precision == MFFT_DOUBLE) return layout;
  const size_t plane = (size_t)mesh->grid.stride[mesh->grid.own.order[0]] * sizeof(float);
  layout.sums = windows || !planes_follow(&mesh->grid) ? array : mfft_whole_lines(plane);
  at_least(&layout.bytes, layout.sums + (windows ? mesh->window.bytes : (size_t)plan->count[MFFT_IN] * sizeof(int64_t)));
  return layout;
}

void mfft_pm_work_of_force(mfft_particle_mesh mesh, int on_mesh, int windows, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  const mfft_desc *d = &mesh->plan->desc;
  const size_t in = mesh->plan->bytes[MFFT_IN], out = mesh->plan->bytes[MFFT_OUT];
  if (d->placement == MFFT_IN_PLACE) {
    mfft_pm_work_of_fields(mesh, 1, 0, bytes);
    at_least(&bytes[MFFT_PM_WORK_CELLS], mfft_pm_layout_of_force(mesh, on_mesh, windows).bytes);
    return;
  }
  mfft_pm_work_of_fields(mesh, 1, mesh->precision == MFFT_SINGLE, bytes);
  at_least(&bytes[MFFT_PM_WORK_CELLS], out + MFFT_LINE_BYTES);
  at_least(&bytes[MFFT_PM_WORK_REAL], in + MFFT_LINE_BYTES);
  if (d->allow_destroy_input) at_least(&bytes[MFFT_PM_WORK_SPECTRUM], out + MFFT_LINE_BYTES);
}

void mfft_pm_work_of_difference(mfft_particle_mesh mesh, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  enum { RESULTS = 4 };
  const size_t tiles = RESULTS * (size_t)mfft_pm_buffer_cells(mesh) + mfft_pm_stencil_tile(&mesh->grid);
  at_least(&bytes[MFFT_PM_WORK_RIMS], (size_t)mfft_pm_stencil_rims(&mesh->grid) * mfft_real_bytes(mesh->precision));
  if (!mesh->calls) at_least(&bytes[MFFT_PM_WORK_TILES], (size_t)mfft_workers_count(mesh->workers) * tiles * sizeof(double));
}

mfft_status mfft_particle_mesh_estimate(mfft_particle_mesh mesh, const mfft_particles *particles, int fields, int forces,
                                        size_t exchanged, mfft_particle_mesh_need *need) {
  size_t work[MFFT_PM_WORK_ARRAYS], difference = 0;
  mfft_pm_stencil *stencil = NULL;
  MFFT_TRY(mfft_pm_check(mesh));
  if (!particles || !need)
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; pass its address", particles ? "the result" : "particles");
  if (particles->count < 0 || (unsigned)particles->type > MFFT_POSITION_FIXED64)
    return mfft_fail(MFFT_ERR_ARG, "particles has a count of %lld and type %d; give 0 or more of a type of the header",
                     (long long)particles->count, (int)particles->type);
  if (fields < 0 || fields > MFFT_PM_MOST_FIELDS)
    return mfft_fail(MFFT_ERR_ARG, "%d fields; give 0 to %d", fields, MFFT_PM_MOST_FIELDS);
  memcpy(work, mesh->work_bytes, sizeof work);
  if (fields > 0) mfft_pm_work_of_fields(mesh, fields, mesh->precision == MFFT_SINGLE ? fields : 0, work);
  if (forces) mfft_pm_work_of_force(mesh, forces > 1, mfft_pm_takes_windows(mesh, particles, forces > 1), work);
  if (forces > 1) {
    mfft_pm_work_of_difference(mesh, work);
    MFFT_TRY(mfft_pm_stencil_create(mesh->comm, mesh->rank, mesh->ranks, mesh->box, &mesh->grid, &stencil));
    difference = mfft_pm_stencil_bytes(stencil);
    mfft_pm_stencil_destroy(stencil);
  }
  at_least(&work[MFFT_PM_WORK_STAGING], exchanged < mesh->scratch_bytes ? exchanged : mesh->scratch_bytes);
  need->ghosts =
      mfft_pm_ghosts_bytes(mesh->ghosts) + (size_t)mesh->ranks * sizeof *mesh->box + difference + work[MFFT_PM_WORK_RIMS];
  need->sorting = work[MFFT_PM_WORK_STAGING];
  if (mesh->calls)
    mfft_pm_work_of_sort(mesh, particles, work);
  else
    need->sorting += mfft_pm_bins_bytes_for(&mesh->bins, particles, mesh->scratch_bytes);
  need->sorting += work[MFFT_PM_WORK_TILES] + work[MFFT_PM_WORK_RECORDS];
  need->meshes = work[MFFT_PM_WORK_CELLS] + work[MFFT_PM_WORK_REAL] + work[MFFT_PM_WORK_SPECTRUM];
  return MFFT_SUCCESS;
}

mfft_status mfft_particle_mesh_seconds(mfft_particle_mesh mesh, double *deposit, double *gather) {
  MFFT_TRY(mfft_pm_check(mesh));
  if (!deposit || !gather) return mfft_fail(MFFT_ERR_ARG, "a result is NULL; pass the addresses of two doubles");
  *deposit = mesh->deposit_s;
  *gather = mesh->gather_s;
  return MFFT_SUCCESS;
}

/* Leaves out the particles in the cells `but`; returns how many are left. */
static int leave_out(const mfft_box *but, int count, double g[3][MFFT_PM_BATCH], int64_t *index) {
  int left = 0;
  for (int i = 0; i < count; i++) {
    int inside = 1;
    for (int a = 0; a < 3; a++) inside &= g[a][i] >= (double)but->lo[a] && g[a][i] < (double)but->hi[a];
    for (int a = 0; a < 3; a++) g[a][left] = g[a][i];
    index[left] = index[i];
    left += !inside;
  }
  return left;
}

void mfft_pm_visit_tile(mfft_particle_mesh mesh, int64_t t, int worker, const mfft_pm_tile *tile, const mfft_box *but,
                        mfft_pm_each *each, void *context) {
  const mfft_pm_bins *bins = &mesh->bins;
  const int64_t end = bins->start[t + 1];
  double g[3][MFFT_PM_BATCH];
  int64_t index[MFFT_PM_BATCH];
  mfft_pm_shares shares;
  for (int64_t i = bins->start[t]; i < end; i += MFFT_PM_BATCH) {
    int count = (int)(end - i < MFFT_PM_BATCH ? end - i : MFFT_PM_BATCH);
    (void)mfft_pm_locate(&mesh->grid, &bins->sorted, i, count, g);
    for (int k = 0; k < count; k++) index[k] = bins->first + mfft_pm_bins_index(bins, i + k);
    if (but) count = leave_out(but, count, g, index);
    mesh->kernels->fill[mesh->grid.order](&mesh->grid, tile, count, g, &shares);
    each(context, worker, tile, &shares, count, index);
  }
}
