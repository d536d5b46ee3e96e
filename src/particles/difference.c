/* difference.c: see difference.h. */
#include "particles/difference.h"

#include <string.h>

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

mfft_pm_slopes mfft_pm_slopes_make(mfft_particle_mesh mesh, void *potential, const int *axis, int fields) {
  mfft_pm_slopes s = {.mesh = mesh, .potential = {potential, mesh->work[MFFT_PM_WORK_RIMS]}, .fields = fields};
  for (int f = 0; f < fields; f++) {
    s.axis[f] = axis[f];
    s.factor[f] = axis[f] < 0 ? 0 : -mesh->grid.cells[axis[f]] / 12;
  }
  return s;
}

mfft_status mfft_pm_slopes_fetch(const mfft_pm_slopes *s) {
  return mfft_pm_ghosts_fill(s->mesh->stencil->ghosts, &s->potential, s->mesh->precision);
}

/* A tile with the ghost cells of the stencil. */
static mfft_pm_tile widen(const mfft_pm_tile *tile) {
  mfft_pm_tile wide = *tile;
  for (int a = 0; a < 3; a++) {
    wide.box.lo[a] -= MFFT_PM_REACH;
    wide.box.hi[a] += MFFT_PM_REACH;
  }
  wide.stride[1] = wide.box.hi[2] - wide.box.lo[2];
  wide.stride[0] = wide.stride[1] * (wide.box.hi[1] - wide.box.lo[1]);
  return wide;
}

/* Computes a row of differences; step: elements to the next cell along their axis. */
static void take_row(const double *phi, int64_t step, int64_t count, double factor, int single, double *to) {
  for (int64_t i = 0; i < count; i++, phi++)
    to[i] = (8 * (phi[step] - phi[-step]) - (phi[2 * step] - phi[-2 * step])) * factor;
  for (int64_t i = 0; i < count && single; i++) to[i] = (double)(float)to[i];
}

void mfft_pm_slopes_load(const mfft_pm_slopes *s, const mfft_pm_tile *tile, double *buffer, int64_t cells, double *wide) {
  const mfft_pm_tile around = widen(tile);
  const int64_t steps[3] = {around.stride[0], around.stride[1], 1}; /* [axis] */
  const int single = s->mesh->precision == MFFT_SINGLE;
  int64_t n[3]; /* [axis] */
  mfft_pm_parts_load(&s->mesh->stencil->parts, &s->potential, s->mesh->precision, &around, wide);
  for (int a = 0; a < 3; a++) n[a] = tile->box.hi[a] - tile->box.lo[a];
  for (int64_t x = 0; x < n[0]; x++)
    for (int64_t y = 0; y < n[1]; y++) {
      const double *phi = wide + (x + MFFT_PM_REACH) * steps[0] + (y + MFFT_PM_REACH) * steps[1] + MFFT_PM_REACH;
      double *to = buffer + x * tile->stride[0] + y * tile->stride[1];
      for (int f = 0; f < s->fields; f++) {
        if (s->axis[f] < 0)
          memcpy(to + f * cells, phi, (size_t)n[2] * sizeof *phi);
        else
          take_row(phi, steps[s->axis[f]], n[2], s->factor[f], single, to + f * cells);
      }
    }
}
