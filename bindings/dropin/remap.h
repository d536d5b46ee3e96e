/* remap.h: arrays of the program that the plan cannot have: shorter than the transform, or divided among the ranks in
 * another way.
 *
 * PFFT calls transforms of shorter arrays oversampled and pruned: zeros are appended to the input, and only a part of the
 * output is wanted.  If only the input is shorter and it begins at index 0, a plan of mergefft pads it itself (desc.given).
 * Tuples on a mesh of three dimensions are transformed on one of two (mesh.h).  In all these cases the plan transforms whole
 * arrays of its own, and this file moves the program's array to its position in them: an exchange gives each rank the
 * overlap, which is the intersection of its part of the whole array with the program's array, and a copy moves the overlap
 * into the whole array. */
#ifndef MFFT_DROPIN_REMAP_H
#define MFFT_DROPIN_REMAP_H

#include <mpi.h>

#include "mfft_mpi.h"
#include "request.h"

/* A side of a plan; zeroed if the plan takes the program's array as it is.  Lengths are in the order of memory. */
typedef struct mfft_dropin_remapped {
  mfft_exchange exchange; /* between the program's array and the overlap */
  void *whole, *overlap;  /* arrays of this rank */
  size_t whole_bytes, element;
  int axes;
  int64_t whole_n[MFFT_DROPIN_MOST_AXES], overlap_n[MFFT_DROPIN_MOST_AXES]; /* [axes]; of the overlap with padding of rows */
  int64_t copy[MFFT_DROPIN_MOST_AXES];   /* [axes] lengths of the overlap without padding */
  int64_t offset[MFFT_DROPIN_MOST_AXES]; /* [axes] its position in the whole array */
} mfft_dropin_remapped;

typedef struct mfft_dropin_remap {
  mfft_dropin_remapped side[2];
} mfft_dropin_remap;

/* Makes the exchanges and arrays for the sides of a shape that are remapped, for the direction of the shape, in a zeroed
 * object.  On failure, of which other ranks may not know, the message is mfft_last_error, and destroy accepts the object.
 * Collective. */
mfft_status mfft_dropin_remap_create(MPI_Comm comm, const mfft_dropin_shape *shape, int rank, mfft_dropin_remap *remap);
void mfft_dropin_remap_destroy(mfft_dropin_remap *remap); /* collective */

/* Fills the whole array of the input with the program's array and zeros. */
mfft_status mfft_dropin_remap_embed(mfft_dropin_remapped *side, const void *in); /* collective */

/* Fills the program's output from the whole array of the output. */
mfft_status mfft_dropin_remap_crop(mfft_dropin_remapped *side, void *out); /* collective */

#endif
