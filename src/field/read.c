/* read.c: queries and reads a dataset, collectively. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "field/convert.h"
#include "field/direct_file.h"
#include "field/fetch.h"
#include "field/verify.h"
#include "mfft_field_direct.h"

/* Rank 0 examines the dataset, and broadcasts the result.  The checksums are freed by the caller. */
static mfft_status look_on_root(MPI_Comm comm, const char *path, const char *dataset, mfft_source *source, uint64_t **sums) {
  MFFT_TRY(mfft_agree(comm, mfft_field_check_path(path)));
  MFFT_TRY(mfft_agree_same_text(comm, path, "path"));
  MFFT_TRY(mfft_agree_same_text(comm, dataset, "dataset"));

  mfft_source found;
  memset(&found, 0, sizeof found);
  uint64_t *found_sums = NULL;
  int rank = mfft_comm_rank(comm);
  mfft_status status = rank == 0 ? mfft_source_look(path, dataset, &found, &found_sums) : MFFT_SUCCESS;
  MFFT_GOTO(fail, mfft_agree(comm, status));
  MFFT_GOTO(fail, mfft_collective_broadcast(comm, &found, sizeof found, 0, "sharing what rank 0 read"));
  if (rank != 0 && found.slabs.count) {
    found_sums = malloc((size_t)found.slabs.count * sizeof *found_sums); /* [slabs.count] */
    if (!found_sums) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", found.slabs.count);
  }
  MFFT_GOTO(fail, mfft_agree(comm, status));
  if (found.slabs.count)
    MFFT_GOTO(fail, mfft_collective_broadcast(comm, found_sums, (size_t)found.slabs.count * sizeof *found_sums, 0,
                                              "sharing what rank 0 read"));
  *source = found;
  *sums = found_sums;
  return MFFT_SUCCESS;
fail:
  free(found_sums);
  return status;
}

mfft_status mfft_field_query(MPI_Comm comm, const char *path, const char *dataset, mfft_field_info *info) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_source source;
  uint64_t *sums = NULL;
  mfft_status status;
  MFFT_GOTO(done, mfft_comm_duplicate(comm, &mine));
  MFFT_GOTO(done, mfft_agree(mine, mfft_field_check_info(info)));
  MFFT_GOTO(done, look_on_root(mine, path, dataset, &source, &sums));
  mfft_field_give_info(&source.info, info);
done:
  free(sums);
  mfft_comm_free(&mine);
  return status;
}

struct mfft_field_reading_s {
  MPI_Comm comm;
  char *path;
  mfft_source source;
  mfft_fetch fetch;
  mfft_box box; /* of this rank */
  mfft_precision precision;
  unsigned flags;
  uint64_t *stored, *sums; /* [source.slabs.count] or NULL */
  mfft_pool pool;
  mfft_visitor visitor;
  mfft_direct_file direct;         /* the file as the memory of a device is read from it */
  mfft_fetch_job job;              /* of the part that is being read, or was the last */
  int64_t read, lost;              /* values read so far, and the number of them that became infinite */
  mfft_status failed;              /* of a part on this rank */
  char why[MFFT_ERROR_TEXT_BYTES]; /* its error message */
};

/* Collective for the communicator.  Accepts half-built objects. */
static void destroy(mfft_field_reading reading) {
  if (!reading) return;
  mfft_pool_close(&reading->pool);
  mfft_direct_file_close(&reading->direct);
  mfft_fetch_close(&reading->fetch);
  free(reading->path);
  free(reading->sums);
  free(reading->stored);
  mfft_comm_free(&reading->comm);
  free(reading);
}

/* The part of the beginning that each rank does alone, once all have the description of the source. */
static mfft_status begin_here(mfft_field_reading reading, const char *path, const mfft_box *box, const void *data,
                              int threads) {
  const mfft_source *source = &reading->source;
  MFFT_TRY(mfft_field_check_array(box, source->info.n, reading->precision, data, &reading->box));
  reading->path = strdup(path);
  if (!reading->path) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a path");
  MFFT_TRY(mfft_pool_open(threads, &reading->pool));
  MFFT_TRY(mfft_fetch_open(source, reading->path, &reading->pool, &reading->fetch));
  if (!reading->stored) return MFFT_SUCCESS;
  reading->sums = calloc((size_t)source->slabs.count, sizeof *reading->sums);
  if (reading->sums) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", source->slabs.count);
}

