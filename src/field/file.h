/* file.h: a file that is being written. */
#ifndef MFFT_FIELD_FILE_H
#define MFFT_FIELD_FILE_H

#include <mpi.h>

#include "field/build.h"
#include "field/direct_file.h"
#include "field/partial.h"
#include "field/readback.h"
#include "field/store.h"

struct mfft_field_file_s {
  MPI_Comm comm;
  int rank;             /* of this process in comm */
  int unusable;         /* a call failed */
  mfft_partial partial; /* rank 0 */
  char *name;           /* the partial file, on every rank */
  int fd;               /* of the partial file, on every rank */
  int64_t file_bytes;
  int64_t n[3]; /* [axis] */
  int axes;
  mfft_precision precision; /* stored */
  int datasets;
  char (*dataset)[MFFT_FIELD_NAME_BYTES]; /* [datasets] */
  mfft_slabs slabs;
  mfft_file_extent *extent; /* [datasets] */
  uint64_t *sums;           /* [datasets][slabs.count] */
  char *done;               /* [datasets] 1: has been put */
  mfft_pool pool;
  mfft_readback readback;
  mfft_workers sync_worker; /* of mfft_field_commit_start; NULL: none */

  /* The dataset that is being written. */
  int putting; /* -1: none */
  mfft_box box;
  mfft_precision memory; /* of the caller's array */
  int64_t put;           /* values so far */
  mfft_visitor visitor;
  mfft_direct_file direct;         /* the partial file as the memory of a device is written to it */
  mfft_store_job job;              /* of the part that is being written, or was the last */
  mfft_status failed;              /* of a part on this rank */
  char why[MFFT_ERROR_TEXT_BYTES]; /* its error message */
};

/* The checksums of a dataset: [slabs.count] */
static inline uint64_t *mfft_file_sums(mfft_field_file file, int dataset) {
  return file->sums + dataset * file->slabs.count;
}

/* A dataset of the file, to be read back. */
mfft_readback_dataset mfft_file_dataset(mfft_field_file file, int dataset);

/* Frees the communicator; no rank returns before the partial file has been removed.  Collective. */
void mfft_file_leave(MPI_Comm *comm);

/* Removes the partial file unless it has its final name, and frees.  Collective; accepts half-built objects and NULL. */
void mfft_file_destroy(mfft_field_file file);

#endif
