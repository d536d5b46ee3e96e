/* desc.h: checks of the caller's description of a snapshot to write. */
#ifndef MFFT_SNAPSHOT_DESC_H
#define MFFT_SNAPSHOT_DESC_H

#include "mfft_snapshot.h"

/* The content of a snapshot: a copy of the caller's header and list of columns. */
typedef struct mfft_snap_desc {
  mfft_snapshot_info info;
  mfft_snapshot_column *column; /* [columns] */
  int columns;
  int files;                         /* of the set */
  int64_t here[MFFT_SNAPSHOT_TYPES]; /* particles in one file of the set (part.h) */
} mfft_snap_desc;

enum { MFFT_SNAP_MOST_FILES = 256 }; /* each is open on every rank, twice on the first */

/* Checks and copies; free accepts a zeroed object. */
mfft_status mfft_snap_desc_make(const mfft_snapshot_info *info, const mfft_snapshot_column *column, int columns, int files,
                                mfft_snap_desc *desc);
void mfft_snap_desc_free(mfft_snap_desc *desc);

/* MFFT_ERR_MISMATCH if the descriptions of ranks differ.  Collective. */
mfft_status mfft_snap_desc_agree(MPI_Comm comm, const mfft_snap_desc *desc);

#endif
