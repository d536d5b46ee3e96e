/* pool.h: the threads that move the values of one reading or one file, and their buffers.
 *
 * Any split of the work gives the same bytes, checksums and error messages: pieces of a box are written to places of their
 * own, checksums are integer sums, and of several failures that of the lowest iteration counts.  Only the thread that owns
 * the object calls HDF5 and MPI; the others read, write, convert and add up. */
#ifndef MFFT_FIELD_POOL_H
#define MFFT_FIELD_POOL_H

#include <mpi.h>

#include "base/status.h"
#include "base/workers.h"

/* Bytes of a buffer, and so of a piece; and pieces of a span, after each of which the system begins to write back.  These
 * took the least time of those that were tried (docs/lab/io.md). */
enum { MFFT_PIECE_BYTES = 1 << 18, MFFT_SPAN_PIECES = 32 };

typedef struct mfft_pool {
  int threads;          /* threads that share a loop, the owner among them */
  mfft_workers workers; /* NULL: the owner alone */
  char *buffer;         /* [mfft_pool_workers()][2][MFFT_PIECE_BYTES] */
  int running;          /* 1: a loop has been started and not been waited for */
  int64_t count;        /* arguments of that loop, with the next two, if no thread runs it before wait does */
  mfft_workers_task *task;
  void *context;
} mfft_pool;

/* The number of threads of this rank for fields: the argument of mfft_field_set_threads, else MFFT_IO_THREADS, else the
 * rank's share of the cores of its node.  Collective. */
mfft_status mfft_pool_threads(MPI_Comm comm, int *threads);

/* The same for a single process without MPI: 1 unless set otherwise. */
int mfft_pool_threads_alone(void);

/* Not collective.  close accepts a zeroed object, and finishes a loop that runs. */
mfft_status mfft_pool_open(int threads, mfft_pool *pool);
void mfft_pool_close(mfft_pool *pool);

/* Worker numbers of tasks are below this: the threads, and at least 2, since a loop in the background has a thread of its
 * own. */
int mfft_pool_workers(const mfft_pool *pool);

/* Buffer 0 or 1 of a worker. */
void *mfft_pool_buffer(const mfft_pool *pool, int worker, int number);

/* Runs a loop.  After a failure mfft_last_error() of the caller has its message. */
mfft_status mfft_pool_run(mfft_pool *pool, int64_t count, mfft_workers_task *task, void *context);

/* Runs a loop in the background until wait, in which the owner takes part.  One loop at a time; without one wait succeeds.
 */
void mfft_pool_start(mfft_pool *pool, int64_t count, mfft_workers_task *task, void *context);
mfft_status mfft_pool_wait(mfft_pool *pool);

#endif
