/* work.c: the sizes of the work arrays of a mesh, and the arrays that share MFFT_PM_WORK_CELLS (mesh.h). */
#include <inttypes.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/precision.h"
#include "particles/mesh.h"

int64_t mfft_pm_buffer_cells(mfft_particle_mesh mesh) { return mfft_pm_bins_tile_cells(&mesh->bins) + MFFT_PM_PAD; }

static void at_least(size_t *bytes, size_t least) {
  if (*bytes < least) *bytes = least;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

/* ---- Sorting --------------------------------------------------------------------------------------------------------- */

/* Bytes for a sort in MFFT_PM_WORK_CELLS beside one mesh, and the least beside the sums of all cells. */
static size_t sort_share(mfft_particle_mesh mesh) { return larger(mesh->scratch_bytes, mfft_pm_bins_least_bytes()); }
static size_t least_share(mfft_particle_mesh mesh) { return larger(mesh->scratch_bytes / 2, mfft_pm_bins_least_bytes()); }

/* Bytes of MFFT_PM_WORK_CELLS from an offset on. */
static size_t beyond(mfft_particle_mesh mesh, size_t offset) {
  const size_t all = mesh->work_bytes[MFFT_PM_WORK_CELLS];
  return all > offset ? all - offset : 0;
}

static int sorts_all(const mfft_particles *particles, size_t bytes) {
  return bytes && mfft_pm_bins_capacity(particles, bytes) == particles->count;
}

/* As mfft_pm_bins_reserve, on a device. */
static mfft_status reserve_on_device(mfft_particle_mesh mesh, const mfft_particles *particles, void *lent, size_t bytes) {
  size_t need[MFFT_PM_WORK_ARRAYS] = {0};
  if (mesh->bins.valid) return MFFT_SUCCESS; /* the sort is in this memory */
  mfft_pm_work_of_sort(mesh, particles, bytes, need);
  MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_TILES, need[MFFT_PM_WORK_TILES]));
  if (!lent) MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_RECORDS, need[MFFT_PM_WORK_RECORDS]));
  mesh->bins.capacity = mfft_pm_bins_capacity(particles, bytes);
  mesh->device.sort = (mfft_particle_sort){.tables = mesh->work[MFFT_PM_WORK_TILES],
                                           .records = lent ? lent : mesh->work[MFFT_PM_WORK_RECORDS],
                                           .capacity = mesh->bins.capacity};
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_reserve_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t used) {
  const size_t offset = mfft_whole_lines(used);
  const int shares = mesh->shares_sort;
  if (shares) MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_CELLS, offset + least_share(mesh)));
  void *memory = shares ? (char *)mesh->work[MFFT_PM_WORK_CELLS] + offset : NULL;
  const size_t bytes = shares ? beyond(mesh, offset) : mesh->scratch_bytes;
  return mesh->calls ? reserve_on_device(mesh, particles, memory, bytes)
                     : mfft_pm_bins_reserve(&mesh->bins, particles, memory, bytes);
}

void mfft_pm_share_sort(mfft_particle_mesh mesh) {
  if (mesh->shares_sort) return;
  mesh->shares_sort = 1;
  mfft_pm_bins_free(&mesh->bins);
  mfft_pm_release(mesh, MFFT_PM_WORK_RECORDS);
}

size_t mfft_pm_cells_used(mfft_particle_mesh mesh, const void *array) {
  const uintptr_t at = (uintptr_t)array, first = (uintptr_t)mesh->work[MFFT_PM_WORK_CELLS];
  const int inside = first && at >= first && at - first < mesh->work_bytes[MFFT_PM_WORK_CELLS];
  return inside ? mesh->layout.gather_sort : 0;
}

/* ---- Deposits and gathers -------------------------------------------------------------------------------------------- */

static size_t sums_bytes(mfft_particle_mesh mesh, int fields) {
  return (size_t)fields * (size_t)mesh->plan->count[MFFT_IN] * sizeof(int64_t);
}

