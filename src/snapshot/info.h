/* info.h: the versions of mfft_snapshot_info in programs built against older headers. */
#ifndef MFFT_SNAPSHOT_INFO_H
#define MFFT_SNAPSHOT_INFO_H

#include "base/versioned.h"
#include "mfft_snapshot.h"

extern const mfft_versioned mfft_snap_info_versions;

#endif
