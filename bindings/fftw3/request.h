/* request.h: a transform that a program requests of FFTW-MPI, and the layout of its arrays.  Pure geometry, without MPI
 * calls.
 *
 * FFTW divides an array along its first axis, or its second if it is transposed, into blocks of the same number of planes,
 * ceil(n/P) unless the program gives another number; the last ranks may have fewer planes, or none.  A transposed array has
 * its first two axes exchanged in memory.  In a real transform the last axis has n/2 + 1 complex numbers, and rows of reals
 * are padded to 2*(n/2 + 1), also out of place.  `howmany` numbers, a tuple, are contiguous. */
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

typedef enum mfft_dropin_end { MFFT_DROPIN_FROM = 0, MFFT_DROPIN_TO = 1 } mfft_dropin_end; /* input and output of a plan */

enum { MFFT_DROPIN_MOST_AXES = 4 }; /* most axes that mergefft transforms */

typedef struct mfft_dropin_request {
  mfft_precision precision;
  mfft_dropin_kind kind;
  int rank;
  const ptrdiff_t *n; /* [rank] lengths, slow to fast */
  ptrdiff_t howmany;
  ptrdiff_t block[2]; /* [end] planes of a rank; 0: ceil(n/P) */
  int sign;           /* C2C only: FFTW_FORWARD or FFTW_BACKWARD */
  unsigned flags;     /* flags of FFTW and of FFTW-MPI */
  const void *in, *out;
  MPI_Comm comm;
} mfft_dropin_request;

/* The plans of mergefft for a request.  A plan of mergefft transforms in both directions: its IN side is FFTW's input of a
 * forward transform, and FFTW's output of a backward one.
 *
 * One distributed plan transforms arrays of at most three axes, a tuple counted as one.  Otherwise a local plan transforms
 * all axes except the first, on the side where the array is divided along the first axis, and a distributed plan transforms
 * the first axis of an array of three axes {n0, n1, all others}. */
typedef struct mfft_dropin_shape {
  mfft_precision precision;
  mfft_kind kind;
  mfft_direction direction;
  int rank;
  int64_t n[MFFT_DROPIN_MOST_AXES]; /* [rank] */
  int64_t howmany;
  int64_t block[2];  /* [side of the mergefft plan] planes of a rank */
  int transposed[2]; /* [side of the mergefft plan] */
  int apart;         /* 1: two plans, a local one, and a distributed one of the first axis */
  mfft_side near;    /* two plans only: the side that is divided along the first axis, where the local plan transforms */
} mfft_dropin_shape;

/* Finds the shape of a request on `ranks` ranks.  Returns NULL, or the reason why mergefft cannot transform it, a text in
 * static memory. */
const char *mfft_dropin_shape_of(const mfft_dropin_request *request, int ranks, mfft_dropin_shape *shape);

/* The number of complex numbers of a spectrum along an axis. */
int64_t mfft_dropin_extent(const mfft_dropin_shape *shape, int axis);

/* The planes [lo, hi) of a rank on a side. */
void mfft_dropin_planes(const mfft_dropin_shape *shape, mfft_side side, int rank, int64_t *lo, int64_t *hi);

/* The bytes of a rank's array on a side, padded rows included. */
size_t mfft_dropin_bytes(const mfft_dropin_shape *shape, mfft_side side, int rank);

/* Fills the descriptor of the distributed plan, with its boxes. */
void mfft_dropin_describe(const mfft_dropin_shape *shape, int rank, mfft_box box[2], mfft_desc *desc);

/* Fills the descriptor of the local plan of a shape with two plans, for `planes` planes of the near side. */
void mfft_dropin_describe_local(const mfft_dropin_shape *shape, int64_t planes, mfft_desc *desc);

#endif
