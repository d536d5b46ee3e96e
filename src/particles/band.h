/* band.h: the planes of 64-bit sums that a deposit holds at a time.
 *
 * The sums of all own cells would need the memory of two meshes in single precision.  A band holds those of some planes
 * along one axis: the cells of some tiles and the ghost cells around them.  When all particles of these tiles have been
 * added, the planes that no later tile reaches become numbers of the mesh, the others are copied to the first planes of the
 * band, and the band advances. */
#ifndef MFFT_PARTICLES_BAND_H
#define MFFT_PARTICLES_BAND_H

#include "particles/grid.h"

typedef struct mfft_pm_band {
  int axis;            /* the axis along which the band advances */
  int64_t tiles, step; /* tiles along the axis, and how many of them are processed at a time */
  int64_t tile_cells;  /* own cells of a tile along the axis */
  int64_t planes;      /* most planes that are held at a time */
  int64_t stride[3];   /* [axis] distances of neighbouring sums in elements; on a device those of the mesh */
  size_t bytes;        /* bytes of the sums */
} mfft_pm_band;

/* The band of a mesh with tiles of 2^tile_log cells: an eighth of the own cells at most, a quarter on a device, and at
 * least one tile. */
mfft_pm_band mfft_pm_band_of(const mfft_pm_grid *grid, const int tile_log[3], int on_device);

/* A position of the band.  Planes are numbered from the first own cell of the rank on. */
typedef struct mfft_pm_position {
  int64_t tile, end;       /* the tiles [tile, end) whose particles are added here */
  int64_t first, held_end; /* the planes [first, held_end) that are held */
  int64_t clear;           /* the planes [clear, held_end) are new, and are cleared first */
  int64_t done;            /* the planes [first, done) are complete afterwards; the others are needed again */
} mfft_pm_position;
/* The position whose first tile is `tile`. */
mfft_pm_position mfft_pm_band_at(const mfft_pm_grid *grid, const mfft_pm_band *band, int64_t tile);

#endif
