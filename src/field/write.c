/* write.c: create, put, commit. */
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
#include "field/build.h"
#include "field/convert.h"
#include "field/desc.h"
#include "field/fetch.h"
#include "field/partial.h"
#include "field/posix.h"
#include "field/store.h"
#include "field/verify.h"

struct mfft_field_file_s {
  MPI_Comm comm;
  int rank;             /* of this process in comm */
  int dead;             /* a call failed */
  mfft_partial partial; /* rank 0 */
  char *name;           /* the partial file, on every rank */
  int fd;               /* of the partial file, on every rank */
  int64_t file_bytes;
  int64_t n[3]; /* [axis] */
  int axes;
  mfft_precision precision; /* stored */
  int datasets;
  char (*dataset)[MFFT_FIELD_NAME_BYTES]; /* [datasets] */
  mfft_slabs slabs;
  mfft_extent *extent; /* [datasets] */
  uint64_t *sums;      /* [datasets][slabs.count] */
  char *done;          /* [datasets] 1: has been put */

  /* The dataset that is being put. */
  int putting; /* -1: none */
  mfft_box box;
  mfft_precision memory; /* of the caller's array */
  int64_t put;           /* values so far */
  mfft_status failed;    /* of a part on this rank */
};

/* No rank returns before the partial file is gone.  Collective. */
static void leave(MPI_Comm *comm) {
  if (*comm == MPI_COMM_NULL) return;
  (void)mfft_collective_barrier(*comm, "closing a field");
  mfft_comm_free(comm);
}

/* Frees; collective for the communicator.  Accepts half-built objects. */
static void destroy(mfft_field_file file) {
  if (!file) return;
  if (file->fd >= 0) close(file->fd);
  mfft_partial_end(&file->partial);
  leave(&file->comm);
  free(file->name);
  free(file->dataset);
  free(file->extent);
  free(file->sums);
  free(file->done);
  free(file);
}

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

/* The name, size and layout of the partial file, from rank 0 to all. */
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

static mfft_status open_here(mfft_field_file file) {
  int64_t bytes;
  MFFT_TRY(mfft_posix_size(file->name, &bytes));
  if (bytes != file->file_bytes)
    return mfft_fail(MFFT_ERR_IO,
                     "%s has %" PRId64 " bytes here and %" PRId64 " on rank 0; use a folder that all nodes share",
                     file->name, bytes, file->file_bytes);
  file->fd = open(file->name, O_RDWR | O_CLOEXEC);
  if (file->fd < 0) return mfft_fail(MFFT_ERR_IO, "cannot open %s: %s", file->name, mfft_posix_reason(errno));
  return MFFT_SUCCESS;
}

mfft_status mfft_field_create(MPI_Comm comm, const char *path, const mfft_field_desc *desc, mfft_field_file *file) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_field_desc want;
  mfft_field_file made = NULL;
  mfft_posix_signals signals;
  mfft_status status;
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
  MFFT_GOTO(fail, mfft_agree(mine, open_here(made)));
  mfft_posix_restore(&signals);
  *file = made;
  return MFFT_SUCCESS;
fail:
  if (!made) leave(&mine);
  destroy(made);
  mfft_posix_restore(&signals);
  return status;
}

/* Whether the boxes of all ranks tile the array: rank 0 looks. */
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

static uint64_t *sums_of(mfft_field_file file, int dataset) { return file->sums + dataset * file->slabs.count; }

/* Writes a part of this rank's box and adds it to the sums. */
static mfft_status put_box(mfft_field_file file, const mfft_box *box, const void *data) {
  const int dataset = file->putting;
  mfft_store store = {file->fd, file->name, file->n, file->precision, file->slabs, file->extent[dataset].offset};
  int64_t lost = 0;
  MFFT_TRY(mfft_store_box(&store, box, file->memory, data, sums_of(file, dataset), &lost));
  if (!lost) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_NONFINITE, "%" PRId64 " values of dataset %s do not fit single precision; store it as double",
                   lost, file->dataset[dataset]);
}

static mfft_status usable(mfft_field_file file) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  if (file->dead || file->failed) return mfft_fail(MFFT_ERR_STATE, "%s failed before; abandon it", file->name);
  return MFFT_SUCCESS;
}

/* data: any address, or NULL where the box is not empty and the caller has got no array. */
static mfft_status put_begin(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision,
                             const void *data) {
  MFFT_TRY(usable(file));
  mfft_status status = MFFT_SUCCESS;
  const mfft_agree_item same = mfft_agree_integer("dataset", dataset);
  MFFT_GOTO(done, mfft_agree_values(file->comm, &same, 1));
  if (dataset < 0 || dataset >= file->datasets)
    status = mfft_fail(MFFT_ERR_ARG, "dataset is %d; %s has 0 to %d", dataset, file->name, file->datasets - 1);
  else if (file->done[dataset])
    status = mfft_fail(MFFT_ERR_STATE, "dataset %s has been put already", file->dataset[dataset]);
  else if (file->putting >= 0)
    status = mfft_fail(MFFT_ERR_STATE, "dataset %s is still being put", file->dataset[file->putting]);
  else
    status = mfft_field_check_array(box, file->n, precision, data, &file->box);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, check_tiling(file, &file->box));
  file->putting = dataset;
  file->memory = precision;
  file->put = 0;
done:
  file->dead = status != MFFT_SUCCESS;
  return status;
}

mfft_status mfft_field_put_begin(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision) {
  return put_begin(file, dataset, box, precision, &dataset);
}

