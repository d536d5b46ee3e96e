/* input.h: a field from a file into an array of a plan, with the checks that every reader of fields makes. */
#ifndef MFFT_APPS_INPUT_H
#define MFFT_APPS_INPUT_H

#include "cli.h"
#include "mesh.h"
#include "mfft_field.h"
#include "sweep.h"

/* Looks at the file and fills in the mesh: three axes, and a box size from the option where it was given, else from the
 * file. Collective. */
mfft_status mfft_input_open(const char *path, const char *dataset, const mfft_cli_reals *boxsize, mfft_field_info *info,
                            mfft_mesh *mesh);

/* Reads the box of the array, of MFFT_SINGLE or MFFT_DOUBLE.  NaN and infinity are refused unless `allow`; then they become
 * the mean of the others, and a note says how many they were; so does *nonfinite.  Collective. */
mfft_status mfft_input_read(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                            mfft_swept *array, int64_t *nonfinite);

#endif
