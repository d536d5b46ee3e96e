/* build.h: the structure of one file of a new snapshot: the header, columns without values, and space for checksums.  Rank 0
 * only. */
#ifndef MFFT_SNAPSHOT_BUILD_H
#define MFFT_SNAPSHOT_BUILD_H

#include "field/build.h"
#include "snapshot/desc.h"

/* The division of the particles of the column that are in this file, for its checksums. */
mfft_slabs mfft_snap_slabs(const mfft_snap_desc *desc, int column);

/* Makes the partial file of `path` with its structure, and allocates its space on disk.  extent: offsets of the columns;
 * *bytes: size of the file.  The caller calls mfft_partial_end, also after a failure. */
mfft_status mfft_snap_build(const char *path, const mfft_snap_desc *desc, mfft_partial *partial,
                            mfft_file_extent *extent /* [desc->columns] */, int64_t *bytes);

#endif