mfft_status mfft_field_put_part(mfft_field_file file, const mfft_box *part, const void *data) {
  MFFT_TRY(usable(file));
  if (file->putting < 0) return mfft_fail(MFFT_ERR_STATE, "no dataset of %s is being put", file->name);
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  mfft_box checked;
  mfft_status status = mfft_field_check_array(part, file->n, file->memory, data, &checked);
  if (status == MFFT_SUCCESS) status = mfft_field_check_part(&checked, &file->box);
  if (status == MFFT_SUCCESS) status = put_box(file, &checked, data);
  if (status == MFFT_SUCCESS) file->put += mfft_box_count(&checked);
  file->failed = status;
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_put_end(mfft_field_file file) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  const int dataset = file->putting;
  mfft_status status = file->failed;
  if (file->dead) status = mfft_fail(MFFT_ERR_STATE, "%s failed before; abandon it", file->name);
  if (status == MFFT_SUCCESS && dataset < 0)
    status = mfft_fail(MFFT_ERR_STATE, "no dataset of %s is being put", file->name);
  else if (status == MFFT_SUCCESS && file->put != mfft_box_count(&file->box))
    status = mfft_fail(MFFT_ERR_STATE, "%" PRId64 " of the %" PRId64 " values of a box of dataset %s have been put",
                       file->put, mfft_box_count(&file->box), file->dataset[dataset]);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  uint64_t *sums = sums_of(file, dataset);
  MFFT_GOTO(done, mfft_collective_allreduce(file->comm, sums, file->slabs.count, MPI_UINT64_T, MPI_SUM, "adding checksums"));
  if (file->rank == 0)
    status = mfft_store_sums(file->fd, file->name, file->extent[dataset].sums_offset, sums, file->slabs.count);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  file->done[dataset] = 1;
done:
  file->putting = -1;
  file->dead = status != MFFT_SUCCESS;
  mfft_posix_restore(&signals);
  return status;
}

mfft_status mfft_field_put(mfft_field_file file, int dataset, const mfft_box *box, mfft_precision precision,
                           const void *data) {
  MFFT_TRY(put_begin(file, dataset, box, precision, data));
  mfft_field_put_part(file, box, data);
  return mfft_field_put_end(file);
}

/* Rank 0: whether HDF5 finds in the partial file what was meant, where it was put. */
static mfft_status check_structure(mfft_field_file file, int dataset) {
  mfft_source source;
  uint64_t *stored = NULL;
  MFFT_TRY(mfft_source_look(file->name, file->dataset[dataset], &source, &stored));
  size_t bytes = (size_t)file->slabs.count * sizeof *stored;
  int same = source.offset == file->extent[dataset].offset && source.info.precision == file->precision &&
             !memcmp(source.info.n, file->n, sizeof file->n) && source.slabs.count == file->slabs.count &&
             source.slabs.depth == file->slabs.depth && !memcmp(stored, sums_of(file, dataset), bytes);
  free(stored);
  return same ? MFFT_SUCCESS
              : mfft_fail(MFFT_ERR_IO, "%s: dataset %s does not read back as it was written; check the disk", file->name,
                          file->dataset[dataset]);
}

static mfft_status verify(mfft_field_file file) {
  for (int dataset = 0; dataset < file->datasets; dataset++) {
    mfft_source source = {.file_bytes = file->file_bytes,
                          .offset = file->extent[dataset].offset,
                          .element_bytes = mfft_value_bytes(file->precision),
                          .slabs = file->slabs};
    source.info.precision = file->precision;
    memcpy(source.info.n, file->n, sizeof file->n);
    memcpy(source.info.dataset, file->dataset[dataset], sizeof source.info.dataset);
    mfft_fetch fetch;
    mfft_status status;
    MFFT_GOTO(done, mfft_agree(file->comm, mfft_fetch_open(&source, file->name, &fetch)));
    status = mfft_verify_all(file->comm, &fetch, sums_of(file, dataset));
    if (status == MFFT_ERR_CORRUPT) status = mfft_fail_context(MFFT_ERR_IO, "what was written does not read back");
  done:
    mfft_fetch_close(&fetch);
    MFFT_TRY(status);
  }
  mfft_status status = MFFT_SUCCESS;
  for (int dataset = 0; dataset < file->datasets && file->rank == 0 && status == MFFT_SUCCESS; dataset++)
    status = check_structure(file, dataset);
  return mfft_agree(file->comm, status);
}

mfft_status mfft_field_commit(mfft_field_file *handle) {
  if (!handle || !*handle) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_field_create");
  mfft_field_file file = *handle;
  *handle = NULL;
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  mfft_status status = MFFT_SUCCESS;
  if (file->dead) status = mfft_fail(MFFT_ERR_STATE, "%s failed before and is abandoned", file->name);
  for (int i = 0; i < file->datasets && status == MFFT_SUCCESS; i++)
    if (!file->done[i])
      status = mfft_fail(MFFT_ERR_STATE, "dataset %s of %s has not been put", file->dataset[i], file->name);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, verify(file)); /* reads while the disk is still writing */
  MFFT_GOTO(done, mfft_agree(file->comm, mfft_posix_sync(file->fd, file->name)));
  if (file->rank == 0) status = mfft_partial_rename(&file->partial);
  status = mfft_agree(file->comm, status);
done:
  destroy(file);
  mfft_posix_restore(&signals);
  return status;
}

void mfft_field_abandon(mfft_field_file *file) {
  if (!file) return;
  destroy(*file);
  *file = NULL;
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
