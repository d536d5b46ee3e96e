/* names.h: from the name of a dataset to the open object, or to a message that says why there is none. */
#ifndef MFFT_FIELD_NAMES_H
#define MFFT_FIELD_NAMES_H

#include "field/hdf5.h"

/* Opens the object of that name; no part of its path may be an external or user-defined link. */
mfft_status mfft_names_open(hid_t file, const char *path, const char *name, hid_t *object);

/* The only dataset of floating-point numbers at the root: its name, of less than `size` bytes. */
mfft_status mfft_names_only(hid_t file, const char *path, char *name, size_t size);

/* Advances *name to the next part of a path in a file, past slashes and parts that are ".", which have no effect, and
 * returns the length of that part in bytes; 0 at the end of the path. */
size_t mfft_names_part(const char **name);

#endif
