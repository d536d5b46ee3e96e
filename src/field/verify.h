/* verify.h: compares the sums that ranks computed with those that are stored. */
#ifndef MFFT_FIELD_VERIFY_H
#define MFFT_FIELD_VERIFY_H

#include <mpi.h>

#include "field/fetch.h"

/* Compares the sums [slabs.count] of all slabs, or of those that are `known` (not 0; NULL: all), with `stored`.
 * MFFT_ERR_CORRUPT names file, dataset and planes.  Local. */
mfft_status mfft_verify_sums(const mfft_fetch *fetch, const uint64_t *sums, const uint64_t *stored, const uint64_t *known);

/* Collective.  To be called after every rank has read `box` and computed its sums `mine` [slabs.count]: adds them up for
 * slabs that the boxes contain completely and once, reads other slabs that the boxes touch again as a whole (unless
 * MFFT_FIELD_SKIP_PARTIAL), and compares with `stored` [slabs.count].  `mine` is overwritten. */
mfft_status mfft_verify_boxes(MPI_Comm comm, mfft_fetch *fetch, const mfft_box *box, uint64_t *mine, const uint64_t *stored,
                              unsigned flags);

/* Collective.  Reads the whole dataset, each rank another part than the one it has in any usual division, and compares. */
mfft_status mfft_verify_all(MPI_Comm comm, mfft_fetch *fetch, const uint64_t *stored);

#endif
