/* kernels.h: the inner loops of deposit and gather on a CPU, on the buffer of one tile.
 *
 * They are compiled for the baseline CPU of the architecture, and on x86-64 also for AVX2 and AVX-512; a mesh uses the
 * fastest set that the machine supports.  All sets give the same bits: the operations on each number are the same, and none
 * is contracted to a fused multiply-add.
 *
 * Integers.  A weight is a double that holds an integer of at most 2^50; its share in a mesh point is rounded to an integer
 * by adding 1.5 * 2^52, which leaves the integer in the low bits of the sum.  Buffers are arrays of int64_t, which no sum of
 * shares overflows (scale.h). */
#ifndef MFFT_PARTICLES_KERNELS_H
#define MFFT_PARTICLES_KERNELS_H

#include "particles/shares.h"

/* Elements after a tile's buffer that the kernels may read, and to which they add 0. */
enum { MFFT_PM_PAD = MFFT_PM_LANES };

/* Computes the shares of `count` particles with the coordinates g[axis][count], in the tile's own cells. */
typedef void mfft_pm_fill(const mfft_pm_grid *grid, const mfft_pm_tile *tile, int count, double g[3][MFFT_PM_BATCH],
                          mfft_pm_shares *shares);

/* Adds the shares of `count` particles to the buffer; weight[count] are integers. */
typedef void mfft_pm_add(const mfft_pm_shares *shares, const mfft_pm_tile *tile, int count, const double *weight,
                         int64_t *buffer);

/* value[count]: the sums of the buffer's elements times the shares. */
typedef void mfft_pm_read(const mfft_pm_shares *shares, const mfft_pm_tile *tile, int count, const double *buffer,
                          double *value);

typedef struct mfft_pm_kernels {
  const char *name;
  mfft_pm_fill *fill[5]; /* [order] 1 to 4 */
  mfft_pm_add *add[5];   /* [order] */
  mfft_pm_read *read[5]; /* [order] */
} mfft_pm_kernels;

/* Set i of this build, the baseline first and the fastest last; NULL if there are fewer. */
const mfft_pm_kernels *mfft_pm_kernels_at(int i);

/* Whether the machine supports set i. */
int mfft_pm_kernels_usable(int i);

/* The fastest set that the machine supports. */
const mfft_pm_kernels *mfft_pm_kernels_best(void);

#endif
