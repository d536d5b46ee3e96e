/* formats.h: the list of all formats of snapshots. */
#ifndef MFFT_SNAPSHOT_FORMATS_H
#define MFFT_SNAPSHOT_FORMATS_H

#include "snapshot/format.h"

extern const mfft_snap_format *const mfft_snap_formats[MFFT_SNAPSHOT_FORMAT_COUNT]; /* [mfft_snapshot_format] */

/* Finds the format of a file from its first bytes and the signature of HDF5. */
mfft_status mfft_snap_format_of(const char *path, mfft_snapshot_format *format);

#endif
