/* padded_rows.h: the rows of an array of real numbers that a transform in place shares with its half spectrum: n/2 + 1
 * complex numbers have space in each row of n.  Deposits and transforms have such padded rows; files and sweeps have dense
 * ones, without padding. */
#ifndef MFFT_APPS_NBODY_PADDED_ROWS_H
#define MFFT_APPS_NBODY_PADDED_ROWS_H

#include "io/sweep.h"

/* Moves the rows of `real`, in host or device memory, within the array: from padded to dense, and from dense to padded; the
 * padding is then undefined.  Rows on a device pass through a page-locked buffer of the size of the sweep's parts.  Blocks
 * until the rows are in place.  Fails with MFFT_ERR_MEMORY if there is no memory for the buffer, or as the device does.
 * Not collective. */
mfft_status mfft_nbody_close_rows(const mfft_swept *real);
mfft_status mfft_nbody_pad_rows(const mfft_swept *real);

#endif
