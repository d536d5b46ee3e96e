/* store.h: one rank writes boxes of a dataset whose space is reserved, by the threads of a pool. */
#ifndef MFFT_FIELD_STORE_H
#define MFFT_FIELD_STORE_H

#include <stdatomic.h>

#include "field/pieces.h"
#include "field/pool.h"
#include "field/sums.h"
#include "field/visitor.h"

typedef struct mfft_store {
  int fd;
  const char *path;
  mfft_pool *pool;
  const int64_t *n; /* [3] */
  mfft_precision stored;
  mfft_slabs slabs;
  int64_t offset; /* of the values in the file */
} mfft_store;

/* A box to write.  It, and the array, must exist unchanged until it has been written. */
typedef struct mfft_store_job {
  mfft_store store;
  mfft_box box;          /* inside of the dataset */
  mfft_precision memory; /* of `data` */
  const void *data;      /* the array of the box */
  uint64_t *sums;        /* [slabs.count] sums to which the checksums are added */
  mfft_visitor visitor;
  _Atomic int64_t lost; /* values that have become infinite are added */

  /* The function that writes sets the following fields. */
  mfft_pieces pieces;
  int64_t span; /* pieces of one iteration */
} mfft_store_job;

/* Writes a box; start does so in the background until mfft_pool_wait(store.pool), which returns the result. */
mfft_status mfft_store_box(mfft_store_job *job);
void mfft_store_start(mfft_store_job *job);

/* Writes a list of checksums, in the byte order of the file. */
mfft_status mfft_store_sums(int fd, const char *path, int64_t offset, const uint64_t *sums, int64_t count);

#endif
