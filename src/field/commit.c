/* commit.c: flushes a file to disk, verifies it, and gives it its name. */
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "field/file.h"
#include "field/posix.h"
#include "field/verify.h"

/* Rank 0: whether HDF5 finds the datasets of the partial file at the recorded offsets. */
static mfft_status check_structure(mfft_field_file file, int dataset) {
  mfft_source source;
  uint64_t *stored = NULL;
  MFFT_TRY(mfft_source_look(file->name, file->dataset[dataset], &source, &stored));
  size_t bytes = (size_t)file->slabs.count * sizeof *stored;
  int same = source.offset == file->extent[dataset].offset && source.info.precision == file->precision &&
             !memcmp(source.info.n, file->n, sizeof file->n) && source.slabs.count == file->slabs.count &&
             source.slabs.depth == file->slabs.depth && !memcmp(stored, mfft_file_sums(file, dataset), bytes);
  free(stored);
  return same ? MFFT_SUCCESS
              : mfft_fail(MFFT_ERR_IO, "%s: dataset %s does not read back as it was written; check the disk", file->name,
                          file->dataset[dataset]);
}

static mfft_status verify_dataset(mfft_field_file file, int dataset) {
  const mfft_readback_dataset written = mfft_file_dataset(file, dataset);
  uint64_t *sums;
  mfft_status status = mfft_readback_finish(&file->readback, &written, &file->pool, &sums);
  status = mfft_verify_shares(file->comm, &written.source, file->name, status, sums, mfft_file_sums(file, dataset));
  return status == MFFT_ERR_CORRUPT ? mfft_fail_context(MFFT_ERR_IO, "what was written does not read back") : status;
}

static mfft_status verify(mfft_field_file file) {
  for (int dataset = 0; dataset < file->datasets; dataset++) MFFT_TRY(verify_dataset(file, dataset));
  mfft_status status = MFFT_SUCCESS;
  for (int dataset = 0; dataset < file->datasets && file->rank == 0 && status == MFFT_SUCCESS; dataset++)
    status = check_structure(file, dataset);
  return mfft_agree(file->comm, status);
}

/* The object must be usable, and all datasets put. */
static mfft_status check_complete(mfft_field_file file) {
  if (file->unusable) return mfft_fail(MFFT_ERR_STATE, "%s failed before and is abandoned; write it again", file->name);
  for (int i = 0; i < file->datasets; i++)
    if (!file->done[i])
      return mfft_fail(MFFT_ERR_STATE, "dataset %s of %s has not been put; put all before mfft_field_commit",
                       file->dataset[i], file->name);
  return MFFT_SUCCESS;
}

static mfft_status sync_file(void *context, int64_t iteration, int worker) {
  mfft_field_file file = context;
  (void)iteration, (void)worker;
  return mfft_posix_sync(file->fd, file->name);
}

mfft_status mfft_field_commit_start(mfft_field_file file) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  MFFT_TRY(check_complete(file));
  if (file->sync_worker)
    return mfft_fail(MFFT_ERR_STATE, "the commit of %s has begun already; end it by mfft_field_commit", file->name);
  file->sync_worker = mfft_workers_create(2); /* NULL: mfft_field_commit syncs */
  if (file->sync_worker) mfft_workers_start(file->sync_worker, 1, sync_file, file);
  const mfft_readback_dataset last = mfft_file_dataset(file, file->datasets - 1);
  mfft_readback_start(&file->readback, &last, file->pool.threads);
  return MFFT_SUCCESS;
}

/* Flushes the file to disk, or waits until the thread of mfft_field_commit_start has done so. */
static mfft_status finish_sync(mfft_field_file file) {
  if (!file->sync_worker) return mfft_posix_sync(file->fd, file->name);
  const mfft_status status = mfft_workers_wait(file->sync_worker);
  return status == MFFT_SUCCESS ? status : mfft_fail(status, "%s", mfft_workers_error(file->sync_worker));
}

mfft_status mfft_field_commit(mfft_field_file *handle) {
  if (!handle || !*handle) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  mfft_field_file file = *handle;
  *handle = NULL;
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  mfft_status status = check_complete(file);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, verify(file)); /* reads while the disk is still writing */
  MFFT_GOTO(done, mfft_agree(file->comm, finish_sync(file)));
  if (file->rank == 0) status = mfft_partial_rename(&file->partial);
  status = mfft_agree(file->comm, status);
done:
  mfft_file_destroy(file);
  mfft_posix_restore(&signals);
  return status;
}
