/* put.c: writes the values of a dataset, whole or part by part. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "field/convert.h"
#include "field/file.h"
#include "field/posix.h"
#include "mfft_field_direct.h"

/* Whether the boxes of all ranks tile the array: rank 0 checks. */
static mfft_status check_tiling(mfft_field_file file, const mfft_box *box) {
  int size = mfft_comm_size(file->comm);
  mfft_box *boxes = malloc((size_t)size * sizeof *boxes); /* [size] */
  mfft_status status = boxes ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d boxes", size);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(file->comm, box, sizeof *box, boxes, "collecting boxes"));
  if (file->rank == 0) status = mfft_boxes_tile(boxes, size, file->n, "box");
  status = mfft_agree(file->comm, status);
done:
  free(boxes);
  return status;
}

static mfft_status usable(mfft_field_file file) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  if (file->unusable || file->failed) return mfft_fail(MFFT_ERR_STATE, "%s failed before; abandon it", file->name);
  return MFFT_SUCCESS;
}

/* data: any address, or NULL, which is wrong unless the box is empty. */
static mfft_status put_begin(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision,
                             const void *data) {
  MFFT_TRY(usable(file));
  mfft_status status = MFFT_SUCCESS;
  const mfft_agree_item same = mfft_agree_integer("dataset", dataset);
  MFFT_GOTO(done, mfft_agree_values(file->comm, &same, 1));
  if (dataset < 0 || dataset >= file->datasets)
    status = mfft_fail(MFFT_ERR_ARG, "dataset is %d; %s has 0 to %d", dataset, file->name, file->datasets - 1);
  else if (file->done[dataset])
    status = mfft_fail(MFFT_ERR_STATE, "dataset %s has been put already; put each of %s once", file->dataset[dataset],
                       file->name);
  else if (file->putting >= 0)
    status = mfft_fail(MFFT_ERR_STATE, "dataset %s of %s is still being put; call mfft_field_put_end first",
                       file->dataset[file->putting], file->name);
  else
    status = mfft_field_check_array(box, file->n, precision, data, &file->box);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, check_tiling(file, &file->box));
  file->putting = dataset;
  file->memory = precision;
  file->put = 0;
  file->visitor = (mfft_visitor){.visit = NULL};
done:
  file->unusable = status != MFFT_SUCCESS;
  return status;
}

mfft_status mfft_field_put_begin(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision) {
  return put_begin(file, dataset, box, precision, &dataset);
}

/* Records a failure for the call that ends the dataset, with its message: the caller may call other functions before. */
static mfft_status note(mfft_field_file file, mfft_status status) {
  if (status != MFFT_SUCCESS) memcpy(file->why, mfft_last_error(), strlen(mfft_last_error()) + 1);
  return file->failed = status;
}

/* The work after a part has been written, or has failed. */
static mfft_status finish_part(mfft_field_file file, mfft_status status) {
  const int64_t lost = file->job.lost;
  if (status == MFFT_SUCCESS && lost)
    status =
        mfft_fail(MFFT_ERR_NONFINITE, "%" PRId64 " values of dataset %s do not fit single precision; store it as double",
                  lost, file->dataset[file->putting]);
  if (status == MFFT_SUCCESS) file->put += mfft_box_count(&file->job.box);
  return note(file, status);
}

static mfft_status none_is_being_put(mfft_field_file file) {
  return mfft_fail(MFFT_ERR_STATE, "no dataset of %s is being put; call mfft_field_put_begin first", file->name);
}

/* MFFT_ERR_STATE unless a dataset is being written. */
static mfft_status putting(mfft_field_file file) {
  MFFT_TRY(usable(file));
  if (file->putting < 0) return none_is_being_put(file);
  return MFFT_SUCCESS;
}

/* Waits for the part in the background.  SIGXFSZ is blocked in the caller's thread meanwhile, since that thread takes part
 * in the writing. */
static mfft_status finish_running(mfft_field_file file) {
  if (!file->pool.running) return MFFT_SUCCESS;
  return finish_part(file, mfft_pool_wait(&file->pool));
}

/* All steps before the writing of a part.  A part that is being written is waited for first. */
static mfft_status set_part(mfft_field_file file, const mfft_box *part, const void *data) {
  const int dataset = file->putting;
  MFFT_TRY(finish_running(file));
  mfft_box checked;
  mfft_status status = mfft_field_check_array(part, file->n, file->memory, data, &checked);
  if (status == MFFT_SUCCESS) status = mfft_field_check_part(&checked, &file->box);
  if (status == MFFT_SUCCESS)
    file->job = (mfft_store_job){.store = {.fd = file->fd,
                                           .path = file->name,
                                           .pool = &file->pool,
                                           .n = file->n,
                                           .stored = file->precision,
                                           .slabs = file->slabs,
                                           .offset = file->extent[dataset].offset},
                                 .box = checked,
                                 .memory = file->memory,
                                 .data = data,
                                 .sums = mfft_file_sums(file, dataset),
                                 .visitor = file->visitor};
  return note(file, status);
}

