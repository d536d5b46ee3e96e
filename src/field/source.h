/* source.h: a dataset that has been looked at: what it is, where its values lie, and how to get at them.
 *
 * Rank 0 looks (mfft_source_look) and shares the result, which is plain data; then every rank opens what it needs to fetch
 * values by itself. */
#ifndef MFFT_FIELD_SOURCE_H
#define MFFT_FIELD_SOURCE_H

#include "field/open.h"
#include "field/sums.h"
#include "mfft_field.h"

typedef struct mfft_source {
  mfft_field_info info;
  int64_t file_bytes;
  int64_t offset; /* of the values in the file; -1: they can only be read through HDF5 */
  int element_bytes;
  int64_t chunk[3]; /* lengths of a chunk; 0 where the dataset is not chunked */
  mfft_slabs slabs; /* count 0: no checksums */
} mfft_source;

/* Looks at a dataset; `dataset` may be NULL or empty.  Local.  On success *sums [slabs.count] are the stored checksums, to
 * be freed by the caller, or NULL. */
mfft_status mfft_source_look(const char *path, const char *dataset, mfft_source *source, uint64_t **sums);

#endif
