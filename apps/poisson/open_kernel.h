/* open_kernel.h: Green functions of free space on a mesh, by distance: what a convolution with them makes of a source is the
 * phi of an isolated mass, laplacian(phi) = source, with no image anywhere.
 *
 * hockney    -1 / (4 pi r) at the points of the mesh (Hockney and Eastwood 1988, ch. 6-5-4). At r = 0 stands the value that
 * makes the sum over the mesh the integral but for terms of order h^4: the potential at a point of a lattice of charges in
 *            a neutralising background (Ewald 1921).
 * truncated  the exact convolution of the source's band-limited interpolant (Vico, Greengard and Ferrando 2016): -1 / (4 pi
 * r) cut off at the diagonal R of the box, beyond which no two points of it lie, has the smooth transform -2 sin^2(k R / 2)
 * / k^2. On a mesh of half periods M h >= (R + L) / 2 its inverse transform, even along each axis and so a DCT of type I of
 * M + 1 points, has no image within the box. */
#ifndef MFFT_APPS_OPEN_KERNEL_H
#define MFFT_APPS_OPEN_KERNEL_H

#include "mfft_mpi.h"

typedef enum mfft_open_kind { MFFT_OPEN_TRUNCATED = 0, MFFT_OPEN_HOCKNEY } mfft_open_kind;
#define MFFT_OPEN_KINDS "truncated|hockney"

/* The values of a kernel by distance in cells from lo to hi, both at most n, of meshes of n cells of sides `spacing`. */
typedef struct mfft_open_values {
  mfft_box box;
  double *value; /* [box] in C order */
} mfft_open_values;

/* Computes the values of the box of this rank, times the volume of a cell; free them with mfft_free. Collective. */
mfft_status mfft_open_kernel(mfft_open_kind kind, const int64_t n[3], const double spacing[3], const mfft_box *box,
                             mfft_open_values *values);

/* The sum over all points but 0 of a lattice of 1/r, less the integral, negated: what stands for 1/r at 0. */
double mfft_open_centre(const double spacing[3]);

#endif
