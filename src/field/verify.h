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

/* This rank's share of the slabs of a dataset, from the first to before the last: another part than the one it has in any
 * usual division.  The planes of such slabs. */
void mfft_verify_share(MPI_Comm comm, const mfft_source *source, int64_t share[2]);
mfft_box mfft_verify_box(const mfft_source *source, int64_t from, int64_t to);

/* Collective.  Adds up what each rank has read of its share, sums [slabs.count], and compares it with `stored`.  status:
 * whether this rank could read. */
mfft_status mfft_verify_shares(MPI_Comm comm, const mfft_source *source, const char *path, mfft_status status,
                               uint64_t *sums, const uint64_t *stored);

/* Collective.  Reads the whole dataset, each rank its share, and compares. */
mfft_status mfft_verify_all(MPI_Comm comm, mfft_fetch *fetch, const uint64_t *stored);

#endif
