/* names.h: from the name of a dataset to the open object, or to a text that says why not. */
#ifndef MFFT_FIELD_NAMES_H
#define MFFT_FIELD_NAMES_H

#include "field/hdf5.h"

/* Opens the object that `name` leads to; no part of the way may be an external or user-defined link. */
mfft_status mfft_names_open(hid_t file, const char *path, const char *name, hid_t *object);

/* The only dataset of floating-point numbers at the root: its name, of less than `size` bytes. */
mfft_status mfft_names_only(hid_t file, const char *path, char *name, size_t size);

/* Moves *name to the next part of a path in a file, past slashes and parts that are ".", which lead nowhere, and returns how
 * many bytes that part has; 0 at the end of the path. */
size_t mfft_names_part(const char **name);

#endif
