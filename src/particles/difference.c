/* difference.c: see difference.h. */
#include "particles/difference.h"

#include <stdlib.h>
#include <string.h>

#include "particles/space.h"
#include "plan/plan.h"

struct mfft_pm_difference {
  mfft_pm_grid grid; /* that of the mesh, with the ghost cells of the difference */
  mfft_pm_parts parts;
  mfft_pm_ghosts *ghosts;
  mfft_particle_space space; /* on a device */
};

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

static void make_geometry(mfft_particle_mesh mesh, mfft_pm_grid *grid, mfft_pm_parts *parts) {
  *grid = mesh->grid;
  grid->low = grid->high = MFFT_PM_REACH;
  mfft_pm_parts_make(grid, parts);
}

mfft_status mfft_pm_difference_create(mfft_particle_mesh mesh) {
  if (mesh->difference) return MFFT_SUCCESS;
  mfft_pm_difference *d = calloc(1, sizeof *d);
  if (!d) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the differences of a potential");
  mesh->difference = d;
  make_geometry(mesh, &d->grid, &d->parts);
  mfft_status status =
      mfft_pm_ghosts_create(mesh->comm, mesh->rank, mesh->ranks, mesh->box, &d->grid, &d->parts, &d->ghosts);
  if (status == MFFT_SUCCESS && mesh->calls) {
    mfft_pm_space_make(&d->grid, &d->parts, mesh->precision, &d->space);
    status = mfft_pm_ghosts_on_device(d->ghosts, mesh->plan, mesh->dynamic);
  }
  if (status != MFFT_SUCCESS) mfft_pm_difference_destroy(mesh);
  return status;
}

void mfft_pm_difference_destroy(mfft_particle_mesh mesh) {
  if (!mesh->difference) return;
  mfft_pm_ghosts_destroy(mesh->difference->ghosts);
  free(mesh->difference);
  mesh->difference = NULL;
}

size_t mfft_pm_difference_bytes(mfft_particle_mesh mesh) {
  return mesh->difference ? mfft_pm_ghosts_bytes(mesh->difference->ghosts) : 0;
}

mfft_status mfft_pm_difference_estimate(mfft_particle_mesh mesh, size_t *bytes) {
  mfft_pm_grid grid;
  mfft_pm_parts parts;
  mfft_pm_ghosts *ghosts = NULL;
  make_geometry(mesh, &grid, &parts);
  MFFT_TRY(mfft_pm_ghosts_create(mesh->comm, mesh->rank, mesh->ranks, mesh->box, &grid, &parts, &ghosts));
  *bytes = mfft_pm_ghosts_bytes(ghosts);
  mfft_pm_ghosts_destroy(ghosts);
  return MFFT_SUCCESS;
}

/* Cells of the largest tile, extended along one axis. */
static size_t tile_cells(void) {
  const size_t x = 1 << MFFT_PM_TILE_LOG_X, y = 1 << MFFT_PM_TILE_LOG_Y, z = 1 << MFFT_PM_TILE_LOG_Z;
  const size_t least = x < y ? (x < z ? x : z) : (y < z ? y : z);
  return x * y * z / least * (least + 2 * MFFT_PM_REACH);
}

void mfft_pm_work_of_difference(mfft_particle_mesh mesh, size_t bytes[MFFT_PM_WORK_ARRAYS]) {
  enum { ALIGN = 64 };
  mfft_pm_grid grid;
  mfft_pm_parts parts;
  make_geometry(mesh, &grid, &parts);
  const size_t tiles = (size_t)mfft_workers_count(mesh->workers) * tile_cells() * sizeof(double);
  const size_t need[MFFT_PM_WORK_ARRAYS] = {
      [MFFT_PM_WORK_CELLS] = mesh->plan->bytes[MFFT_IN] + ALIGN, /* the force, where the spectrum was */
      [MFFT_PM_WORK_STENCIL] = (size_t)parts.rim_count * (mesh->precision == MFFT_SINGLE ? sizeof(float) : sizeof(double)),
      [MFFT_PM_WORK_TILES] = mesh->calls ? 0 : tiles};
  for (int array = 0; array < MFFT_PM_WORK_ARRAYS; array++)
    if (bytes[array] < need[array]) bytes[array] = need[array];
}

