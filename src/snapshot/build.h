/* build.h: the structure of a new snapshot: the header, columns without values, and space for checksums.  Rank 0 only. */
#ifndef MFFT_SNAPSHOT_BUILD_H
#define MFFT_SNAPSHOT_BUILD_H

#include "field/build.h"
#include "snapshot/desc.h"

/* The division of the column for its checksums. */
mfft_slabs mfft_snap_slabs(const mfft_snap_desc *desc, int column);

/* Makes the partial file of `path` with its structure and its space; *bytes: its size.  After a failure mfft_partial_end
 * must follow. */
mfft_status mfft_snap_build(const char *path, const mfft_snap_desc *desc, mfft_partial *partial,
                            mfft_extent *extent /* [desc->columns] */, int64_t *bytes);

#endif