/* data: any address, or NULL, which is wrong unless the box is empty. */
static mfft_status begin(MPI_Comm comm, const char *path, const char *dataset, const mfft_box *box, mfft_precision precision,
                         const void *data, unsigned flags, mfft_field_reading *reading) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_field_reading made = NULL;
  mfft_status status;
  int threads;
  MFFT_GOTO(fail, mfft_comm_duplicate(comm, &mine));
  const mfft_agree_item same = mfft_agree_integer("flags", (int64_t)flags);
  MFFT_GOTO(fail, mfft_agree_values(mine, &same, 1));
  made = calloc(1, sizeof *made);
  if (made)
    *made = (struct mfft_field_reading_s){
        .comm = mine, .precision = precision, .flags = flags, .fetch = {.fd = -1, .file = -1, .object = -1}};
  else
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory to read a field");
  if (flags & ~(unsigned)MFFT_FIELD_SKIP_PARTIAL)
    status = mfft_fail(MFFT_ERR_ARG, "flags is %u; give 0 or MFFT_FIELD_SKIP_PARTIAL", flags);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, look_on_root(mine, path, dataset, &made->source, &made->stored));
  MFFT_GOTO(fail, mfft_pool_threads(mine, &threads));
  MFFT_GOTO(fail, mfft_agree(mine, begin_here(made, path, box, data, threads)));
  *reading = made;
  return MFFT_SUCCESS;
fail:
  if (!made) mfft_comm_free(&mine);
  destroy(made);
  return status;
}

/* Compares what all ranks have read with the checksums of the file. */
static mfft_status check(mfft_field_reading reading) {
  const char *path = reading->path, *dataset = reading->source.info.dataset;
  int64_t want = mfft_box_count(&reading->box);
  mfft_status status = reading->failed;
  if (status != MFFT_SUCCESS) mfft_fail(status, "%s", reading->why);
  if (status == MFFT_SUCCESS && reading->read != want)
    status = mfft_fail(MFFT_ERR_STATE,
                       "%s: %" PRId64 " of the %" PRId64
                       " values of a box of dataset %s have been read; read all before mfft_field_read_end",
                       path, reading->read, want, dataset);
  MFFT_TRY(mfft_agree(reading->comm, status));
  if (reading->stored)
    MFFT_TRY(
        mfft_verify_boxes(reading->comm, &reading->fetch, &reading->box, reading->sums, reading->stored, reading->flags));
  if (reading->lost)
    status =
        mfft_fail(MFFT_ERR_NONFINITE, "%s: %" PRId64 " values of dataset %s do not fit single precision; read it as double",
                  path, reading->lost, dataset);
  return mfft_agree(reading->comm, status);
}

mfft_status mfft_field_read_begin(MPI_Comm comm, const char *path, const char *dataset, const mfft_box *box,
                                  mfft_precision precision, unsigned flags, mfft_field_reading *reading) {
  return begin(comm, path, dataset, box, precision, &flags, flags, reading);
}

/* Records a failure for the call that ends the reading, with its message: the caller may call other functions before. */
static mfft_status note(mfft_field_reading reading, mfft_status status) {
  if (status != MFFT_SUCCESS) memcpy(reading->why, mfft_last_error(), strlen(mfft_last_error()) + 1);
  return reading->failed = status;
}

/* Nothing can be read after a failure. */
static mfft_status usable(mfft_field_reading reading) {
  if (!reading) return mfft_fail(MFFT_ERR_ARG, "reading is NULL; make it with mfft_field_read_begin");
  if (reading->failed != MFFT_SUCCESS) return mfft_fail(MFFT_ERR_STATE, "%s failed before; end its reading", reading->path);
  return MFFT_SUCCESS;
}

/* The work after a part has been read, or has failed. */
static mfft_status finish_part(mfft_field_reading reading, mfft_status status) {
  if (status == MFFT_SUCCESS) reading->read += mfft_box_count(&reading->job.box);
  reading->lost += reading->job.lost;
  return note(reading, status);
}

/* All steps before the reading of a part.  A part that is being read is waited for first. */
static mfft_status set_part(mfft_field_reading reading, const mfft_box *part, void *data) {
  MFFT_TRY(mfft_field_read_wait(reading));
  const int stored_too = data || !reading->visitor.visit; /* else the values are only visited */
  mfft_box checked;
  mfft_status status =
      mfft_field_check_array(part, reading->source.info.n, reading->precision, stored_too ? data : part, &checked);
  if (status == MFFT_SUCCESS) status = mfft_field_check_part(&checked, &reading->box);
  if (status == MFFT_SUCCESS)
    reading->job = (mfft_fetch_job){.fetch = &reading->fetch,
                                    .box = checked,
                                    .memory = reading->precision,
                                    .data = data,
                                    .sums = reading->sums,
                                    .visitor = reading->visitor};
  return note(reading, status);
}