void mfft_pm_work_of_fields(mfft_particle_mesh mesh, int fields, int separate, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  const size_t workers = (size_t)mfft_workers_count(mesh->workers), buffer = (size_t)mfft_pm_buffer_cells(mesh);
  at_least(&bytes[MFFT_PM_WORK_CELLS], sums_bytes(mesh, separate));
  at_least(&bytes[MFFT_PM_WORK_RIMS], (size_t)fields * (size_t)mesh->parts.rim_count * sizeof(int64_t));
  if (mesh->calls) return; /* the buffers of tiles are in the multiprocessors */
  at_least(&bytes[MFFT_PM_WORK_TILES], workers * (size_t)fields * buffer * sizeof(int64_t));
}

void mfft_pm_work_of_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t allowed,
                          size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  const int64_t capacity = mfft_pm_bins_capacity(particles, allowed);
  at_least(&bytes[MFFT_PM_WORK_TILES], mesh->calls->table_bytes(&mesh->device.space, capacity));
  at_least(&bytes[MFFT_PM_WORK_RECORDS], mesh->calls->record_bytes(capacity, mfft_pm_position_bytes(particles->type)));
}

/* ---- Forces ---------------------------------------------------------------------------------------------------------- */

/* Whether planes of the own cells follow each other in memory, so that sums can become numbers plane by plane. */
static int planes_follow(const mfft_pm_grid *grid) {
  const int *order = grid->own.order;
  for (int i = 0; i < 2; i++)
    if (grid->stride[order[i]] < grid->stride[order[i + 1]] * mfft_box_extent(&grid->own, order[i + 1])) return 0;
  return 1;
}

/* The layout without a sort.  bands: 1: the sums are those of a band. */
static mfft_pm_layout lay_out(mfft_particle_mesh mesh, int on_mesh, int bands) {
  const mfft_plan plan = mesh->plan;
  const size_t in = plan->bytes[MFFT_IN], out = plan->bytes[MFFT_OUT],
               array = mfft_whole_lines(larger(in, out) + MFFT_LINE_BYTES);
  mfft_pm_layout layout = {.second = array, .workspace = on_mesh ? array : 2 * array, .bands = bands};
  size_t sums_end = array; /* in double they are the array */
  layout.bytes = layout.workspace;
  if (on_mesh && mesh->blocks)
    layout.bytes += mfft_pm_blocks_bytes(mesh->blocks);
  else if (plan->options.user_workspace)
    layout.bytes += plan->workspace_bytes;
  if (mesh->precision == MFFT_SINGLE) {
    const size_t plane = (size_t)mesh->grid.stride[mesh->grid.own.order[0]] * sizeof(float);
    layout.sums = bands || !planes_follow(&mesh->grid) ? array : mfft_whole_lines(plane);
    sums_end = layout.sums + (bands ? mesh->band.bytes : (size_t)plan->count[MFFT_IN] * sizeof(int64_t));
  }
  at_least(&layout.bytes, sums_end);
  layout.deposit_sort = mfft_whole_lines(bands ? layout.bytes : sums_end);
  layout.gather_sort = bands ? layout.deposit_sort : layout.workspace;
  return layout;
}

mfft_pm_layout mfft_pm_layout_of_force(mfft_particle_mesh mesh, const mfft_particles *particles, int on_mesh) {
  mfft_pm_layout layout = lay_out(mesh, on_mesh, on_mesh);
  const size_t for_sort = mesh->shares_sort ? beyond(mesh, layout.deposit_sort) : mesh->scratch_bytes;
  layout.shares_sort = mesh->shares_sort;
  if (on_mesh && (!particles || sorts_all(particles, for_sort))) return layout;
  layout = lay_out(mesh, on_mesh, 0);
  layout.shares_sort = mesh->shares_sort || (on_mesh && mesh->plan->desc.placement == MFFT_IN_PLACE);
  if (!layout.shares_sort) return layout;
  at_least(&layout.bytes, layout.gather_sort + sort_share(mesh));
  at_least(&layout.bytes, layout.deposit_sort + least_share(mesh));
  return layout;
}

