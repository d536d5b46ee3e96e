/* difference.c: see difference.h. */
#include "particles/difference.h"

#include "particles/space.h"
#include "plan/plan.h"

mfft_status mfft_pm_difference_create(mfft_particle_mesh mesh) {
  mfft_pm_stencil *s = NULL;
  if (mesh->stencil) return MFFT_SUCCESS;
  MFFT_TRY(mfft_pm_stencil_create(mesh->comm, mesh->rank, mesh->ranks, mesh->box, &mesh->grid, &s));
  mfft_status status = MFFT_SUCCESS;
  if (mesh->calls) {
    mfft_pm_space_make(&s->grid, &s->parts, mesh->precision, &s->space);
    status = mfft_pm_ghosts_on_device(s->ghosts, mesh->plan, mesh->dynamic);
  }
  if (status == MFFT_SUCCESS)
    mesh->stencil = s;
  else
    mfft_pm_stencil_destroy(s);
  return status;
}

mfft_status mfft_pm_difference_fetch(mfft_particle_mesh mesh, void *potential) {
  const mfft_pm_arrays cells = {potential, mesh->work[MFFT_PM_WORK_STENCIL]};
  return mfft_pm_ghosts_fill(mesh->stencil->ghosts, &cells, mesh->precision);
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
  double *buffer = (double *)s->mesh->work[MFFT_PM_WORK_TILES] + (size_t)worker * mfft_pm_stencil_tile();
  int64_t first[3], n[3]; /* own cells: the first, relative to those of the rank, and how many */
  mfft_pm_parts_load(&s->mesh->stencil->parts, &s->cells, s->mesh->precision, &tile, buffer);
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
    return mesh->calls->difference(&mesh->stencil->space, axis, s.factor, potential, s.cells.rims, force,
                                   mesh->plan->stream);
  return mfft_pm_run(mesh->workers, mesh->bins.tile_count, tile_task, &s);
}