/* ---- Differences ----------------------------------------------------------------------------------------------------- */

mfft_status mfft_pm_difference_fetch(mfft_particle_mesh mesh, void *potential) {
  const mfft_pm_arrays cells = {potential, mesh->work[MFFT_PM_WORK_STENCIL]};
  return mfft_pm_ghosts_fill(mesh->difference->ghosts, &cells, mesh->precision);
}

typedef struct sweep {
  mfft_particle_mesh mesh;
  mfft_pm_arrays cells;
  void *force;
  int axis;
  double factor; /* -1/(12 h) */
} sweep;

/* The own cells of tile t, with ghost cells along the axis of the difference. */
static mfft_pm_tile extend(const sweep *s, int64_t t) {
  const mfft_pm_grid *grid = &s->mesh->grid;
  mfft_pm_tile tile = mfft_pm_bins_tile(&s->mesh->bins, t);
  for (int a = 0; a < 3; a++) {
    const int reach = a == s->axis ? MFFT_PM_REACH : 0;
    tile.box.lo[a] += grid->low - reach;
    tile.box.hi[a] += reach - grid->high;
  }
  tile.stride[1] = tile.box.hi[2] - tile.box.lo[2];
  tile.stride[0] = tile.stride[1] * (tile.box.hi[1] - tile.box.lo[1]);
  return tile;
}

/* Writes the differences of a row; step: elements to the next cell along their axis. */
static void take_row(const sweep *s, const double *phi, int64_t step, int64_t count, int64_t at) {
  const int64_t stride = s->mesh->grid.stride[2];
  for (int64_t i = 0; i < count; i++, phi++) {
    const double value = (8 * (phi[step] - phi[-step]) - (phi[2 * step] - phi[-2 * step])) * s->factor;
    if (s->mesh->precision == MFFT_SINGLE)
      ((float *)s->force)[at + i * stride] = (float)value;
    else
      ((double *)s->force)[at + i * stride] = value;
  }
}

static mfft_status tile_task(void *context, int64_t t, int worker) {
  const sweep *s = context;
  const mfft_pm_grid *grid = &s->mesh->grid;
  const mfft_pm_tile tile = extend(s, t);
  const int64_t steps[3] = {tile.stride[0], tile.stride[1], 1}, step = steps[s->axis];
  double *buffer = (double *)s->mesh->work[MFFT_PM_WORK_TILES] + (size_t)worker * tile_cells();
  int64_t first[3], n[3]; /* own cells: the first, relative to those of the rank, and how many */
  mfft_pm_parts_load(&s->mesh->difference->parts, &s->cells, s->mesh->precision, &tile, buffer);
  for (int a = 0; a < 3; a++) {
    const int reach = a == s->axis ? MFFT_PM_REACH : 0;
    first[a] = tile.box.lo[a] + reach - grid->own.lo[a];
    n[a] = tile.box.hi[a] - tile.box.lo[a] - 2 * reach;
  }
  for (int64_t x = 0; x < n[0]; x++)
    for (int64_t y = 0; y < n[1]; y++)
      take_row(s, buffer + MFFT_PM_REACH * step + x * steps[0] + y * steps[1], step, n[2],
               (first[0] + x) * grid->stride[0] + (first[1] + y) * grid->stride[1] + first[2] * grid->stride[2]);
  return MFFT_SUCCESS;
}

mfft_status mfft_pm_difference_take(mfft_particle_mesh mesh, void *potential, int axis, void *force) {
  sweep s = {.mesh = mesh,
             .cells = {potential, mesh->work[MFFT_PM_WORK_STENCIL]},
             .force = force,
             .axis = axis,
             .factor = -mesh->grid.cells[axis] / 12};
  if (mesh->calls)
    return mesh->calls->difference(&mesh->difference->space, axis, s.factor, potential, s.cells.rims, force,
                                   mesh->plan->stream);
  return mfft_pm_run(mesh->workers, mesh->bins.tile_count, tile_task, &s);
}
