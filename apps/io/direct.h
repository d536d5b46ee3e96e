/* direct.h: arrays in the memory of a GPU that files are read into and written from with no copy on the host
 * (mfft_field_direct.h), where machine, file system and dataset allow it; the reports of the job tell (cli/timing.h). */
#ifndef MFFT_APPS_DIRECT_H
#define MFFT_APPS_DIRECT_H

#include "io/sweep.h"
#include "mfft_field.h"

/* Read this rank's box of an array, and pass the checksums of the device to the reading; or write it, likewise.  *done: 0 if
 * nothing has been moved, since it is not possible: then mfft_sweep does it.  After a failed transfer all later ones of this
 * process go through the host.  Not collective. */
mfft_status mfft_direct_read(mfft_swept *array, mfft_field_reading reading, int *done);
mfft_status mfft_direct_read_sums(const mfft_swept *array, mfft_field_reading reading);
mfft_status mfft_direct_write(mfft_swept *array, mfft_field_file file, int *done);

/* 1 if the last field was read in this way, so that the next one is not wanted in the page cache. */
int mfft_direct_reads(void);

#endif
