/* stored_sums.h: the checksums (sums.h) that a file has for a dataset. */
#ifndef MFFT_FIELD_STORED_SUMS_H
#define MFFT_FIELD_STORED_SUMS_H

#include "field/open.h"
#include "field/sums.h"

/* Reads the checksums of a dataset with lengths n: their slabs, and sums[slabs->count], to be freed by the caller.  If the
 * file has none, or of a kind that this version does not support, both are unchanged. */
mfft_status mfft_stored_sums(const mfft_h5_file *file, const char *dataset, const int64_t n[3], mfft_slabs *slabs,
                             uint64_t **sums);

#endif