void mfft_pm_work_of_force(mfft_particle_mesh mesh, const mfft_pm_layout *layout, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  const mfft_desc *d = &mesh->plan->desc;
  const size_t in = mesh->plan->bytes[MFFT_IN], out = mesh->plan->bytes[MFFT_OUT];
  if (d->placement == MFFT_IN_PLACE) {
    mfft_pm_work_of_fields(mesh, 1, 0, bytes);
    at_least(&bytes[MFFT_PM_WORK_CELLS], layout->bytes);
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

/* ---- Estimates ------------------------------------------------------------------------------------------------------- */

static mfft_status check_estimate(mfft_particle_mesh mesh, const mfft_particles *particles, int fields,
                                  const mfft_particle_mesh_need *need) {
  MFFT_TRY(mfft_pm_check(mesh));
  if (!particles || !need)
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL; pass its address", particles ? "the result" : "particles");
  if (particles->count < 0 || (unsigned)particles->type > MFFT_POSITION_FIXED64)
    return mfft_fail(MFFT_ERR_ARG, "particles has a count of %lld and type %d; give 0 or more of a type of the header",
                     (long long)particles->count, (int)particles->type);
  if (fields < 0 || fields > MFFT_PM_MOST_FIELDS)
    return mfft_fail(MFFT_ERR_ARG, "%d fields; give 0 to %d", fields, MFFT_PM_MOST_FIELDS);
  return MFFT_SUCCESS;
}

/* Bytes of the ghost cells that differences need, which no work array has. */
static mfft_status stencil_bytes(mfft_particle_mesh mesh, size_t *bytes) {
  mfft_pm_stencil *stencil = NULL;
  MFFT_TRY(mfft_pm_stencil_create(mesh->comm, mesh->rank, mesh->ranks, mesh->box, &mesh->grid, &stencil));
  *bytes = mfft_pm_stencil_bytes(stencil);
  mfft_pm_stencil_destroy(stencil);
  return MFFT_SUCCESS;
}

mfft_status mfft_particle_mesh_estimate(mfft_particle_mesh mesh, const mfft_particles *particles, int fields, int forces,
                                        size_t exchanged, mfft_particle_mesh_need *need) {
  size_t work[MFFT_PM_WORK_ARRAYS], difference = 0, shared = 0;
  MFFT_TRY(check_estimate(mesh, particles, fields, need));
  memcpy(work, mesh->work_bytes, sizeof work);
  const int separate = mesh->precision == MFFT_SINGLE ? fields : 0;
  if (fields > 0) mfft_pm_work_of_fields(mesh, fields, separate, work);
  if (forces) {
    const mfft_pm_layout layout = mfft_pm_layout_of_force(mesh, particles, forces > 1);
    mfft_pm_work_of_force(mesh, &layout, work);
    if (layout.shares_sort) {
      shared = layout.bytes - layout.gather_sort;
      if (fields) at_least(&work[MFFT_PM_WORK_CELLS], mfft_whole_lines(sums_bytes(mesh, separate)) + least_share(mesh));
    }
  }
  if (forces > 1) {
    mfft_pm_work_of_difference(mesh, work);
    MFFT_TRY(stencil_bytes(mesh, &difference));
  }
  at_least(&work[MFFT_PM_WORK_STAGING], exchanged < mesh->scratch_bytes ? exchanged : mesh->scratch_bytes);
  need->ghosts =
      mfft_pm_ghosts_bytes(mesh->ghosts) + (size_t)mesh->ranks * sizeof *mesh->box + difference + work[MFFT_PM_WORK_RIMS];
  need->sorting = work[MFFT_PM_WORK_STAGING] + shared;
  if (mesh->calls) mfft_pm_work_of_sort(mesh, particles, shared ? shared : mesh->scratch_bytes, work);
  if (!mesh->calls)
    need->sorting +=
        shared ? mfft_pm_bins_bytes(&mesh->bins) : mfft_pm_bins_bytes_for(&mesh->bins, particles, mesh->scratch_bytes);
  need->sorting += work[MFFT_PM_WORK_TILES] + (shared ? 0 : work[MFFT_PM_WORK_RECORDS]);
  need->meshes = work[MFFT_PM_WORK_CELLS] - shared + work[MFFT_PM_WORK_REAL] + work[MFFT_PM_WORK_SPECTRUM] +
                 mfft_pm_blocks_window_bytes(mesh->blocks);
  return MFFT_SUCCESS;
}
