/* space.c: see space.h. */
#include "particles/space.h"

_Static_assert((int)MFFT_RIMS == (int)MFFT_PM_RIMS, "the rims of parts.h");

void mfft_pm_space_make(const mfft_pm_grid *grid, const mfft_pm_parts *parts, mfft_precision precision,
                        mfft_particle_space *space) {
  *space = (mfft_particle_space){
      .precision = precision, .order = grid->order, .low = grid->low, .high = grid->high, .shift = grid->shift};
  for (int a = 0; a < 3; a++) {
    space->scale[a] = grid->cells[a];
    space->n[a] = grid->n[a];
    space->lo[a] = grid->own.lo[a];
    space->extent[a] = mfft_box_extent(&grid->own, a);
    space->stride[a] = grid->stride[a];
    space->memory[a] = grid->own.order[a];
  }
  for (int rim = 0; rim < MFFT_RIMS; rim++) {
    const mfft_pm_part *part = &parts->part[1 + rim];
    space->rim_start[rim] = part->start;
    for (int a = 0; a < 3; a++) {
      space->rim_stride[rim][a] = part->stride[a];
      space->rim_start[rim] += (grid->own.lo[a] - part->box.lo[a]) * part->stride[a];
    }
  }
}
