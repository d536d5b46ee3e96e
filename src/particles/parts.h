/* parts.h: the layout of own cells and ghost cells of a rank in memory.
 *
 * The own cells are in an array of the plan's IN side; the ghost cells around them in six rims, one after the other in one
 * array: below and above the own cells on axis 0 with all ghost cells of the other axes, then on axis 1 within the own range
 * of axis 0, then on axis 2.  No cell is in two parts, and the own array has no ghost cells. */
#ifndef MFFT_PARTICLES_PARTS_H
#define MFFT_PARTICLES_PARTS_H

#include "particles/shares.h"

enum { MFFT_PM_RIMS = 6, MFFT_PM_PARTS = 1 + MFFT_PM_RIMS };

typedef struct mfft_pm_part {
  mfft_box box;      /* not wrapped; may be empty */
  int64_t stride[3]; /* [axis] elements */
  int64_t start;     /* offset of its first cell in its array, in elements */
} mfft_pm_part;

typedef struct mfft_pm_parts {
  mfft_pm_part part[MFFT_PM_PARTS]; /* the own cells, then the rims */
  int64_t rim_count;                /* elements of all rims */
} mfft_pm_parts;

void mfft_pm_parts_make(const mfft_pm_grid *grid, mfft_pm_parts *parts);

/* Both arrays of a field: own cells, rims; 64-bit integers or numbers of the precision of the mesh. */
typedef struct mfft_pm_arrays {
  void *own, *rims;
} mfft_pm_arrays;

/* Adds a tile's buffer [cells of tile->box] to the cells, which are int64_t. */
void mfft_pm_parts_add(const mfft_pm_parts *parts, const mfft_pm_arrays *arrays, const mfft_pm_tile *tile,
                       const int64_t *buffer);

/* Reads the cells, single or double, into a tile's buffer of doubles. */
void mfft_pm_parts_load(const mfft_pm_parts *parts, const mfft_pm_arrays *arrays, mfft_precision precision,
                        const mfft_pm_tile *tile, double *buffer);

/* Number of cells of a tile's buffer, without the pad of kernels.h. */
int64_t mfft_pm_tile_cells(const mfft_pm_tile *tile);

#endif
