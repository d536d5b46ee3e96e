/* source.h: a dataset that has been looked at: what it is, where its values lie, and how to get at them.
 *
 * Rank 0 looks (mfft_source_look) and shares the result, which is plain data; then every rank opens what it needs to fetch
 * values by itself. */
#ifndef MFFT_FIELD_SOURCE_H
#define MFFT_FIELD_SOURCE_H

#include "field/hdf5.h"
#include "field/sums.h"
#include "mfft_field.h"

typedef struct mfft_source {
  mfft_field_info info;
  int64_t file_bytes;
  int64_t offset; /* of the values in the file; -1: they can only be read through HDF5 */
  int element_bytes;
  mfft_slabs slabs;    /* count 0: no checksums */
  int64_t sums_offset; /* of the checksums in the file */
} mfft_source;

/* Looks at a dataset; `dataset` may be NULL or empty.  Local.  On success *sums [slabs.count] are the stored checksums, to
 * be freed by the caller, or NULL. */
mfft_status mfft_source_look(const char *path, const char *dataset, mfft_source *source, uint64_t **sums);

/* The part of looking that finds checksums: sets slabs, sums_offset and info.checksummed, and *sums as above, where there
 * are some for source->info.dataset. */
mfft_status mfft_source_sums(hid_t file, const char *path, mfft_source *source, uint64_t **sums);

/* Opens the file and the dataset of a name that is known to be a dataset, safely.  `access` are properties of the dataset.
 */
mfft_status mfft_source_open(const char *path, const char *dataset, hid_t access, hid_t *file, hid_t *object);

#endif
