/* layout.h: arrays and plans as a program requests them from PFFT, without precision. */
#ifndef MFFT_PFFT_LAYOUT_H
#define MFFT_PFFT_LAYOUT_H

#include <mpi.h>
#include <stddef.h>

#include "plan.h"

/* An array of either end of a transform, by PFFT's arguments. */
typedef struct mfft_pfft_layout {
  mfft_dropin_kind kind;
  int rank;
  const ptrdiff_t *n[2]; /* [end][rank] lengths of input and output */
  ptrdiff_t howmany;
  const ptrdiff_t *block[2]; /* [end][dimension of the mesh]; NULL: the default */
  MPI_Comm comm;
  unsigned flags; /* PFFT's */
} mfft_pfft_layout;

/* Where a rank's parts are written, in the order of the axes. */
typedef struct mfft_pfft_part {
  ptrdiff_t *n[2], *start[2]; /* [end][rank] */
} mfft_pfft_part;

/* Fills the part of rank pid of the communicator; -1: of this rank.  Returns the elements that either array needs there,
 * complex numbers, or reals for R2R; 0, and a message of rank 0 on stderr, for what mergefft cannot divide as PFFT does. */
ptrdiff_t mfft_pfft_local_size(const mfft_pfft_layout *layout, int pid, const mfft_pfft_part *part);

/* The rest of what a plan needs. */
typedef struct mfft_pfft_job {
  const ptrdiff_t *n; /* [rank] lengths of the transform */
  const int *skip;    /* [rank] axes that are not transformed; NULL: none */
  const int *kinds;   /* [rank] FFTW's kinds of R2R */
  void *in, *out;
  int sign, threads;
  mfft_precision precision;
} mfft_pfft_job;

/* A plan of mergefft; NULL, and a message of rank 0 on stderr, if there is none.  Collective. */
mfft_dropin_plan *mfft_pfft_plan(const mfft_pfft_layout *layout, const mfft_pfft_job *job);

/* The plan of a handle of the program, by its value alone; NULL, and a message on stderr, for one that is none.  what: the
 * call that was given it. */
mfft_dropin_plan *mfft_pfft_find(const void *plan, const char *what);

/* The mesh of a communicator: its dimensions if it is Cartesian, else all ranks in one.  NULL, or the reason against it. */
const char *mfft_pfft_find_mesh(MPI_Comm comm, mfft_dropin_mesh *mesh);

#endif
