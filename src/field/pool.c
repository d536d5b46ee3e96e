/* pool.c: see pool.h. */
#include "field/pool.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/env.h"
#include "comm/collective.h"
#include "comm/cores.h"
#include "mfft_field.h"

enum { MOST_THREADS = 1024 };

/* Set for the process; 0: not set. */
static atomic_int set_threads;

mfft_status mfft_field_set_threads(int threads) {
  if (threads < 0 || threads > MOST_THREADS)
    return mfft_fail(MFFT_ERR_ARG, "threads is %d; give 1 to %d, or 0 for the rank's share of the node's cores", threads,
                     MOST_THREADS);
  atomic_store(&set_threads, threads);
  return MFFT_SUCCESS;
}

/* The number that the caller or the environment requests; 0: none. */
static int wanted(void) {
  const int set = atomic_load(&set_threads);
  const double variable = mfft_env_number(MFFT_ENV_IO_THREADS);
  if (set > 0) return set;
  return variable > MOST_THREADS ? MOST_THREADS : (int)variable;
}

int mfft_pool_threads_alone(void) {
  const int threads = wanted();
  return threads > 0 ? threads : 1;
}

/* All ranks query the cores, since others may need the number of this rank. */
mfft_status mfft_pool_threads(MPI_Comm comm, int *threads) {
  int share;
  MFFT_TRY(mfft_cores_share(comm, &share));
  const int asked = wanted();
  *threads = asked > 0 ? asked : share < MOST_THREADS ? share : MOST_THREADS;
  return MFFT_SUCCESS;
}

mfft_status mfft_field_threads(MPI_Comm comm, int *threads) {
  MPI_Comm mine = MPI_COMM_NULL;
  MFFT_TRY(mfft_comm_duplicate(comm, &mine));
  const mfft_status status = mfft_pool_threads(mine, threads);
  mfft_comm_free(&mine);
  return status;
}

mfft_status mfft_pool_open(int threads, mfft_pool *pool) {
  *pool = (mfft_pool){.threads = threads};
  pool->buffer = malloc((size_t)mfft_pool_workers(pool) * 2 * MFFT_PIECE_BYTES);
  if (!pool->buffer) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the buffers of %d threads", threads);
  pool->workers = mfft_workers_create(threads);
  return MFFT_SUCCESS;
}

void mfft_pool_close(mfft_pool *pool) {
  if (pool->running) (void)mfft_pool_wait(pool);
  mfft_workers_destroy(pool->workers);
  free(pool->buffer);
  *pool = (mfft_pool){.threads = 0};
}

int mfft_pool_workers(const mfft_pool *pool) { return pool->threads > 2 ? pool->threads : 2; }

void *mfft_pool_buffer(const mfft_pool *pool, int worker, int number) {
  return pool->buffer + (size_t)(2 * worker + number) * MFFT_PIECE_BYTES;
}

/* Copies the message of the thread that failed. */
static mfft_status finish(mfft_pool *pool, mfft_status status) {
  if (status != MFFT_SUCCESS && pool->workers) mfft_fail(status, "%s", mfft_workers_error(pool->workers));
  return status;
}

mfft_status mfft_pool_run(mfft_pool *pool, int64_t count, mfft_workers_task *task, void *context) {
  return finish(pool, mfft_workers_run(pool->workers, count, task, context));
}

void mfft_pool_start(mfft_pool *pool, int64_t count, mfft_workers_task *task, void *context) {
  if (!pool->workers) pool->workers = mfft_workers_create(2);
  if (pool->workers) mfft_workers_start(pool->workers, count, task, context);
  pool->running = 1;
  pool->count = count;
  pool->task = task;
  pool->context = context;
}

mfft_status mfft_pool_wait(mfft_pool *pool) {
  if (!pool->running) return MFFT_SUCCESS;
  pool->running = 0;
  if (!pool->workers) return mfft_workers_run(NULL, pool->count, pool->task, pool->context);
  return finish(pool, mfft_workers_wait(pool->workers));
}
