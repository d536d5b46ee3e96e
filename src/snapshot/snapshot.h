/* snapshot.h: an open snapshot: the particles of each file. */
#ifndef MFFT_SNAPSHOT_SNAPSHOT_H
#define MFFT_SNAPSHOT_SNAPSHOT_H

#include "field/pool.h"
#include "snapshot/formats.h"
#include "snapshot/set.h"

struct mfft_snapshot_s {
  MPI_Comm comm;
  mfft_pool pool; /* threads that read */
  mfft_snap_set set;
  mfft_snapshot_info info;
  mfft_snap_header *header; /* [info.files] the same on all ranks */
};

/* *with: bits of the types of `types` that have particles; *all: number of their particles.  MFFT_ERR_ARG for bits of types
 * that the snapshot does not have. */
mfft_status mfft_snap_types(mfft_snapshot snapshot, unsigned types, unsigned *with, int64_t *all);

/* The first file with particles of a type. */
int mfft_snap_file_with(mfft_snapshot snapshot, int type);

#endif