mfft_status mfft_field_read_wait(mfft_field_reading reading) {
  MFFT_TRY(usable(reading));
  if (!reading->pool.running) return MFFT_SUCCESS;
  return finish_part(reading, mfft_pool_wait(&reading->pool));
}

mfft_status mfft_field_read_visit(mfft_field_reading reading, mfft_field_visit *visit, void *context) {
  MFFT_TRY(mfft_field_read_wait(reading));
  reading->visitor = (mfft_visitor){visit, context};
  return MFFT_SUCCESS;
}

int mfft_field_read_workers(mfft_field_reading reading) { return reading ? mfft_pool_workers(&reading->pool) : 0; }

mfft_status mfft_field_read_part(mfft_field_reading reading, const mfft_box *part, void *data) {
  MFFT_TRY(set_part(reading, part, data));
  return finish_part(reading, mfft_fetch_box(&reading->job));
}

mfft_status mfft_field_read_start(mfft_field_reading reading, const mfft_box *part, void *data) {
  MFFT_TRY(set_part(reading, part, data));
  const mfft_status status = mfft_fetch_start(&reading->job);
  return reading->pool.running ? status : finish_part(reading, status);
}

/* MFFT_ERR_UNSUPPORTED if the values of a part must be converted or visited, which direct transfers to the memory of a
 * device cannot do. */
static mfft_status check_direct(mfft_field_reading reading, mfft_direct_array direct, const mfft_direct_part *part) {
  const mfft_source *source = &reading->source;
  if (source->offset < 0 || reading->visitor.visit || reading->precision != source->info.precision ||
      source->info.big_endian != mfft_big_endian_machine())
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "%s: no direct transfers of dataset %s, which is not contiguous, in the precision of the array and the "
                     "byte order of the machine, or is visited",
                     reading->path, source->info.dataset);
  return mfft_direct_part_check(direct, part);
}

mfft_status mfft_field_read_direct(mfft_field_reading reading, mfft_direct_array direct, const mfft_box *part, void *data) {
  MFFT_TRY(mfft_field_read_wait(reading));
  if (!direct) return mfft_fail(MFFT_ERR_ARG, "direct is NULL; make it with mfft_direct_create");
  const mfft_source *source = &reading->source;
  mfft_direct_part move = {
      .n = source->info.n, .element_bytes = source->element_bytes, .offset = source->offset, .data = data};
  mfft_status status = mfft_field_check_array(part, source->info.n, reading->precision, data, &move.box);
  if (status == MFFT_SUCCESS) status = mfft_field_check_part(&move.box, &reading->box);
  if (status != MFFT_SUCCESS || !mfft_box_count(&move.box)) return note(reading, status);
  MFFT_TRY(check_direct(reading, direct, &move));
  MFFT_TRY(mfft_direct_file_open(direct, reading->path, reading->fetch.fd, 0, &reading->direct));
  status = mfft_direct_part_move(&reading->direct, &move, &reading->pool);
  if (status == MFFT_SUCCESS) reading->read += mfft_box_count(&move.box);
  return note(reading, status);
}

mfft_status mfft_field_read_row_sums(mfft_field_reading reading, int64_t first, int64_t count, const uint64_t *checksum) {
  MFFT_TRY(mfft_field_read_wait(reading));
  if (!reading->sums) return MFFT_SUCCESS;
  return mfft_sums_add_rows(&reading->source.slabs, reading->sums, &reading->box, first, count, checksum);
}

mfft_status mfft_field_read_checksum(mfft_field_reading reading, uint64_t *checksum) {
  if (!checksum) return mfft_fail(MFFT_ERR_ARG, "checksum is NULL; pass the address of a variable for the result");
  MFFT_TRY(mfft_field_read_wait(reading));
  if (!reading->sums)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s has no checksums; only files of this library do", reading->path);
  *checksum = mfft_sums_whole(&reading->source.slabs, reading->sums);
  return MFFT_SUCCESS;
}

mfft_status mfft_field_read_end(mfft_field_reading *reading) {
  if (!reading || !*reading) return MFFT_SUCCESS;
  (void)mfft_field_read_wait(*reading); /* check returns a failure */
  mfft_status status = check(*reading);
  destroy(*reading);
  *reading = NULL;
  return status;
}

mfft_status mfft_field_read(MPI_Comm comm, const char *path, const char *dataset, const mfft_box *box,
                            mfft_precision precision, void *data, unsigned flags) {
  mfft_field_reading reading;
  MFFT_TRY(begin(comm, path, dataset, box, precision, data, flags, &reading));
  mfft_field_read_part(reading, box, data);
  return mfft_field_read_end(&reading);
}
