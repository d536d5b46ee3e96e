/* input.h: a field from a file into an array of a plan, with the checks that every reader of fields makes. */
#ifndef MFFT_APPS_INPUT_H
#define MFFT_APPS_INPUT_H

#include "cli/cli.h"
#include "io/sweep.h"
#include "mesh/mesh.h"
#include "mfft_field.h"

/* The sides of the box: those of the option where it was given, else BoxSize of the file, which is held to the limits of the
 * option (MFFT_ERR_ARG), else n, so that a cell is 1. */
mfft_status mfft_input_lengths(const char *path, const mfft_field_info *info, const mfft_cli_reals *boxsize,
                               double length[3]);

/* Looks at the file and fills in the mesh: three axes, and a box size from the option where it was given, else from the
 * file. Collective. */
mfft_status mfft_input_open(const char *path, const char *dataset, const mfft_cli_reals *boxsize, mfft_field_info *info,
                            mfft_mesh *mesh);

/* What reading has found and done: the same on all ranks, with the same bits for every number of them. */
typedef struct mfft_input_found {
  int64_t nonfinite; /* values that are NaN or infinite */
  double mean;       /* of the others in the file */
  double offset;     /* what has been subtracted from every value */
  double left[2];    /* the sum of both is the mean of the array, to some 100 bits */
} mfft_input_found;

/* Reads the box of the array, of MFFT_SINGLE or MFFT_DOUBLE.  Where the array is narrower than the file, and the mean of the
 * field is larger than what varies about it, so that rounding its values would cost digits, the file is read a second time
 * and its mean is subtracted before they are rounded: found->offset tells.  Values whose size the array cannot hold are
 * refused (MFFT_ERR_NONFINITE).  NaN and infinity are refused unless `allow`; then they become the mean of the others, and
 * a note says how many they were.  The array has the same bits for every number of ranks and size of parts.  Where it is
 * narrower, a rank also needs memory for one part in the precision of the file.  Collective. */
mfft_status mfft_input_read(const char *path, const mfft_field_info *info, mfft_precision precision, int allow,
                            mfft_swept *array, mfft_input_found *found);

#endif
