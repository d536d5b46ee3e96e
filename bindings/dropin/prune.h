/* prune.h: arrays that are shorter than the transform: input to which zeros are appended, and output of which only a part is
 * wanted.
 *
 * PFFT calls such transforms oversampled and pruned.  If only the input is shorter and it begins at index 0, a plan of
 * mergefft pads it itself (desc.given), and this file is not used.  Otherwise the plan transforms whole arrays, which are
 * divided by the same rule as the program's, and this file moves the program's array to its position in them: an exchange
 * gives each rank the overlap, which is the intersection of its parts of both arrays, and a copy moves the overlap into the
 * whole array. */
#ifndef MFFT_DROPIN_PRUNE_H
#define MFFT_DROPIN_PRUNE_H

#include <mpi.h>

#include "mfft_mpi.h"
#include "request.h"

/* A side of a plan; zeroed if the program's array is whole.  Lengths are in the order of memory. */
typedef struct mfft_dropin_pruned {
  mfft_exchange exchange; /* between the program's array and the overlap */
  void *whole, *overlap;  /* arrays of this rank */
  size_t whole_bytes, element;
  int64_t whole_n[3], overlap_n[3]; /* lengths of the arrays; of the overlap with the padding of rows */
  int64_t copy[3], offset[3];       /* lengths of the overlap without padding, and its position in the whole array */
} mfft_dropin_pruned;

typedef struct mfft_dropin_prune {
  mfft_dropin_pruned side[2];
} mfft_dropin_prune;

/* Makes the exchanges and arrays for the sides of a shape that are shorter than the transform, for the direction of the
 * shape, in a zeroed object.  On failure, of which other ranks may not know, the message is mfft_last_error, and destroy
 * accepts the object.  Collective. */
mfft_status mfft_dropin_prune_create(MPI_Comm comm, const mfft_dropin_shape *shape, int rank, mfft_dropin_prune *prune);
void mfft_dropin_prune_destroy(mfft_dropin_prune *prune); /* collective */

/* Fills the whole array of the input with the program's array and zeros. */
mfft_status mfft_dropin_prune_embed(mfft_dropin_pruned *side, const void *in); /* collective */

/* Fills the program's output from the whole array of the output. */
mfft_status mfft_dropin_prune_crop(mfft_dropin_pruned *side, void *out); /* collective */

#endif
