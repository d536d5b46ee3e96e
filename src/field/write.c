/* write.c: creates a file; put.c, commit.c and file.c have the other calls. */
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "field/desc.h"
#include "field/file.h"
#include "field/partial_share.h"
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
  MFFT_TRY(mfft_readback_open(file->datasets, &file->slabs, &file->readback));
  for (size_t i = 0; i < count; i++) memcpy(file->dataset[i], desc->dataset[i].name, strlen(desc->dataset[i].name) + 1);
  return MFFT_SUCCESS;
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
  status = file ? mfft_field_desc_check(desc, &want)
                : mfft_fail(MFFT_ERR_ARG, "file is NULL; pass the address of an mfft_field_file");
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
  if (made->rank == 0)
    status = mfft_build_partial(path, &want, &made->slabs, &made->partial, made->extent, &made->file_bytes);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_partial_share(mine, &made->partial, &made->name, &made->file_bytes, made->extent, made->datasets));
  MFFT_GOTO(fail, mfft_pool_threads(mine, &threads));
  status = mfft_partial_open(made->name, made->file_bytes, &made->fd);
  if (status == MFFT_SUCCESS) status = mfft_pool_open(threads, &made->pool);
  MFFT_GOTO(fail, mfft_agree(mine, status));
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
