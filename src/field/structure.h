/* structure.h: the objects of a file that is being made: format 1.10, whose metadata have checksums; space allocated at
 * once, never filled; no times, so that equal contents make equal files. */
#ifndef MFFT_FIELD_STRUCTURE_H
#define MFFT_FIELD_STRUCTURE_H

#include <stdint.h>

#include "field/hdf5.h"

/* The alignment of large objects of a file in bytes, by the size of its largest dataset. */
int64_t mfft_structure_alignment(int64_t dataset_bytes);

/* Makes the HDF5 file `name`, whose largest dataset has that many bytes. */
hid_t mfft_structure_file(const char *name, int64_t dataset_bytes);

/* Creates the group `name` below `parent` if it does not exist. */
hid_t mfft_structure_group(hid_t parent, const char *name);

/* Makes a contiguous dataset with its space, at a path below `parent` whose missing groups are made. */
hid_t mfft_structure_dataset(hid_t parent, const char *path, hid_t type, int rank,
                             const int64_t *n /* [rank] slow to fast */);

#endif
