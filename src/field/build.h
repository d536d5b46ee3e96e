/* build.h: the structure of a new file: datasets without values, attributes, and space for checksums.  Rank 0 only. */
#ifndef MFFT_FIELD_BUILD_H
#define MFFT_FIELD_BUILD_H

#include "field/structure.h"
#include "mfft_field.h"

/* Makes the partial file of `path` with its structure and its space; extent [desc->dataset_count]; *bytes: its size.  The
 * caller calls mfft_partial_end, also after a failure. */
mfft_status mfft_build_partial(const char *path, const mfft_field_desc *desc, const mfft_slabs *slabs, mfft_partial *partial,
                               mfft_file_extent *extent, int64_t *bytes);

#endif
