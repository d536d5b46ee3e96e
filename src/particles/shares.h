/* shares.h: the shares that a particle gives to mesh points, for each window of mass assignment.
 *
 * For a batch of particles of one tile: the offset of the first mesh point of each particle's window, the offset of the
 * nearest point, and the shares along each axis.  All are functions of the particle's coordinate alone, in operations that
 * round the same on every machine: none of them may be contracted to fused multiply-adds. */
#ifndef MFFT_PARTICLES_SHARES_H
#define MFFT_PARTICLES_SHARES_H

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

/* Shares w[order] of the points of a window, from the distance d in cells that mfft_pm_lowest returns. */
static inline void mfft_pm_weigh(int order, double d, double w[MFFT_PM_LANES]) {
  if (order == 1) {
    w[0] = 1;
  } else if (order == 2) { /* d in [0, 1) from the lower point */
    w[0] = 1 - d;
    w[1] = d;
  } else if (order == 3) { /* d in [-1/2, 1/2) from the middle point */
    w[0] = 0.5 * ((0.5 - d) * (0.5 - d));
    w[1] = 0.75 - d * d;
    w[2] = 0.5 * ((0.5 + d) * (0.5 + d));
  } else { /* d in [0, 1) from the second point */
    const double e = 1 - d, d2 = d * d, e2 = e * e, sixth = 1.0 / 6;
    w[0] = sixth * (e2 * e);
    w[1] = sixth * (4 - 6 * d2 + 3 * (d2 * d));
    w[2] = sixth * (4 - 6 * e2 + 3 * (e2 * e));
    w[3] = sixth * (d2 * d);
  }
}

/* Index of the lowest point of the window at coordinate g, and in *d the distance from the point that mfft_pm_weigh refers
 * to.  The sum may round a coordinate just below the middle between two points up to the middle, which would give a window
 * beyond the ghost cells of its cell: d is then below its least value, and the preceding point is the right one. */
static inline int32_t mfft_pm_lowest(int order, double g, double shift, double *d) {
  const double s = g - shift, up = order & 1 ? 1.5 : 1; /* plus one, so that the truncated number is positive */
  const double rounded = (double)((int32_t)(s + up) - 1), over = s - rounded < 1 - up ? 1 : 0;
  *d = s - rounded + over;
  return (int32_t)(rounded - over) - (order > 2);
}

static inline void mfft_pm_shares_fill(int order, const mfft_pm_grid *grid, const mfft_pm_tile *tile, int count,
                                       double g[3][MFFT_PM_BATCH], mfft_pm_shares *s) {
  const int32_t plane = (int32_t)tile->stride[0], row = (int32_t)tile->stride[1];
  const int32_t lx = (int32_t)tile->box.lo[0], ly = (int32_t)tile->box.lo[1], lz = (int32_t)tile->box.lo[2];
  for (int i = 0; i < count; i++) {
    double w[3][MFFT_PM_LANES] = {{0}}, d[3];
    const int32_t x = mfft_pm_lowest(order, g[0][i], grid->shift, &d[0]) - lx;
    const int32_t y = mfft_pm_lowest(order, g[1][i], grid->shift, &d[1]) - ly;
    const int32_t z = mfft_pm_lowest(order, g[2][i], grid->shift, &d[2]) - lz;
    const int middle = order > 2, even = !(order & 1);
    for (int a = 0; a < 3; a++) mfft_pm_weigh(order, d[a], w[a]);
    s->first[i] = x * plane + y * row + z;
    s->nearest[i] = (x + middle + (even && d[0] >= 0.5)) * plane + (y + middle + (even && d[1] >= 0.5)) * row + z + middle +
                    (even && d[2] >= 0.5);
    for (int p = 0; p < order; p++) {
      s->x[p][i] = w[0][p];
      s->y[p][i] = w[1][p];
    }
    for (int p = 0; p < MFFT_PM_LANES; p++) s->z[i][p] = w[2][p];
  }
}

#endif
