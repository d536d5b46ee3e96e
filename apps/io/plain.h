/* plain.h: the speed of a file system with plain reads and writes, to compare a job with (--bound) and to predict its time
 * (--dry-run). All ranks take part, each with its share of the bytes. */
#ifndef MFFT_APPS_PLAIN_H
#define MFFT_APPS_PLAIN_H

#include <stdint.h>

#include "mfft.h"

/* Seconds in which the ranks together read the first `bytes` bytes of a file, or all if it is shorter; *bytes becomes the
 * number of bytes read.  Data in the system's cache is read from there.  Collective. */
mfft_status mfft_plain_read(const char *path, int64_t *bytes, double *seconds);

/* Seconds in which they write a file of so many bytes next to `path` and flush it to disk (fsync).  The file, whose name is
 * that of `path` and ".mfft-bound", is removed again.  Collective. */
mfft_status mfft_plain_write(const char *path, int64_t bytes, double *seconds);

#endif
