/* info.c: see info.h. */
#include "snapshot/info.h"

const mfft_versioned mfft_snap_info_versions = {.name = "info",
                                                .init = "mfft_snapshot_info_init",
                                                .size = sizeof(mfft_snapshot_info),
                                                .first = sizeof(mfft_snapshot_info)};

void mfft_snapshot_info_init_sized(mfft_snapshot_info *info, size_t struct_size) {
  const mfft_snapshot_info defaults = {.types = 6, .time = 1, .files = 1};
  mfft_versioned_init(info, struct_size, &defaults, sizeof defaults);
}
