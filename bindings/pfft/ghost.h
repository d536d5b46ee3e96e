/* ghost.h: PFFT's exchange of ghost cells, for both precisions.
 *
 * An array that is divided as PFFT divides those of transforms is periodic, and each rank needs `below` cells before and
 * `above` cells behind its own on every axis.  An exchange copies the ranks' own cells into the ghost cells; before it the
 * array has the own cells alone, packed at its beginning, and after it both, as an array of the lengths of
 * pfft_local_size_gc.  A reduction is the adjoint: it adds ghost cells to the own cells of their owners, and leaves those
 * packed at the beginning, and zeros behind them.  Ghost cells may reach any number of ranks, and around the array more than
 * once: each intersection of what a rank needs with a periodic image of another's part is one block of a message. */
#ifndef MFFT_PFFT_GHOST_H
#define MFFT_PFFT_GHOST_H

#include <mpi.h>
#include <stddef.h>

#include "mfft.h"

/* A plan as PFFT's arguments describe it. */
typedef struct mfft_pfft_ghost_request {
  int rank;
  const ptrdiff_t *n; /* [rank] lengths of the transform, of which flags may halve or pad the last axis of the array */
  ptrdiff_t howmany;
  const ptrdiff_t *block;         /* [dimension of the mesh]; NULL: the default */
  const ptrdiff_t *below, *above; /* [rank] ghost cells; NULL: none */
  void *data;
  MPI_Comm comm;
  unsigned flags; /* PFFT_GC_... */
  int numbers;    /* real numbers of an element: 1 or 2 */
  mfft_precision precision;
} mfft_pfft_ghost_request;

/* Fills in the local lengths and the start with ghost cells; returns the product of these lengths and howmany.  NULL for
 * below or above: no ghost cells there. */
ptrdiff_t mfft_pfft_ghost_size(int rank, const ptrdiff_t *n, const ptrdiff_t *start, ptrdiff_t howmany,
                               const ptrdiff_t *below, const ptrdiff_t *above, ptrdiff_t *ngc, ptrdiff_t *gc_start);

/* Makes a plan.  NULL if no ghost cells are requested, as with PFFT; NULL, and a message of rank 0 on stderr, if the plan
 * cannot be made.  Collective. */
void *mfft_pfft_ghost_plan(const mfft_pfft_ghost_request *request);

/* Executes an exchange, or a reduction.  Does nothing for NULL, unless a plan was refused before: the job then ends with a
 * message, as it does if MPI fails.  Collective. */
void mfft_pfft_ghost_exchange(void *plan, int reduce);

/* Accepts NULL.  Not collective. */
void mfft_pfft_ghost_destroy(void *plan);

#endif