mfft_status mfft_field_put_part(mfft_field_file file, const mfft_box *part, const void *data) {
  MFFT_TRY(putting(file));
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  mfft_status status = set_part(file, part, data);
  if (status == MFFT_SUCCESS) status = finish_part(file, mfft_store_box(&file->job));
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_put_start(mfft_field_file file, const mfft_box *part, const void *data) {
  MFFT_TRY(putting(file));
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  const mfft_status status = set_part(file, part, data);
  if (status == MFFT_SUCCESS) mfft_store_start(&file->job);
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_put_wait(mfft_field_file file) {
  MFFT_TRY(putting(file));
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  const mfft_status status = finish_running(file);
  mfft_posix_restore(&signals);
  return status;
}

static mfft_status put_direct(mfft_field_file file, mfft_direct_array direct, const mfft_box *part, const void *data) {
  MFFT_TRY(finish_running(file));
  mfft_direct_part move = {.n = file->n,
                           .element_bytes = mfft_value_bytes(file->precision),
                           .offset = file->extent[file->putting].offset,
                           .data = data,
                           .writes = 1};
  mfft_status status = mfft_field_check_array(part, file->n, file->memory, data, &move.box);
  if (status == MFFT_SUCCESS) status = mfft_field_check_part(&move.box, &file->box);
  if (status != MFFT_SUCCESS || !mfft_box_count(&move.box)) return note(file, status);
  if (file->visitor.visit || file->memory != file->precision || mfft_big_endian_machine())
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "%s: no direct transfers of dataset %s, which is visited, or stored in another precision or byte order",
                     file->name, file->dataset[file->putting]);
  MFFT_TRY(mfft_direct_part_check(direct, &move));
  MFFT_TRY(mfft_direct_file_open(direct, file->name, file->fd, 1, &file->direct));
  status = mfft_direct_part_move(&file->direct, &move, &file->pool);
  if (status == MFFT_SUCCESS) file->put += mfft_box_count(&move.box);
  return note(file, status);
}

mfft_status mfft_field_put_direct(mfft_field_file file, mfft_direct_array direct, const mfft_box *part, const void *data) {
  MFFT_TRY(putting(file));
  if (!direct) return mfft_fail(MFFT_ERR_ARG, "direct is NULL; make it with mfft_direct_create");
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  const mfft_status status = put_direct(file, direct, part, data);
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_put_row_sums(mfft_field_file file, int64_t first, int64_t count, const uint64_t *checksum) {
  MFFT_TRY(mfft_field_put_wait(file));
  return mfft_sums_add_rows(&file->slabs, mfft_file_sums(file, file->putting), &file->box, first, count, checksum);
}

mfft_status mfft_field_put_visit(mfft_field_file file, mfft_field_visit *visit, void *context) {
  MFFT_TRY(mfft_field_put_wait(file));
  file->visitor = (mfft_visitor){visit, context};
  return MFFT_SUCCESS;
}

int mfft_field_put_workers(mfft_field_file file) { return file ? mfft_pool_workers(&file->pool) : 0; }

mfft_status mfft_field_put_checksum(mfft_field_file file, uint64_t *checksum) {
  if (!checksum) return mfft_fail(MFFT_ERR_ARG, "checksum is NULL; pass the address of a variable for the result");
  MFFT_TRY(mfft_field_put_wait(file));
  *checksum = mfft_sums_whole(&file->slabs, mfft_file_sums(file, file->putting));
  return MFFT_SUCCESS;
}

mfft_status mfft_field_put_end(mfft_field_file file) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  const int dataset = file->putting;
  (void)finish_running(file);
  mfft_status status = file->failed;
  if (status != MFFT_SUCCESS) mfft_fail(status, "%s", file->why);
  if (file->unusable) status = mfft_fail(MFFT_ERR_STATE, "%s failed before; abandon it", file->name);
  if (status == MFFT_SUCCESS && dataset < 0)
    status = none_is_being_put(file);
  else if (status == MFFT_SUCCESS && file->put != mfft_box_count(&file->box))
    status = mfft_fail(MFFT_ERR_STATE,
                       "%" PRId64 " of the %" PRId64
                       " values of a box of dataset %s have been put; put all before mfft_field_put_end",
                       file->put, mfft_box_count(&file->box), file->dataset[dataset]);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  uint64_t *sums = mfft_file_sums(file, dataset);
  MFFT_GOTO(done, mfft_collective_allreduce(file->comm, sums, file->slabs.count, MPI_UINT64_T, MPI_SUM, "adding checksums"));
  if (file->rank == 0)
    status = mfft_store_sums(file->fd, file->name, file->extent[dataset].sums_offset, sums, file->slabs.count);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  file->done[dataset] = 1;
  if (memchr(file->done, 0, (size_t)file->datasets)) { /* read back while the others are put */
    const mfft_readback_dataset written = mfft_file_dataset(file, dataset);
    mfft_readback_start(&file->readback, &written, file->pool.threads);
  }
done:
  file->putting = -1;
  file->unusable = status != MFFT_SUCCESS;
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_put(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision,
                           const void *data) {
  MFFT_TRY(put_begin(file, dataset, box, precision, data));
  mfft_field_put_part(file, box, data);
  return mfft_field_put_end(file);
}
