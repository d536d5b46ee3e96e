/* write.c: creates a file; put.c, commit.c and file.c have the other calls. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "field/desc.h"
#include "field/file.h"
#include "field/posix.h"

static mfft_status allocate(mfft_field_file file, const mfft_field_desc *desc) {
  size_t count = (size_t)desc->dataset_count;
  memcpy(file->n, desc->n, sizeof file->n);
  file->axes = desc->rank;
  file->precision = desc->precision;
  file->datasets = desc->dataset_count;
  file->slabs = mfft_slabs_choose(desc->n);
  file->dataset = calloc(count, sizeof *file->dataset);
  file->extent = calloc(count, sizeof *file->extent);
  file->sums = calloc(count * (size_t)file->slabs.count, sizeof *file->sums);
  file->done = calloc(count, 1);
  if (!file->dataset || !file->extent || !file->sums || !file->done)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for the checksums of %d datasets", desc->dataset_count);
  for (size_t i = 0; i < count; i++) memcpy(file->dataset[i], desc->dataset[i].name, strlen(desc->dataset[i].name) + 1);
  return MFFT_SUCCESS;
}

/* Rank 0: the partial file with its structure and its space. */
static mfft_status start(mfft_field_file file, const char *path, const mfft_field_desc *desc) {
  MFFT_TRY(mfft_build_partial(path, desc, &file->slabs, &file->partial, file->extent, &file->file_bytes));
  file->name = strdup(file->partial.name);
  return file->name ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a path");
}

/* Broadcasts the name, size and layout of the partial file from rank 0. */
static mfft_status share(mfft_field_file file) {
  int64_t facts[2] = {file->name ? (int64_t)strlen(file->name) : 0, file->file_bytes};
  MFFT_TRY(mfft_collective_broadcast(file->comm, facts, sizeof facts, 0, "sharing a partial file"));
  file->file_bytes = facts[1];
  mfft_status status = MFFT_SUCCESS;
  if (!file->name) {
    file->name = calloc(1, (size_t)facts[0] + 1);
    if (!file->name) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a path");
  }
  MFFT_TRY(mfft_agree(file->comm, status));
  MFFT_TRY(mfft_collective_broadcast(file->comm, file->name, (size_t)facts[0], 0, "sharing a partial file"));
  return mfft_collective_broadcast(file->comm, file->extent, (size_t)file->datasets * sizeof *file->extent, 0,
                                   "sharing a partial file");
}

static mfft_status open_here(mfft_field_file file, int threads) {
  int64_t bytes;
  MFFT_TRY(mfft_posix_size(file->name, &bytes));
  if (bytes != file->file_bytes)
    return mfft_fail(MFFT_ERR_IO,
                     "%s has %" PRId64 " bytes here and %" PRId64 " on rank 0; use a folder that all nodes share",
                     file->name, bytes, file->file_bytes);
  file->fd = open(file->name, O_RDWR | O_CLOEXEC);
  if (file->fd < 0) return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", file->name, mfft_posix_reason(errno));
  return mfft_pool_open(threads, &file->pool);
}

mfft_status mfft_field_create(MPI_Comm comm, const char *path, const mfft_field_desc *desc, mfft_field_file *file) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_field_desc want;
  mfft_field_file made = NULL;
  mfft_posix_signals signals;
  mfft_status status;
  int threads;
  mfft_posix_quiet(&signals);
  MFFT_GOTO(fail, mfft_comm_duplicate(comm, &mine));
  status = file ? mfft_field_desc_check(desc, &want) : mfft_fail(MFFT_ERR_ARG, "file is NULL");
  if (status == MFFT_SUCCESS) status = mfft_field_check_path(path);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_agree_same_text(mine, path, "path"));
  MFFT_GOTO(fail, mfft_field_desc_agree(mine, &want));

  made = calloc(1, sizeof *made);
  if (made) {
    *made = (struct mfft_field_file_s){
        .comm = mine, .rank = mfft_comm_rank(mine), .fd = -1, .partial = {.fd = -1}, .putting = -1};
    status = allocate(made, &want);
  } else {
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a file object");
  }
  MFFT_GOTO(fail, mfft_agree(mine, status));
  if (made->rank == 0) status = start(made, path, &want);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, share(made));
  MFFT_GOTO(fail, mfft_pool_threads(mine, &threads));
  MFFT_GOTO(fail, mfft_agree(mine, open_here(made, threads)));
  mfft_posix_restore(&signals);
  *file = made;
  return MFFT_SUCCESS;
fail:
  if (!made) mfft_file_leave(&mine);
  mfft_file_destroy(made);
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_write(MPI_Comm comm, const char *path, const mfft_field_desc *desc, const mfft_box *box,
                             mfft_precision precision, const void *data) {
  mfft_field_file file = NULL;
  MFFT_TRY(mfft_field_create(comm, path, desc, &file));
  mfft_status status = file->datasets == 1
                           ? MFFT_SUCCESS
                           : mfft_fail(MFFT_ERR_ARG, "desc has %d datasets; mfft_field_write writes one", file->datasets);
  if (status == MFFT_SUCCESS) status = mfft_field_put(file, 0, box, precision, data);
  if (status == MFFT_SUCCESS) return mfft_field_commit(&file);
  mfft_field_abandon(&file);
  return status;
}
