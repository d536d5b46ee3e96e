/* window.h: the planes of 64-bit sums that a deposit holds at a time.
 *
 * The sums of all own cells would be two meshes in single precision.  A window holds those of some planes along one axis:
 * the cells of some tiles and the ghost cells around them.  When all particles of these tiles have been added, the planes
 * that no later tile reaches become numbers of the mesh, the others move to the front, and the window advances. */
#ifndef MFFT_PARTICLES_WINDOW_H
#define MFFT_PARTICLES_WINDOW_H

#include "particles/grid.h"

typedef struct mfft_pm_window {
  int axis;
  int64_t tiles, step; /* tiles along the axis, and how many of them are processed at a time */
  int64_t tile_cells;  /* own cells of a tile along the axis */
  int64_t planes;      /* that are held at a time */
  int64_t stride[3];   /* [axis] elements; on a device those of the mesh */
  size_t bytes;
} mfft_pm_window;

/* The window of a mesh with tiles of 2^tile_log cells: an eighth of the own cells at most, a quarter on a device, and at
 * least one tile. */
mfft_pm_window mfft_pm_window_of(const mfft_pm_grid *grid, const int tile_log[3], int on_device);

/* The planes of a position of the window, as own cells relative to the first: the tiles [tile, end) are added. */
typedef struct mfft_pm_position {
  int64_t tile, end;
  int64_t first, held_end; /* planes that are held */
  int64_t clear;           /* those from here on are new */
  int64_t done;            /* those before are complete afterwards; from here on they are needed again */
} mfft_pm_position;
mfft_pm_position mfft_pm_window_at(const mfft_pm_grid *grid, const mfft_pm_window *window, int64_t tile);

#endif
