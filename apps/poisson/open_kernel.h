/* open_kernel.h: Green functions of free space on a mesh, by distance. Their convolution with a source is phi of an isolated
 * mass, laplacian(phi) = source, without periodic images.
 *
 * hockney:   -1 / (4 pi r) at the points of the mesh (Hockney and Eastwood 1988, ch. 6-5-4). The value at r = 0 makes the
 *            sum over the mesh equal to the integral up to terms of order h^4: the potential at a point of a lattice of
 *            charges in a neutralising background (Ewald 1921).
 * truncated: the exact convolution of the band-limited interpolant of the source (Vico, Greengard and Ferrando 2016).
 *            -1 / (4 pi r), cut off at the diagonal R of the box, which no distance within it exceeds, has the smooth
 *            transform -2 sin^2(k R / 2) / k^2. On a mesh of half periods M h >= (R + L) / 2 its inverse transform has no
 *            image within the box; it is even along each axis, hence a DCT of type I of M + 1 points. */
#ifndef MFFT_APPS_OPEN_KERNEL_H
#define MFFT_APPS_OPEN_KERNEL_H

#include "mfft_mpi.h"

typedef enum mfft_open_kind { MFFT_OPEN_TRUNCATED = 0, MFFT_OPEN_HOCKNEY } mfft_open_kind;
#define MFFT_OPEN_KINDS "truncated|hockney"

/* Values of a kernel at the distances of a box, in cells, each at most n. */
typedef struct mfft_open_values {
  mfft_box box;
  double *value; /* [box] in C order */
} mfft_open_values;

/* Computes the kernel times the volume of a cell, for distances of the box of this rank, on meshes of n cells of sides
 * `spacing`. The caller frees the values with mfft_free. Collective. */
mfft_status mfft_open_kernel(mfft_open_kind kind, const int64_t n[3], const double spacing[3], const mfft_box *box,
                             mfft_open_values *values);

/* The value in place of 1/r at r = 0: the integral of 1/r minus the sum over all points of a lattice except 0. */
double mfft_open_centre(const double spacing[3]);

#endif
