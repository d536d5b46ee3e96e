/* layout.h: arrays and plans as a program requests them from PFFT, for both precisions. */
#ifndef MFFT_PFFT_LAYOUT_H
#define MFFT_PFFT_LAYOUT_H

#include <mpi.h>
#include <stddef.h>

#include "plan.h"

/* The arrays at both ends of a transform, input and output, as PFFT's arguments describe them. */
typedef struct mfft_pfft_layout {
  mfft_dropin_kind kind;
  int rank;
  const ptrdiff_t *n[2]; /* [end][rank] lengths of input and output */
  ptrdiff_t howmany;
  const ptrdiff_t *block[2]; /* [end][dimension of the mesh]; NULL: the default */
  MPI_Comm comm;
  unsigned flags; /* PFFT's flags */
} mfft_pfft_layout;

/* The arrays that receive the lengths and starts of a rank's parts, in the order of the axes. */
typedef struct mfft_pfft_part {
  ptrdiff_t *n[2], *start[2]; /* [end][rank] */
} mfft_pfft_part;

/* Fills in the parts of rank pid of the communicator; -1: of this rank.  Returns the elements (complex numbers, or reals for
 * R2R) that are enough for either array there; 0, and a message of rank 0 on stderr, if mergefft cannot divide the array as
 * PFFT does. */
ptrdiff_t mfft_pfft_local_size(const mfft_pfft_layout *layout, int pid, const mfft_pfft_part *part);

/* The arguments of a plan besides the layout. */
typedef struct mfft_pfft_job {
  const ptrdiff_t *n; /* [rank] lengths of the transform */
  const int *skip;    /* [rank] axes that are not transformed; NULL: none */
  const int *kinds;   /* [rank] FFTW's kinds of R2R */
  void *in, *out;
  int sign, threads;
  mfft_precision precision;
} mfft_pfft_job;

/* Makes a plan of mergefft; NULL, and a message of rank 0 on stderr, if mergefft cannot make it.  Collective. */
mfft_dropin_plan *mfft_pfft_plan(const mfft_pfft_layout *layout, const mfft_pfft_job *job);

/* Finds the plan of a handle of the program without dereferencing it; NULL, and a message on stderr, if it is no plan. what:
 * the name of the call that got the handle. */
mfft_dropin_plan *mfft_pfft_find(const void *plan, const char *what);

/* The mesh of a communicator for arrays of `axes` axes: its dimensions if it is Cartesian, else all ranks in one.  NULL, or
 * the reason against it. */
const char *mfft_pfft_find_mesh(MPI_Comm comm, int axes, mfft_dropin_mesh *mesh);

#endif
