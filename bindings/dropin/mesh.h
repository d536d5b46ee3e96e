/* mesh.h: how an array is divided among the processes of a mesh.  Pure geometry, without a call of MPI.
 *
 * A mesh of D dimensions divides the first D axes of an array, in natural order, or axes 1 to D, in transposed order, each
 * into blocks of the same length, ceil(n/P) unless the program gives another; the last processes of a dimension may have
 * less, or nothing.  In memory, the axes of a transposed array come in the order 1 .. D, 0, D+1 ..; with one dimension that
 * is FFTW's order (y, x, z), with two it is PFFT's (y, z, x).
 *
 * A mesh P0 x P1 x P2 of three dimensions divides a natural array of three axes into bricks.  No axis is left whole, so a
 * transposed array is divided as by a mesh P0 Q0 x P1 Q1 of two dimensions, where P2 = Q0 Q1 makes the two as even as
 * possible, and a brick is as many whole pencils of that mesh (Pippig 2013, PFFT: An extension of FFTW to massively parallel
 * architectures). */
#ifndef MFFT_DROPIN_MESH_H
#define MFFT_DROPIN_MESH_H

#include <stddef.h>
#include <stdint.h>

enum { MFFT_DROPIN_MOST_DIMS = 3 };

typedef struct mfft_dropin_mesh {
  int dims;                     /* 1 to 3 */
  int bricks;                   /* 1: three dimensions for an array of three axes */
  int n[MFFT_DROPIN_MOST_DIMS]; /* [dims] processes, the last fastest: rank = (c0*n[1] + c1)*n[2] + c2; 1 after dims */
} mfft_dropin_mesh;

/* The mesh that divides a transposed array: the mesh itself, or two dimensions in the place of bricks. */
void mfft_dropin_mesh_flat(const mfft_dropin_mesh *mesh, mfft_dropin_mesh *flat);

/* How many axes are divided, and the first of them. */
int mfft_dropin_mesh_divides(const mfft_dropin_mesh *mesh, int transposed, int *first);

/* The blocks of the divided axes of an array of lengths n, which has an axis for each of them.  given: what the program
 * requests, 0 for the default; ignored for bricks, whose blocks follow from those of pencils. */
void mfft_dropin_mesh_blocks(const mfft_dropin_mesh *mesh, int transposed, const int64_t *n,
                             const ptrdiff_t given[MFFT_DROPIN_MOST_DIMS], int64_t block[MFFT_DROPIN_MOST_DIMS]);

/* Whether the blocks cover the array. */
int mfft_dropin_mesh_covers(const mfft_dropin_mesh *mesh, int transposed, const int64_t *n,
                            const int64_t block[MFFT_DROPIN_MOST_DIMS]);

/* The part [lo, hi) of an array of `axes` axes that a rank holds.  An axis of which it has nothing is [n, n). */
void mfft_dropin_mesh_part(const mfft_dropin_mesh *mesh, int transposed, int axes, const int64_t *n,
                           const int64_t block[MFFT_DROPIN_MOST_DIMS], int rank, int64_t *lo, int64_t *hi);

/* The axes of an array in the order of memory, slow to fast. */
void mfft_dropin_mesh_order(const mfft_dropin_mesh *mesh, int transposed, int axes, int *order);

#endif
