/* fetch.h: one rank reads boxes of a source that rank 0 has examined, by the threads of a pool. */
#ifndef MFFT_FIELD_FETCH_H
#define MFFT_FIELD_FETCH_H

#include <stdatomic.h>

#include "field/pieces.h"
#include "field/pool.h"
#include "field/source.h"
#include "field/visitor.h"

typedef struct mfft_fetch {
  const mfft_source *source;
  const char *path;
  mfft_pool *pool;
  int fd;             /* contiguous data; -1 otherwise */
  hid_t file, object; /* chunked data; -1 otherwise */
  void *unpacked;     /* values that HDF5 has assembled from chunks, in one buffer or two; NULL for contiguous data */
} mfft_fetch;

/* open zeroes the object; close accepts one that is half open.  The pool is the caller's, and is not closed. */
mfft_status mfft_fetch_open(const mfft_source *source, const char *path, mfft_pool *pool, mfft_fetch *fetch);
void mfft_fetch_close(mfft_fetch *fetch);

/* A box to read.  It must exist until it has been read. */
typedef struct mfft_fetch_job {
  mfft_fetch *fetch;
  mfft_box box;          /* inside of the dataset */
  mfft_precision memory; /* of `data` and of what is visited */
  void *data;            /* the array of the box, or NULL: values are not stored */
  uint64_t *sums;        /* [source->slabs.count] to which the checksums are added, or NULL */
  mfft_visitor visitor;
  _Atomic int64_t lost; /* values that have become infinite are added */

  /* The function that reads sets the following fields. */
  mfft_pieces pieces;
  int64_t span;       /* pieces of one iteration */
  const void *packed; /* values that HDF5 has read; NULL: they are read from the file piece by piece */
  mfft_box at;        /* the box of `packed` */
} mfft_fetch_job;

/* Reads a box. */
mfft_status mfft_fetch_box(mfft_fetch_job *job);

/* Reads in the background until mfft_pool_wait(fetch->pool), which returns the result.  Chunked data are read by the caller
 * at once, since HDF5 is not thread-safe. */
mfft_status mfft_fetch_start(mfft_fetch_job *job);

#endif
