/* input.h: a field from a file into an array of a plan, with the checks that every reader of fields makes. */
#ifndef MFFT_APPS_INPUT_H
#define MFFT_APPS_INPUT_H

#include "cli/cli.h"
#include "io/sweep.h"
#include "mesh/mesh.h"
#include "mfft_field.h"

/* The sides of the box: those of the option if it was given, else BoxSize of the file, which must be within the limits of
 * the option (MFFT_ERR_ARG), else n, so that a cell is 1. */
mfft_status mfft_input_lengths(const char *path, const mfft_field_info *info, const mfft_cli_reals *boxsize,
                               double length[3]);

/* Queries the file and fills in the mesh: three axes, and a box size from the option if it was given, else from the file.
 * Collective. */
mfft_status mfft_input_open(const char *path, const char *dataset, const mfft_cli_reals *boxsize, mfft_field_info *info,
                            mfft_mesh *mesh);

/* The results of reading: the same on all ranks, with the same bits for every number of them. */
typedef struct mfft_input_found {
  int64_t nonfinite; /* values that are NaN or infinite */
  double mean;       /* of the others in the file */
  double offset;     /* subtracted from every value */
  double left[2];    /* the sum of both is the mean of the array, to some 100 bits */
} mfft_input_found;

/* Reads the box of the array, of MFFT_SINGLE or MFFT_DOUBLE.  If the array is narrower than the file, and the mean of the
 * field is larger than the variation about it, so that rounding its values would lose digits, the file is read a second time
 * and its mean is subtracted before they are rounded: found->offset is that mean.  Values that the array cannot represent
 * are refused (MFFT_ERR_NONFINITE).  NaN and infinity are refused unless `allow`; then they become the mean of the others,
 * and a note prints their number.  Values are counted, added up and rounded by the threads that read them, while they are in
 * cache; on a GPU as wide as the file they are counted and added up by the GPU, and their checksum there is compared with
 * that of the file, so that damage by the copy is an error.  The array has the same bits for every number of ranks and
 * threads and every size of parts.  Collective. */
mfft_status mfft_input_read(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                            mfft_swept *array, mfft_input_found *found);

#endif
