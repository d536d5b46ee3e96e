/* readback.h: reads back what has been written to a file, to verify it: a dataset in the background as soon as all ranks
 * have put it, while the next ones are computed and written, the last one while something else is done before the file is
 * committed (mfft_field_commit_start), and the others when it is committed.
 *
 * Each rank reads a share of the slabs of every dataset, another one than it has put in any usual division.  Of a dataset
 * that was read in the background the first and the last slab are read once more at the end, so that a later dataset that
 * was written beyond its own place is seen there. */
#ifndef MFFT_FIELD_READBACK_H
#define MFFT_FIELD_READBACK_H

#include "field/fetch.h"

typedef struct mfft_readback {
  mfft_pool pool;     /* of the background; no threads before the first dataset */
  mfft_source source; /* the dataset that is being read, or was the last */
  mfft_fetch fetch;
  mfft_fetch_job job;
  int reading;    /* 1 + its number while it is being read in the background; 0: none is */
  uint64_t *sums; /* [datasets][slabs.count] checksums of what has been read */
  char *done;     /* [datasets] 1: has been read in the background */
} mfft_readback;

/* Makes space for the sums of a file's datasets.  close ends what is being read, and accepts a zeroed object.  No call here
 * is collective. */
mfft_status mfft_readback_open(int datasets, const mfft_slabs *slabs, mfft_readback *readback);
void mfft_readback_close(mfft_readback *readback);

/* A dataset to read back: its number in the file, and where it is. */
typedef struct mfft_readback_dataset {
  MPI_Comm comm;
  int number;
  mfft_source source;
  const char *path; /* must exist until the dataset has been read */
} mfft_readback_dataset;

/* Begins to read a dataset that all ranks have put, unless this rank has fewer than three threads.  A failure is not
 * reported: finish reads the dataset then. */
void mfft_readback_start(mfft_readback *readback, const mfft_readback_dataset *dataset, int threads);

/* Reads, by the threads of a pool, what has not been read of this rank's share of a dataset.  *sums are the checksums
 * [slabs.count] of that share, 0 for slabs of other ranks, also after a failure. */
mfft_status mfft_readback_finish(mfft_readback *readback, const mfft_readback_dataset *dataset, mfft_pool *pool,
                                 uint64_t **sums);

#endif
