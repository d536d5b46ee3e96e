/* build.h: the structure of a new file: datasets without values, attributes, and space for checksums.  Rank 0 only. */
#ifndef MFFT_FIELD_BUILD_H
#define MFFT_FIELD_BUILD_H

#include "field/partial.h"
#include "field/sums.h"
#include "mfft_field.h"

/* The offsets of the values and the checksums of one dataset in the file. */
typedef struct mfft_extent {
  int64_t offset, sums_offset;
} mfft_extent;

/* An upper bound of the size of the file. */
int64_t mfft_build_bound(const mfft_field_desc *desc, const mfft_slabs *slabs);

/* Makes the partial file of `path` with its structure and its space; *bytes: its size.  After a failure mfft_partial_end
 * must follow. */
mfft_status mfft_build_partial(const char *path, const mfft_field_desc *desc, const mfft_slabs *slabs, mfft_partial *partial,
                               mfft_extent *extent, int64_t *bytes);

/* Fills an existing, empty file.  extent [desc->dataset_count]. */
mfft_status mfft_build_file(const char *name, const mfft_field_desc *desc, const mfft_slabs *slabs, mfft_extent *extent);

#endif
