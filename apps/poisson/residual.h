/* residual.h: the residual of laplacian(phi) = c F rho, measured without an FFT, over every element, in one pass over each
 * array; the only communication is a few sums.
 *
 * For a random vector r of independent signs the mean of (r.e)^2 is |e|^2.  Here r = rx (x) ry (x) rz is a tensor product of
 * signs of each axis, and e = L phi - c F rho, where L (the Laplacian) and F (the filter) are symmetric and built from
 * circulant matrices of one axis.  Hence
 *
 *     r.e = (L r).phi - c (F r).rho,    L r = (Dx rx) ry rz + rx (Dy ry) rz + rx ry (Dz rz),    F r = (Fx rx)(Fy ry)(Fz rz):
 *
 * the operators act on the vectors of one axis, in real space: finite differences as stencils, the spectral second
 * derivative in closed form (Trefethen, Spectral Methods in MATLAB, 2000, ch. 3).  Between walls a vector is continued
 * beyond them, even or odd, to a whole period, on which the matrix of an axis is circulant; restricted to the box it is
 * again a symmetric matrix.  rho is projected before the solver overwrites it.  The projections are the same for any number
 * of ranks, up to rounding.  With 16 of them the estimate of |e| is right within a factor of about 2. */
#ifndef MFFT_APPS_RESIDUAL_H
#define MFFT_APPS_RESIDUAL_H

#include "mesh/exact_sum.h"
#include "poisson/greens.h"

/* Number of projections, and number of vectors of z, which are reused cyclically: products of rows with them take most of
 * the time. */
enum { MFFT_PROJECTIONS = 16, MFFT_ROW_VECTORS = 4 };

typedef struct mfft_residual {
  int64_t n[3];      /* [axis] */
  double *sign[3];   /* [vectors][n[axis]] r; MFFT_PROJECTIONS vectors, MFFT_ROW_VECTORS of z */
  double *second[3]; /* [vectors][n[axis]] D r */
  double *filter[3]; /* [vectors][n[axis]] F r */
} mfft_residual;

/* create: the same vectors on all ranks.  The spectral operator and filters take n^2 operations a vector: 2 s for an axis of
 * 16384.  longest: the longest axis for which this takes no more than a minute or so.  destroy accepts zeroed and half-built
 * objects. */
int64_t mfft_residual_longest(const mfft_greens_spec *spec);
mfft_status mfft_residual_create(const mfft_greens_spec *spec, mfft_residual *residual);
void mfft_residual_destroy(mfft_residual *residual);

/* Exact sums of the terms of all rows, in any sequence, by any threads and ranks.  They are exact since sums over a part of
 * the box are much larger than over all of it: r.(L phi) is small only for a phi without edges.  Zeroed: empty. */
typedef struct mfft_projection {
  mfft_exact_sum sum[MFFT_PROJECTIONS];
} mfft_projection;

/* The operator that is applied to r: F for the source, L for phi. */
typedef enum mfft_residual_operator { MFFT_RESIDUAL_FILTER = 0, MFFT_RESIDUAL_LAPLACIAN } mfft_residual_operator;

/* Adds (F r).a or (L r).a for the part `a` of an array, in C order on `box`.  Parts of whole rows give the same bits as the
 * whole array.  Several threads may call it, each with a projection of its own; the projections are merged afterwards. */
mfft_status mfft_residual_project(const mfft_residual *residual, mfft_residual_operator applied, const mfft_box *box,
                                  mfft_precision precision, const void *array, mfft_projection *projection);

/* The same from products of rows that another function has computed, such as mfft_plan_rows where the array lies: the
 * vectors to multiply rows by, each over the whole z axis, of which there are `vectors`; and the terms of the row at (x, y).
 */
enum { MFFT_RESIDUAL_VECTORS = 2 * MFFT_ROW_VECTORS }; /* the largest number of vectors */
int mfft_residual_vectors(const mfft_residual *residual, mfft_residual_operator applied,
                          const double *vector[MFFT_RESIDUAL_VECTORS]);
void mfft_residual_add(const mfft_residual *residual, mfft_residual_operator applied, int64_t x, int64_t y,
                       const double *product /* [vectors] */, mfft_projection *projection);

void mfft_projection_merge(mfft_projection *projection, const mfft_projection *other); /* projection += other */
void mfft_projection_gather(mfft_projection *projection);                              /* over all ranks; collective */
double mfft_projection_value(const mfft_projection *projection, int p);

#endif
