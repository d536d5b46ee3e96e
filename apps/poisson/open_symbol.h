/* open_symbol.h: Fourier transforms of the Green functions of laplacian(phi) = rho that are cut off at a radius R of the
 * open axes, so that they are smooth functions of the wave numbers (Rozzi et al. 2006; Vico, Greengard and Ferrando 2016).
 *
 * k is the length of the wave vector of the open axes, q that of the periodic ones. A wave of the periodic axes has
 *
 *     open axes   Green function for q > 0    for q = 0
 *     3           -                           -1 / (4 pi r)
 *     2           -K0(q r) / (2 pi)           log(r / L) / (2 pi)
 *     1           -exp(-q r) / (2 q)          r / 2
 *
 * and the transform of the part within R
 *
 *     3           -2 sin^2(k R / 2) / k^2
 *     2           -(1 + k R J1(k R) K0(q R) - q R J0(k R) K1(q R)) / (k^2 + q^2)
 *     1           -(1 - exp(-q R) (cos(k R) - k/q sin(k R))) / (k^2 + q^2)
 *
 * with its limits for q = 0 and k = 0 in open_symbol.c.  L is the period of the periodic axis. */
#ifndef MFFT_APPS_OPEN_SYMBOL_H
#define MFFT_APPS_OPEN_SYMBOL_H

#include "mfft.h"

typedef struct mfft_open_symbol {
  int open;       /* number of open axes, 1 to 3 */
  double radius;  /* R */
  double period;  /* L; of two open axes */
  double *bessel; /* [waves][2] K0(q R) and K1(q R) of wave i of the periodic axis; of two open axes, otherwise NULL */
} mfft_open_symbol;

/* Prepares the waves q = first * step, (first + 1) * step, ... of the periodic axis, for two open axes.  create fails with
 * MFFT_ERR_MEMORY alone, without a message; destroy accepts zeroed objects. */
mfft_status mfft_open_symbol_create(int open, double radius, double period, int64_t first, int64_t waves, double step,
                                    mfft_open_symbol *symbol);
void mfft_open_symbol_destroy(mfft_open_symbol *symbol);

/* The transform at k and q; wave: the index of q since `first`, for two open axes. */
double mfft_open_symbol_value(const mfft_open_symbol *symbol, double k, double q, int64_t wave);

/* The modified Bessel functions K0(x) and K1(x), x > 0: within rounding up to x = 10, and within 1e-17 beyond. */
void mfft_bessel_k(double x, double value[2]);

#endif
