/* source.h: a dataset that has been examined: its description, the location of its values, and how to read them.
 *
 * Rank 0 examines it (mfft_source_look) and broadcasts the result, which is plain data; then every rank opens the file
 * itself to read values. */
#ifndef MFFT_FIELD_SOURCE_H
#define MFFT_FIELD_SOURCE_H

#include "field/open.h"
#include "field/sums.h"
#include "mfft_field.h"

typedef struct mfft_source {
  mfft_field_info info;
  int64_t file_bytes;
  int64_t offset; /* offset of the values in the file; -1: they can only be read through HDF5 */
  int element_bytes;
  mfft_dataset_kind kind; /* FIELD or COLUMN */
  mfft_number_kind number;
  int64_t chunk[3]; /* lengths of a chunk; 0 if the dataset is not chunked */
  mfft_slabs slabs; /* count 0: no checksums */
} mfft_source;

/* Copies the description of an open dataset into a source.  For integers info.precision is that of floating-point numbers of
 * the same size: their bits are moved unchanged. */
void mfft_source_keep(const mfft_dataset *dataset, mfft_source *source);

/* Examines a dataset; `dataset` may be NULL or empty.  Local.  On success *sums [slabs.count] are the stored checksums, to
 * be freed by the caller, or NULL. */
mfft_status mfft_source_look(const char *path, const char *dataset, mfft_source *source, uint64_t **sums);

#endif
