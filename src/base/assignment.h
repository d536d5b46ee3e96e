/* assignment.h: the arithmetic of mass assignment: coordinates of positions, in cells, and the shares of the mesh points of
 * a window (Hockney and Eastwood 1981, chapter 5).
 *
 * All operations round one by one, so that a particle has the same cell and the same shares on every CPU and on a GPU.  The
 * file is compiled as C11 and as CUDA C++; its functions have few branches, so that compilers make vectors of loops over
 * them. */
#ifndef MFFT_BASE_ASSIGNMENT_H
#define MFFT_BASE_ASSIGNMENT_H

#include "rounded.h"

/* The unit in the last place of this number is 1.  The low bits of its sum with a share of magnitude below 2^51 are the
 * share rounded to an integer, ties to even. */
#define MFFT_SHARE_ROUNDER 0x1.8p52

/* Converts a coordinate of 32-bit or 64-bit fixed point to cells, on an axis of n < 2^32 of them.  The fixed-point product
 * p*n, of 32 + 32 or 64 + 32 bits, has the cell in its integer part. */
MFFT_ROUNDED double mfft_cells_of_fixed32(mfft_u32 p, mfft_u64 n) { return (double)(long long)(p * n) * 0x1p-32; }
MFFT_ROUNDED double mfft_cells_of_fixed64(mfft_u64 p, mfft_u64 n) {
  const mfft_u64 low = (p & 0xffffffffu) * n, high = (p >> 32) * n + (low >> 32);
  const mfft_u64 fraction = high << 32 | (low & 0xffffffffu); /* 2^-64 */
  return mfft_n_add((double)(long long)(high >> 32), mfft_n_mul((double)(long long)(fraction >> 11), 0x1p-53));
}

/* Reduces a finite coordinate to [0, n), exact except for one rounding if it is negative. */
MFFT_ROUNDED double mfft_cells_wrapped(double g, double n) {
  g = fmod(g, n);
  if (g < 0) g += n;
  return g < n ? g : 0;
}

/* Shares w[order] of the points of a window along an axis, from the distance d in cells that mfft_window_lowest returns. */
MFFT_ROUNDED void mfft_window_shares(int order, double d, double w[4]) {
  if (order == 1) {
    w[0] = 1;
  } else if (order == 2) { /* d in [0, 1) from the lower point */
    w[0] = 1 - d;
    w[1] = d;
  } else if (order == 3) { /* d in [-1/2, 1/2) from the middle point */
    const double below = 0.5 - d, above = 0.5 + d;
    w[0] = mfft_n_mul(0.5, mfft_n_mul(below, below));
    w[1] = mfft_n_add(0.75, -mfft_n_mul(d, d));
    w[2] = mfft_n_mul(0.5, mfft_n_mul(above, above));
  } else { /* d in [0, 1) from the second point */
    const double e = 1 - d, d2 = mfft_n_mul(d, d), e2 = mfft_n_mul(e, e), sixth = 1.0 / 6;
    const double d3 = mfft_n_mul(d2, d), e3 = mfft_n_mul(e2, e);
    w[0] = mfft_n_mul(sixth, e3);
    w[1] = mfft_n_mul(sixth, mfft_n_add(mfft_n_add(4, -mfft_n_mul(6, d2)), mfft_n_mul(3, d3)));
    w[2] = mfft_n_mul(sixth, mfft_n_add(mfft_n_add(4, -mfft_n_mul(6, e2)), mfft_n_mul(3, e3)));
    w[3] = mfft_n_mul(sixth, d3);
  }
}

/* Index of the lowest point of the window at coordinate g, and in *d the distance from the point that mfft_window_shares
 * refers to.  The sum may round a coordinate just below the middle between two points up to the middle, which would give a
 * window beyond the ghost cells of its cell: d is then below its least value, and the preceding point is the right one. */
MFFT_ROUNDED int mfft_window_lowest(int order, double g, double shift, double *d) {
  const double s = g - shift, up = order & 1 ? 1.5 : 1; /* plus one, so that the truncated number is positive */
  const double rounded = (double)((int)(s + up) - 1), over = s - rounded < 1 - up ? 1 : 0;
  *d = s - rounded + over;
  return (int)(rounded - over) - (order > 2);
}

/* Index of the nearest point of the window, counted from its lowest one. */
MFFT_ROUNDED int mfft_window_nearest(int order, double d) { return (order > 2) + (!(order & 1) && d >= 0.5); }

#endif
