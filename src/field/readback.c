/* readback.c: see readback.h. */
#include "field/readback.h"

#include <stdlib.h>
#include <string.h>

#include "base/status.h"
#include "field/verify.h"

/* The least number of threads of a rank that reads back in the background: one core computes and one writes meanwhile.  With
 * two threads the reading took as much time from these as it saved at the end. */
enum { BESIDE_THREADS = 3 };

mfft_status mfft_readback_open(int datasets, const mfft_slabs *slabs, mfft_readback *readback) {
  *readback = (mfft_readback){.sums = calloc((size_t)datasets * (size_t)slabs->count, sizeof *readback->sums),
                              .done = calloc((size_t)datasets, 1)};
  if (readback->sums && readback->done) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for the checksums of %d datasets", datasets);
}

/* Waits for the dataset in the background. */
static void await_dataset(mfft_readback *r) {
  if (!r->reading) return;
  r->done[r->reading - 1] = mfft_pool_wait(&r->pool) == MFFT_SUCCESS;
  r->reading = 0;
  mfft_fetch_close(&r->fetch);
}

void mfft_readback_close(mfft_readback *r) {
  await_dataset(r);
  mfft_pool_close(&r->pool);
  free(r->done);
  free(r->sums);
  *r = (mfft_readback){.sums = NULL};
}

void mfft_readback_start(mfft_readback *r, const mfft_readback_dataset *dataset, int threads) {
  int64_t share[2];
  await_dataset(r);
  if (threads < BESIDE_THREADS) return;
  if (!r->pool.threads && mfft_pool_open(threads, &r->pool) != MFFT_SUCCESS) return;
  r->source = dataset->source;
  mfft_verify_share(dataset->comm, &r->source, share);
  if (mfft_fetch_open(&r->source, dataset->path, &r->pool, &r->fetch) != MFFT_SUCCESS) {
    mfft_fetch_close(&r->fetch);
    return;
  }
  r->job = (mfft_fetch_job){.fetch = &r->fetch,
                            .box = mfft_verify_box(&r->source, share[0], share[1]),
                            .memory = r->source.info.precision,
                            .sums = r->sums + dataset->number * r->source.slabs.count};
  (void)mfft_fetch_start(&r->job);
  r->reading = dataset->number + 1;
}

/* Reads the slabs from `from` to `to` - 1 of this rank's share again. */
static mfft_status read_again(mfft_fetch *fetch, const int64_t share[2], int64_t from, int64_t to, uint64_t *sums) {
  if (from < share[0]) from = share[0];
  if (to > share[1]) to = share[1];
  if (from >= to) return MFFT_SUCCESS;
  memset(sums + from, 0, (size_t)(to - from) * sizeof *sums);
  mfft_fetch_job job = {.fetch = fetch,
                        .box = mfft_verify_box(fetch->source, from, to),
                        .memory = fetch->source->info.precision,
                        .sums = sums};
  return mfft_fetch_box(&job);
}

mfft_status mfft_readback_finish(mfft_readback *r, const mfft_readback_dataset *dataset, mfft_pool *pool, uint64_t **sums) {
  const mfft_source *source = &dataset->source;
  const int64_t count = source->slabs.count;
  mfft_fetch fetch;
  int64_t share[2];
  await_dataset(r);
  *sums = r->sums + dataset->number * count;
  mfft_verify_share(dataset->comm, source, share);
  mfft_status status = mfft_fetch_open(source, dataset->path, pool, &fetch);
  if (status == MFFT_SUCCESS && !r->done[dataset->number])
    status = read_again(&fetch, share, 0, count, *sums);
  else if (status == MFFT_SUCCESS) {
    status = read_again(&fetch, share, 0, 1, *sums);
    if (status == MFFT_SUCCESS) status = read_again(&fetch, share, count - 1, count, *sums);
  }
  mfft_fetch_close(&fetch);
  return status;
}
