/* open_kernel.h: Green functions of boxes with open axes, in k-space. Their product with the transform of a source that is
 * padded with zeros to twice the cells along each open axis is that of phi, laplacian(phi) = source, without images along
 * the open axes.
 *
 * hockney:   -1 / (4 pi r) at the points of the mesh (Hockney and Eastwood 1988, ch. 6-5-4), all axes open. The value at
 *            r = 0 makes the sum over the mesh equal to the integral up to terms of order h^4: the potential at a point of a
 *            lattice of charges in a neutralising background (Ewald 1921).
 * truncated: the exact convolution of the band-limited interpolant of the source (Vico, Greengard and Ferrando 2016), with
 *            one to three open axes. The Green function of each wave of the periodic axes, cut off at the diagonal R of the
 *            open ones, which no distance within the box exceeds, has a smooth transform (open_symbol.h). On a mesh of half
 *            periods M h >= (R + L) / 2 its inverse transform has no image within the box; the distances of the box are
 *            transformed once more with a half period of n cells.
 *
 * A Green function is even along each axis, so that both transforms are a DCT of type I, of M + 1 and of n + 1 points.
 *
 * The kernel of a derivative along an open axis is that derivative of the Green function, spectral (truncated alone) or by
 * the stencil of order 4: it is taken where the Green function is defined beyond the box, before its distances are cut off,
 * which makes a kink at half the period.  It is odd along its axis, whose transforms are DSTs of type I, of M - 1 and n - 1
 * points. The distances that a stencil reaches widen the mesh of the truncated kernel. */
#ifndef MFFT_APPS_OPEN_KERNEL_H
#define MFFT_APPS_OPEN_KERNEL_H

#include "mfft_mpi.h"
#include "poisson/boundary.h"
#include "poisson/greens.h"

typedef enum mfft_open_kind { MFFT_OPEN_TRUNCATED = 0, MFFT_OPEN_HOCKNEY } mfft_open_kind;
#define MFFT_OPEN_KINDS "truncated|hockney"

/* The box of a field with one to three open axes. */
typedef struct mfft_open_mesh {
  int64_t n[3];      /* [axis] cells */
  double spacing[3]; /* [axis] width of a cell */
  mfft_boundary boundary[3];
} mfft_open_mesh;

/* The box of a field of n cells with sides `length`. */
mfft_open_mesh mfft_open_mesh_of(const int64_t n[3], const double length[3], const mfft_boundary boundary[3]);

/* A kernel: of phi (axis -1), or of the derivative of phi along an open axis (0 to 2). */
typedef struct mfft_open_kernel {
  mfft_open_kind kind;
  int axis;
  mfft_gradient gradient; /* of an axis from 0 on; with MFFT_OPEN_HOCKNEY MFFT_GRADIENT_FD4 */
} mfft_open_kernel;

/* The index of the wave of the same length as wave i of the mesh with doubled open axes: 0 to half the period. */
int64_t mfft_open_wave(const mfft_open_mesh *mesh, int axis, int64_t i);

/* The box of the waves, as mfft_open_wave gives them, of a box of the spectrum; without those where the kernel is 0 since it
 * is odd, 0 and half the period of its axis. */
mfft_box mfft_open_waves(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, const mfft_box *modes);

/* Fails if the mesh of a truncated kernel would have more than 2^50 points.  Not collective. */
mfft_status mfft_open_kernel_check(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh);

/* The bytes that this rank takes to compute a kernel of such a mesh, beside its result.  Not collective. */
size_t mfft_open_kernel_bytes(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh);

/* Computes the transform of a kernel, times the volume of a cell of the open axes, on a box of waves; of a derivative along
 * an axis, the transform over i. value: [box] in C order. Collective. */
mfft_status mfft_open_kernel_compute(const mfft_open_kernel *kernel, const mfft_open_mesh *mesh, const mfft_box *waves,
                                     double *value);

/* The value in place of 1/r at r = 0: the integral of 1/r minus the sum over all points of a lattice except 0. */
double mfft_open_centre(const double spacing[3]);

#endif
