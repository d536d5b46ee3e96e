/* request.h: a transform as a program requests it by the interface of another library, and the division of its arrays among
 * ranks.  All of it is geometry, without a call of MPI.
 *
 * FFTW-MPI and PFFT divide arrays among a mesh of processes in blocks of the same length, in natural order or transposed
 * (mesh.h); FFTW's mesh has one dimension.  The spectrum of a real transform has n/2 + 1 complex numbers along the last
 * axis. Rows of reals are padded to 2*(n/2 + 1), also out of place; in PFFT only if the program requests it.  With
 * `howmany`, each point is a tuple of numbers, which are adjacent in memory. */
#ifndef MFFT_DROPIN_REQUEST_H
#define MFFT_DROPIN_REQUEST_H

#include <mpi.h>
#include <stddef.h>

#include "mesh.h"
#include "mfft.h"

/* The library whose interface the program calls. */
typedef enum mfft_dropin_api { MFFT_DROPIN_FFTW, MFFT_DROPIN_PFFT } mfft_dropin_api;

/* The parts of PFFT's plans besides the transform, which are passes that change signs (signs.h). */
typedef struct mfft_dropin_signs {
  int conjugate;  /* 1: a real transform with the sign of the other direction */
  int shifted[2]; /* [end] 1: indices of this array begin at -n/2 */
} mfft_dropin_signs;

/* Kinds of plans.  TRANSPOSE is always FFTW's own. */
typedef enum mfft_dropin_kind {
  MFFT_DROPIN_C2C,
  MFFT_DROPIN_R2C,
  MFFT_DROPIN_C2R,
  MFFT_DROPIN_R2R,
  MFFT_DROPIN_TRANSPOSE
} mfft_dropin_kind;

typedef enum mfft_dropin_end { MFFT_DROPIN_FROM = 0, MFFT_DROPIN_TO = 1 } mfft_dropin_end; /* input and output of a plan */

enum { MFFT_DROPIN_MOST_AXES = 4 }; /* most axes that mergefft transforms */

typedef struct mfft_dropin_request {
  mfft_dropin_api api;
  mfft_precision precision;
  mfft_dropin_kind kind;
  int rank;
  const ptrdiff_t *n;         /* [rank] lengths, slow to fast */
  const ptrdiff_t *length[2]; /* [end][rank] lengths of the program's arrays, as if the transform had them; NULL: n */
  ptrdiff_t howmany;
  mfft_dropin_mesh mesh;                     /* dims 0: all ranks of the communicator in one dimension */
  ptrdiff_t block[2][MFFT_DROPIN_MOST_DIMS]; /* [end][divided axis] block of an axis; 0: ceil(n/P) */
  int packed;                                /* rows of reals are not padded */
  int own_reals;                             /* 1: the plan keeps reals in its own array: unpadded rows, in place */
  const mfft_axis_kind *axis_kind;           /* [rank] of R2R; NULL: kinds that mergefft does not have */
  int sign;                                  /* of C2C: FFTW_FORWARD or FFTW_BACKWARD */
  unsigned flags;                            /* FFTW's, with those of FFTW-MPI */
  int tuned;                                 /* whole plans are tuned, not only local transforms */
  mfft_dropin_signs signs;
  const void *in, *out;
  MPI_Comm comm;
} mfft_dropin_request;

/* The plans of mergefft for a request.  One plan of mergefft transforms in both directions: its IN side is the program's
 * input if it transforms forward, and its output if it transforms backward.
 *
 * One distributed plan does the whole transform if the array has 2 or 3 axes, of which a tuple counts as one, and if rows of
 * reals are along the last axis.  Otherwise a local plan transforms all axes but the first, on the side where the array is
 * divided along the first axis, and a distributed plan transforms the first axis, in an array of three axes {n0, n1, all
 * others}.  On a mesh of two dimensions the distributed plan transforms the first two axes.  On one of three dimensions,
 * which divides more axes than a distributed plan has, local transforms and exchanges alternate (steps.h). */
