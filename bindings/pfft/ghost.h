/* ghost.h: exchange of ghost cells as PFFT has it, without precision.
 *
 * An array that is divided as PFFT divides those of transforms is periodic, and each rank wants `below` cells before and
 * `above` cells behind its own on every axis.  An exchange copies the ranks' own cells into the ghost cells; before it the
 * array has the own cells alone, packed at its beginning, and after it both, as an array of the lengths of
 * pfft_local_size_gc.  A reduction is the adjoint: it adds ghost cells to the own cells of their owners, and leaves those
 * packed at the beginning, and zeros behind them.  Ghost cells may reach any number of ranks, and around the array more than
 * once: each intersection of what a rank wants with a periodic image of another's part is one block of a message. */
#ifndef MFFT_PFFT_GHOST_H
#define MFFT_PFFT_GHOST_H

#include <mpi.h>
#include <stddef.h>

#include "mfft.h"

/* A plan as PFFT's arguments ask for it. */
typedef struct mfft_pfft_ghost_request {
  int rank;
  const ptrdiff_t *n; /* [rank] lengths; those of a transform, whose last axis the flags halve or pad */
  ptrdiff_t howmany;
  const ptrdiff_t *block;         /* [dimension of the mesh]; NULL: the default */
  const ptrdiff_t *below, *above; /* [rank] ghost cells; NULL: none */
  void *data;
  MPI_Comm comm;
  unsigned flags; /* PFFT_GC_... */
  int numbers;    /* reals of an element: 1 or 2 */
  mfft_precision precision;
} mfft_pfft_ghost_request;

/* The product of the local lengths with ghost cells and of howmany; fills both arrays.  NULL for below or above: none. */
ptrdiff_t mfft_pfft_ghost_size(int rank, const ptrdiff_t *n, const ptrdiff_t *start, ptrdiff_t howmany,
                               const ptrdiff_t *below, const ptrdiff_t *above, ptrdiff_t *ngc, ptrdiff_t *gc_start);

/* A plan; NULL if no ghost cells are requested, as PFFT returns, and, with a message of rank 0 on stderr, if there is none.
 * Collective. */
void *mfft_pfft_ghost_plan(const mfft_pfft_ghost_request *request);

/* An exchange, or a reduction.  Nothing for NULL where no plan was refused; the job ends with a message if one was, or if
 * MPI fails.  Collective. */
void mfft_pfft_ghost_exchange(void *plan, int reduce);

/* Accepts NULL.  Not collective. */
void mfft_pfft_ghost_destroy(void *plan);

#endif
