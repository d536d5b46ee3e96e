/* shares.h: the shares that a particle gives to mesh points, for each window of mass assignment.
 *
 * For a batch of particles of one tile: the offset of the first mesh point of each particle's window, the offset of the
 * nearest point, and the shares along each axis.  All are functions of the particle's coordinate alone, in operations that
 * round the same on every machine: none of them may be contracted to fused multiply-adds. */
#ifndef MFFT_PARTICLES_SHARES_H
#define MFFT_PARTICLES_SHARES_H

#include "base/assignment.h"
#include "particles/grid.h"

/* Lanes of the fast axis: shares beyond the order are 0. */
enum { MFFT_PM_LANES = 4 };

typedef struct mfft_pm_shares {
  int32_t first[MFFT_PM_BATCH];           /* offset of the lowest mesh point in the buffer of a tile */
  int32_t nearest[MFFT_PM_BATCH];         /* offset of the mesh point that gets the remainder of rounding */
  double x[MFFT_PM_LANES][MFFT_PM_BATCH]; /* [point][particle] */
  double y[MFFT_PM_LANES][MFFT_PM_BATCH]; /* [point][particle] */
  double z[MFFT_PM_BATCH][MFFT_PM_LANES]; /* [particle][point] */
} mfft_pm_shares;

/* The tile's buffer: rows of ghost and own cells in C order. */
typedef struct mfft_pm_tile {
  mfft_box box;      /* own cells and ghost cells, not wrapped */
  int64_t stride[2]; /* elements between planes, between rows */
} mfft_pm_tile;

static inline void mfft_pm_shares_fill(int order, const mfft_pm_grid *grid, const mfft_pm_tile *tile, int count,
                                       double g[3][MFFT_PM_BATCH], mfft_pm_shares *s) {
  const int32_t plane = (int32_t)tile->stride[0], row = (int32_t)tile->stride[1];
  const int32_t lx = (int32_t)tile->box.lo[0], ly = (int32_t)tile->box.lo[1], lz = (int32_t)tile->box.lo[2];
  for (int i = 0; i < count; i++) {
    double w[3][MFFT_PM_LANES] = {{0}}, d[3]; /* [axis][lane], [axis] */
    const int32_t x = mfft_window_lowest(order, g[0][i], grid->shift, &d[0]) - lx;
    const int32_t y = mfft_window_lowest(order, g[1][i], grid->shift, &d[1]) - ly;
    const int32_t z = mfft_window_lowest(order, g[2][i], grid->shift, &d[2]) - lz;
    for (int a = 0; a < 3; a++) mfft_window_shares(order, d[a], w[a]);
    s->first[i] = x * plane + y * row + z;
    s->nearest[i] = (x + mfft_window_nearest(order, d[0])) * plane + (y + mfft_window_nearest(order, d[1])) * row + z +
                    mfft_window_nearest(order, d[2]);
    for (int p = 0; p < order; p++) {
      s->x[p][i] = w[0][p];
      s->y[p][i] = w[1][p];
    }
    for (int p = 0; p < MFFT_PM_LANES; p++) s->z[i][p] = w[2][p];
  }
}

#endif
