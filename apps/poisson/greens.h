/* greens.h: the k-space functions of a Poisson solve in a box, periodic or between walls (boundary.h), as products and sums
 * of functions of one axis.
 *
 * Every function of this file takes an integer wave number m of one axis with n cells of width h, so that a 3D kernel is
 * three small tables and the loop over modes only multiplies them:
 *
 *     phi(k)     = -c rho(k) F(k) / S(k)      S = sum over axes of laplacian(m), F = product over axes of filter(m)
 *     force_a(k) = -i g_a(m_a) phi(k)
 *
 * Along an axis between walls the derivative is a sum of the other basis functions (boundary.h): force_a is then an array by
 * the index of that basis, phi(k) counts as 0 where it has no such m, and i^quarter_turns of the basis replaces i.
 *
 * With w = 2 pi m / n:
 *     laplacian  spectral k^2;  fd2 4 sin^2(w/2) / h^2;  fd4 4 s^2 (1 + s^2/3) / h^2 with s = sin(w/2)
 *     gradient   spectral k;    fd4 (8 sin w - sin 2w) / (6 h);  both odd, hence zero at m = n/2
 *     window     of mass assignment (mesh/window.h); deconvolving once divides by it
 *     split      exp(-k^2 rs^2): the long-range part of a force split at the scale rs
 */
#ifndef MFFT_APPS_GREENS_H
#define MFFT_APPS_GREENS_H

#include <stdint.h>

#include "mfft.h"
#include "mfft_spectrum.h"
#include "poisson/boundary.h"

typedef enum mfft_laplacian { MFFT_LAPLACIAN_SPECTRAL = 0, MFFT_LAPLACIAN_FD2, MFFT_LAPLACIAN_FD4 } mfft_laplacian;
typedef enum mfft_gradient { MFFT_GRADIENT_NONE = 0, MFFT_GRADIENT_SPECTRAL, MFFT_GRADIENT_FD4 } mfft_gradient;

/* Symbols of one axis: of minus the second derivative, which is >= 0; g of the first derivative i g; of the force split.  m
 * is taken modulo n, so that both 0..n-1 and signed wave numbers are valid. */
double mfft_symbol_laplacian(mfft_laplacian kind, int64_t m, int64_t n, double h);
double mfft_symbol_gradient(mfft_gradient kind, int64_t m, int64_t n, double h);
double mfft_symbol_split(int64_t m, int64_t n, double h, double rs);

/* Equation to solve. */
typedef struct mfft_greens_spec {
  int64_t n[3];     /* [axis] */
  double length[3]; /* [axis] sides of the box */
  mfft_boundary boundary[3];
  mfft_laplacian laplacian;
  mfft_gradient gradient;
  int window_order; /* 1 to 4 */
  int deconvolve;   /* how many times to divide by the window: 0, 1 or 2 */
  double asmth;     /* rs in widths of the largest cell; 0: no split */
} mfft_greens_spec;

typedef struct mfft_greens {
  int64_t n[3];         /* [axis] */
  double *laplacian[3]; /* [n[axis]] by index of the spectrum: m = 0..n-1 of a periodic axis */
  double *filter[3];    /* [n[axis]] window^-deconvolve * split */
  double *force[3]; /* [n[axis]] filter * g, by index of the basis of the derivative; NULL where the spec has no gradient */
  double *along[3]; /* [n[axis]] laplacian by that index; NULL likewise */
  int quarter_turns[3]; /* [axis] i^quarter_turns is a factor of the derivative */
} mfft_greens;

mfft_status mfft_greens_create(const mfft_greens_spec *spec, mfft_greens *greens);
void mfft_greens_destroy(mfft_greens *greens); /* accepts a zeroed or half-built object */

/* Scale rs of the force split, in the unit of length. */
double mfft_greens_split_scale(const mfft_greens_spec *spec);

/* 1 if F is 1 for every mode. */
int mfft_greens_unfiltered(const mfft_greens_spec *spec);

/* The filter of the plan from the spectrum of the source to that of an output: axis -1 is phi, 0 to 2 a component of the
 * force; 0 at k = 0.  factor: the coefficient c times any scale.  The filter points to the tables of `greens`.  Along an
 * axis between walls the spectrum is read by the index of the basis of the derivative (wall.h). */
mfft_filter mfft_greens_filter(const mfft_greens *greens, int axis, double factor);

/* Adds to power[axis + 1] of every output (phi alone without a gradient) the sum of |filter * in|^2, with factor 1, over the
 * modes of this box; modes 0 < kz < n/2 of the halved axis count twice.  By Parseval's theorem this is the sum of squares of
 * the output, which is needed to scale a 16-bit transform.  `in` is in C order. */
mfft_status mfft_greens_power(const mfft_greens *greens, const mfft_box *box, mfft_precision precision, const void *in,
                              double power[4]);

#endif
