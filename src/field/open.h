/* open.h: opens files of other programs, and the datasets in them that are read, fields and checksums alike.
 *
 * A dataset is returned only if its type, storage, filters, shape and sizes are those that docs/field-format.md allows, and
 * before any of its values is read.  The sequence of the checks matters: the type and the storage come first, since HDF5
 * opens the source files of a virtual dataset as soon as its shape is queried, and a source may be a FIFO. */
#ifndef MFFT_FIELD_OPEN_H
#define MFFT_FIELD_OPEN_H

#include <stdint.h>

#include "field/hdf5.h"

/* An HDF5 file that is open for reading; id -1: none. */
typedef struct mfft_h5_file {
  hid_t id;
  const char *path; /* the caller's */
  int64_t bytes;
} mfft_h5_file;

/* MFFT_ERR_IO if it is no regular file, MFFT_ERR_CORRUPT if it is no whole HDF5 file. */
mfft_status mfft_open_file(const char *path, mfft_h5_file *file);

/* FIELD: IEEE float or double, rank 1 to 3.  SUMS: unsigned integers of 64 bits, rank 1.  COLUMN, a property of particles:
 * IEEE float or double, or integers of 32 or 64 bits, rank 1 or 2.  Either byte order. */
typedef enum mfft_dataset_kind { MFFT_DATASET_FIELD, MFFT_DATASET_SUMS, MFFT_DATASET_COLUMN } mfft_dataset_kind;

/* The type of the values of a dataset. */
typedef enum mfft_number_kind { MFFT_NUMBER_FLOAT, MFFT_NUMBER_SIGNED, MFFT_NUMBER_UNSIGNED } mfft_number_kind;

/* The description of a dataset and the location of its values. */
typedef struct mfft_dataset {
  int rank;         /* 1 to 3 */
  int64_t n[3];     /* lengths, slow to fast; 1 beyond the rank */
  int64_t chunk[3]; /* lengths of a chunk; 0 if the dataset is not chunked */
  int element_bytes, big_endian;
  mfft_number_kind number;
  int64_t offset; /* offset of the values in the file; -1: they can only be read through HDF5 */
} mfft_dataset;

/* Opens a dataset by its path in the file, across no external link.  `access`: properties of the dataset, such as its chunk
 * cache, or H5P_DEFAULT. MFFT_ERR_ARG if there is no dataset of that name, MFFT_ERR_UNSUPPORTED for types and storage that
 * are not read, MFFT_ERR_CORRUPT for damage. */
mfft_status mfft_open_dataset(const mfft_h5_file *file, const char *name, mfft_dataset_kind kind, hid_t access,
                              hid_t *object, mfft_dataset *dataset);

#endif
