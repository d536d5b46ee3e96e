/* creation.c: particle meshes are made for a plan and destroyed. */
#include "particles/mesh.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/precision.h"
#include "base/versioned.h"
#include "base/words.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
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
  MFFT_TRY(mfft_desc_require_field(d, "the plan", "particles"));
  if (d->precision != MFFT_DOUBLE && d->precision != MFFT_SINGLE)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "the plan is in %s, and particles need a mesh of MFFT_SINGLE or MFFT_DOUBLE; make it in one of these",
                     mfft_precision_words[d->precision]);
  MFFT_TRY(mfft_options_refuse_host_arrays(&plan->options, plan->backend, "a mesh of particles"));
  if (!plan->backend->host_memory && !plan->backend->particles)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "backend %s has no particles; make the plan with backend \"cuda\" or \"fftw\"",
                     plan->backend->name);
  for (int a = 0; a < 3; a++)
    if (d->n[a] > 1 << 30)
      return mfft_fail(MFFT_ERR_UNSUPPORTED, "the plan has %" PRId64 " cells on axis %d; use at most 2^30", d->n[a], a);
  return MFFT_SUCCESS;
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
  const mfft_box rows = dist && dist->padded ? mfft_box_padded(&grid->own, 2) : grid->own;
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
  for (int i = 0; i < 2; i++) MFFT_TRY(mesh->plan->backend->device->timer_create(&mesh->device.timer[i]));
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
  const mfft_pm_layout layout = mfft_pm_layout_of_force(mesh, NULL, 1);
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
  mesh->band = mfft_pm_band_of(grid, mesh->calls ? mesh->calls->tile_log : mfft_pm_tile_log, mesh->calls != NULL);
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

void mfft_particle_mesh_destroy(mfft_particle_mesh mesh) {
  mfft_device_guard guard = {NULL, NULL};
  if (!mesh) return;
  if (mesh->gives_workspace) mesh->plan->workspace = NULL;
  mfft_pm_blocks_destroy(mesh->blocks);
  if (mesh->calls) (void)mfft_device_guard_enter(&mesh->plan->context, &guard);
  mfft_pm_ghosts_destroy(mesh->ghosts);
  mfft_pm_stencil_destroy(mesh->stencil);
  mfft_green_destroy(mesh->green);
  mfft_dynamic_destroy(mesh->dynamic);
  if (mesh->spare_order) mesh->plan->backend->free(mesh->spare_order);
  for (int i = 0; i < 2 && mesh->calls; i++) mesh->plan->backend->device->timer_destroy(mesh->device.timer[i]);
  for (int work = 0; work < MFFT_PM_WORK_ARRAYS; work++) mfft_pm_release(mesh, (mfft_pm_work)work);
  mfft_device_guard_leave(&guard);
  mfft_pm_bins_destroy(&mesh->bins);
  mfft_workers_destroy(mesh->workers);
  mfft_comm_free(&mesh->comm);
  free(mesh->box);
  free(mesh);
}
