/* request.h: a transform as a program asks FFTW-MPI for it, and where its arrays lie.  Pure geometry, without a call of MPI.
 *
 * FFTW cuts an array along one axis, its first, or its second where it is transposed, into blocks of the same number of
 * planes, ceil(n/P) unless the program gives another; the last ranks may have fewer, or none.  A transposed array has its
 * first two axes exchanged in memory.  Of a real transform the last axis has n/2 + 1 complex numbers, and rows of reals are
 * padded to 2*(n/2 + 1), out of place too.  `howmany` numbers or tuples lie side by side, innermost. */
#ifndef MFFT_DROPIN_REQUEST_H
#define MFFT_DROPIN_REQUEST_H

#include <mpi.h>
#include <stddef.h>

#include "mfft.h"

/* Kinds of plans of FFTW-MPI; those from OTHER on are always FFTW's own. */
typedef enum mfft_dropin_kind {
  MFFT_DROPIN_C2C,
  MFFT_DROPIN_R2C,
  MFFT_DROPIN_C2R,
  MFFT_DROPIN_R2R,
  MFFT_DROPIN_TRANSPOSE
} mfft_dropin_kind;

typedef enum mfft_dropin_end { MFFT_DROPIN_FROM = 0, MFFT_DROPIN_TO = 1 } mfft_dropin_end; /* what a plan reads and writes */

enum { MFFT_DROPIN_MOST_AXES = 4 }; /* of what mergefft transforms */

typedef struct mfft_dropin_request {
  mfft_precision precision;
  mfft_dropin_kind kind;
  int rank;
  const ptrdiff_t *n; /* [rank] lengths, slow to fast */
  ptrdiff_t howmany;
  ptrdiff_t block[2]; /* [end] planes of a rank; 0: ceil(n/P) */
  int sign;           /* of C2C: FFTW_FORWARD or FFTW_BACKWARD */
  unsigned flags;     /* FFTW's, with those of FFTW-MPI */
  const void *in, *out;
  MPI_Comm comm;
} mfft_dropin_request;

/* The plans of mergefft for it.  One plan of mergefft transforms in both directions: its IN side is that of FFTW's input if
 * it transforms forward, and of FFTW's output if it transforms backward.
 *
 * With 2 or 3 axes, one number or tuple, and real rows at their end, one distributed plan does all.  Otherwise a local plan
 * transforms all axes but the first on the side where the array is divided along the first axis, and a distributed one
 * transforms the first axis, of an array of three axes {n0, n1, all others}. */
typedef struct mfft_dropin_shape {
  mfft_precision precision;
  mfft_kind kind;
  mfft_direction direction;
  int rank;
  int64_t n[MFFT_DROPIN_MOST_AXES]; /* [rank] */
  int64_t howmany;
  int64_t block[2];  /* [side of the mergefft plan] planes of a rank */
  int transposed[2]; /* [side of the mergefft plan] */
  int apart;         /* the first axis is transformed by a plan of its own */
  mfft_side near;    /* with two plans: the side that is divided along the first axis, where the others are transformed */
} mfft_dropin_shape;

/* The shape of a request on `ranks` ranks; NULL, or the reason why mergefft cannot do it, a text in static memory. */
const char *mfft_dropin_shape_of(const mfft_dropin_request *request, int ranks, mfft_dropin_shape *shape);

/* The complex numbers of the last axis; those of axis `axis` of a spectrum. */
int64_t mfft_dropin_extent(const mfft_dropin_shape *shape, int axis);

/* Planes [lo, hi) that a rank has of a side. */
void mfft_dropin_planes(const mfft_dropin_shape *shape, mfft_side side, int rank, int64_t *lo, int64_t *hi);

/* Bytes that a rank has of a side, as FFTW bounds them: padded rows included. */
size_t mfft_dropin_bytes(const mfft_dropin_shape *shape, mfft_side side, int rank);

/* Fills the descriptor of the distributed plan, with its boxes. */
void mfft_dropin_describe(const mfft_dropin_shape *shape, int rank, mfft_box box[2], mfft_desc *desc);

/* Fills the descriptor of the local plan of a shape with two plans, for `planes` planes of the near side. */
void mfft_dropin_describe_local(const mfft_dropin_shape *shape, int64_t planes, mfft_desc *desc);

#endif
