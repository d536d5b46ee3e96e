/* filters.h: the filters of HDF5 with which a dataset is packed, and whether HDF5 can unpack it without harm.
 *
 * HDF5 (1.10.8) decodes data of scale-offset and N-bit without comparing their length with the number of values, and reads
 * beyond its buffers where they are damaged.  Such a dataset is read only if a filter with a checksum is applied after them,
 * and undone before them: fletcher32, or deflate, whose streams end with a checksum.  SWIFT's lossy snapshots are of this
 * kind. */
#ifndef MFFT_FIELD_FILTERS_H
#define MFFT_FIELD_FILTERS_H

#include <stdint.h>

#include "field/hdf5.h"

/* Checks that all filters of a dataset can be undone.  creation: the properties it was made with; path, name: of the file
 * and of the dataset, for the error message.  MFFT_ERR_UNSUPPORTED if not. */
mfft_status mfft_filters_check(hid_t creation, const char *path, const char *name);

/* Whether the parameters of scale-offset and N-bit, which HDF5 takes from the file, are those of chunks of `count` values of
 * `element_bytes` each. */
int mfft_filters_fit(hid_t creation, int64_t count, int element_bytes);

/* Whether a chunk of equal values takes a few bytes, whatever its size, as scale-offset stores it.  Otherwise a file of b
 * bytes cannot hold more than b times MFFT_FILTERS_MOST bytes of values; here not more than
 * b / MFFT_FILTERS_LEAST_BYTES chunks. */
int mfft_filters_collapse(hid_t creation);
enum { MFFT_FILTERS_MOST = 2048 /* deflate packs 1032 to 1 */, MFFT_FILTERS_LEAST_BYTES = 16 };

#endif
