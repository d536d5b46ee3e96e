/* structure.h: the objects of a file that is being made: format 1.10, whose metadata have checksums; space allocated at
 * once, never filled; no times, so that equal contents make equal files. */
#ifndef MFFT_FIELD_STRUCTURE_H
#define MFFT_FIELD_STRUCTURE_H

#include <stdint.h>

#include "field/hdf5.h"
#include "field/partial.h"
#include "field/sums.h"

/* The offsets of the values and the checksums of one dataset in the file. */
typedef struct mfft_file_extent {
  int64_t offset, sums_offset;
} mfft_file_extent;

/* The alignment of large objects of a file in bytes, by the size of its largest dataset. */
int64_t mfft_structure_alignment(int64_t dataset_bytes);

/* Makes the HDF5 file `name`, whose largest dataset has that many bytes. */
hid_t mfft_structure_file(const char *name, int64_t dataset_bytes);

/* Creates the group `name` below `parent` if it does not exist. */
hid_t mfft_structure_group(hid_t parent, const char *name);

/* Makes a contiguous dataset with its space, at a path below `parent` whose missing groups are made. */
hid_t mfft_structure_dataset(hid_t parent, const char *path, hid_t type, int rank,
                             const int64_t *n /* [rank] slow to fast */);

/* Finishes a dataset and the dataset of its checksums: writes the attributes of the checksums and finds both offsets.  name:
 * the dataset, for messages. */
mfft_status mfft_structure_extent(hid_t values, hid_t sums, const char *name, const mfft_slabs *slabs,
                                  mfft_file_extent *extent);

/* Makes the objects of a file; sums: the group of checksums. */
typedef mfft_status mfft_structure_content(hid_t file, hid_t sums, const void *context, mfft_file_extent *extent);

/* Makes the HDF5 file `name` with its content.  dataset_bytes: size of its largest dataset. */
mfft_status mfft_structure_make(const char *name, int64_t dataset_bytes, mfft_structure_content *content,
                                const void *context, mfft_file_extent *extent);

/* Makes the partial file of `path` with its content and allocates its space on disk.  bound: upper bound of its size;
 * *bytes: its size.  The caller calls mfft_partial_end, also after a failure. */
mfft_status mfft_structure_partial(const char *path, int64_t bound, int64_t dataset_bytes, mfft_structure_content *content,
                                   const void *context, mfft_partial *partial, mfft_file_extent *extent, int64_t *bytes);

#endif