typedef struct mfft_dropin_shape {
  mfft_precision precision;
  mfft_kind kind;
  mfft_direction direction;
  int rank;
  int64_t n[MFFT_DROPIN_MOST_AXES]; /* [rank] */
  int64_t howmany;
  mfft_dropin_mesh mesh;                   /* of the plan */
  int64_t block[2][MFFT_DROPIN_MOST_DIMS]; /* [side of the mergefft plan][divided axis] */
  int transposed[2];                       /* [side of the mergefft plan] */
  int packed;                              /* rows of reals are not padded */
  mfft_axis_kind axis_kind[MFFT_DROPIN_MOST_AXES];
  int separate_axes; /* number of first axes that have a distributed plan of their own, or steps; 0: one plan has all */
  mfft_side near;    /* with two plans: the side that is divided along the first axes, where the others are transformed */

  /* Arrays of the program that are shorter than the transform, or divided by another mesh.  If the plan can pad them itself,
   * its IN side has the first `given` points of each axis, and all fields below are 0; otherwise the plan has whole arrays
   * of its own, see remap.h. */
  int64_t given[MFFT_DROPIN_MOST_AXES];     /* [rank] of reals or complex numbers; 0: the whole axis */
  mfft_dropin_mesh program_mesh;            /* of the program's arrays */
  int remapped[2];                          /* [side] 1: the program's array is not the plan's */
  int padded_rows;                          /* 1: the program's rows of reals are padded, those of the plan are not */
  int64_t length[2][MFFT_DROPIN_MOST_AXES]; /* [side][rank] its elements along each axis, and where they lie in the whole */
  int64_t offset[2][MFFT_DROPIN_MOST_AXES];
  int64_t length_block[2][MFFT_DROPIN_MOST_DIMS]; /* [side][divided axis] */
} mfft_dropin_shape;

/* Finds the shape of a request on `ranks` ranks.  Returns NULL, or the reason why mergefft cannot transform it, a text in
 * static memory. */
const char *mfft_dropin_shape_of(const mfft_dropin_request *request, int ranks, mfft_dropin_shape *shape);

/* Converts FFTW's kinds of axes.  Returns 0 for halfcomplex and Hartley transforms, which mergefft does not have. */
int mfft_dropin_axis_kinds(int rank, const int *kinds, mfft_axis_kind axis_kind[MFFT_DROPIN_MOST_AXES]);

/* Whether the array of the program at an end of a request, 0 the input, 1 the output, is shorter than the transform. */
int mfft_dropin_is_shorter(const mfft_dropin_request *request, int end);

/* The length of an axis on a side of the plan: n/2 + 1 for the last axis of a spectrum of real numbers. */
int64_t mfft_dropin_extent(const mfft_dropin_shape *shape, mfft_side side, int axis);

/* The part [lo, hi) of each axis that a rank has of a side of the plan, without padding. */
void mfft_dropin_part(const mfft_dropin_shape *shape, mfft_side side, int rank, int64_t lo[MFFT_DROPIN_MOST_AXES],
                      int64_t hi[MFFT_DROPIN_MOST_AXES]);

/* Whether the transposed array of a shape has another order of axes in the program than in the plan (reorder.h). */
int mfft_dropin_needs_reorder(const mfft_dropin_shape *shape);

/* Bytes that a rank has of a side of the plan, including the padding of rows. */
size_t mfft_dropin_bytes(const mfft_dropin_shape *shape, mfft_side side, int rank);

/* Fills the descriptor of the distributed plan, with its boxes. */
void mfft_dropin_describe(const mfft_dropin_shape *shape, int rank, mfft_box box[2], mfft_desc *desc);

/* Fills the descriptor of the local plan of a shape with two plans, for `planes` planes (on a mesh of two dimensions,
 * pencils) of the near side. */
void mfft_dropin_describe_local(const mfft_dropin_shape *shape, int64_t planes, mfft_desc *desc);

#endif
