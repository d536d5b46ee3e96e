/* verify.h: comparing the sums that ranks made with those that are stored. */
#ifndef MFFT_FIELD_VERIFY_H
#define MFFT_FIELD_VERIFY_H

#include <mpi.h>

#include "field/fetch.h"

/* Compares the sums [slabs.count] of all slabs, or of those that are `known` (not 0; NULL: all), with `stored`.
 * MFFT_ERR_CORRUPT names file, dataset and planes.  Local. */
mfft_status mfft_verify_sums(const mfft_fetch *fetch, const uint64_t *sums, const uint64_t *stored, const uint64_t *known);

/* Collective.  After every rank has read `box` and made the sums `mine` [slabs.count] of it: adds them up where the boxes
 * hold a slab once and whole, reads the other slabs that are touched again as wholes (unless MFFT_FIELD_SKIP_PARTIAL), and
 * compares with `stored` [slabs.count].  `mine` is used up. */
mfft_status mfft_verify_boxes(MPI_Comm comm, mfft_fetch *fetch, const mfft_box *box, uint64_t *mine, const uint64_t *stored,
                              unsigned flags);

/* Collective.  Reads the whole dataset, each rank another part than the one it holds by any usual cut, and compares. */
mfft_status mfft_verify_all(MPI_Comm comm, mfft_fetch *fetch, const uint64_t *stored);

#endif
