/* write.c: create, put and commit of a snapshot, as for a field (field/write.c), but with columns of different lengths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "field/fetch.h"
#include "field/partial_share.h"
#include "field/posix.h"
#include "field/store.h"
#include "field/verify.h"
#include "snapshot/build.h"
#include "snapshot/format.h"
#include "snapshot/numbers.h"

struct mfft_snapshot_file_s {
  MPI_Comm comm;
  int rank;             /* of this process in comm */
  int unusable;         /* 1: a call has failed */
  mfft_partial partial; /* rank 0 only */
  char *name;           /* name of the partial file, on every rank */
  int fd;               /* file descriptor of the partial file, on every rank */
  mfft_pool pool;       /* threads that read the file back */
  int64_t bytes;        /* size of the file */
  mfft_snap_desc desc;
  mfft_extent *extent; /* [columns] */
  uint64_t **sums;     /* [columns] checksums; NULL: the column has not been written */
};

/* Destroys the file object.  Collective: no rank returns before the partial file is removed.  Accepts half-built objects. */
static void destroy(mfft_snapshot_file file) {
  if (!file) return;
  if (file->fd >= 0) close(file->fd);
  mfft_pool_close(&file->pool);
  mfft_partial_end(&file->partial);
  (void)mfft_collective_barrier(file->comm, "closing a snapshot");
  mfft_comm_free(&file->comm);
  for (int i = 0; file->sums && i < file->desc.columns; i++) free(file->sums[i]);
  mfft_snap_desc_free(&file->desc);
  free(file->name);
  free(file->extent);
  free(file->sums);
  free(file);
}

mfft_status mfft_snapshot_create(MPI_Comm comm, const char *path, const mfft_snapshot_info *info,
                                 const mfft_snapshot_column *column, int column_count, mfft_snapshot_file *file) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_snapshot_file made = NULL;
  mfft_posix_signals signals;
  mfft_status status;
  int threads;
  mfft_posix_quiet(&signals);
  MFFT_GOTO(fail, mfft_comm_duplicate(comm, &mine));
  made = calloc(1, sizeof *made);
  if (made) *made = (struct mfft_snapshot_file_s){.comm = mine, .fd = -1, .partial = {.fd = -1}};
  MFFT_GOTO(fail, mfft_agree(mine, made ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a file object")));
  made->rank = mfft_comm_rank(mine);
  status = file ? mfft_snap_desc_make(info, column, column_count, &made->desc) : mfft_fail(MFFT_ERR_ARG, "file is NULL");
  if (status == MFFT_SUCCESS) status = mfft_field_check_path(path);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_agree_same_text(mine, path, "path"));
  MFFT_GOTO(fail, mfft_snap_desc_agree(mine, &made->desc));
  made->extent = calloc((size_t)made->desc.columns, sizeof *made->extent);
  made->sums = calloc((size_t)made->desc.columns, sizeof *made->sums);
  if (!made->extent || !made->sums) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a list of columns");
  MFFT_GOTO(fail, mfft_agree(mine, status));
  if (made->rank == 0) status = mfft_snap_build(path, &made->desc, &made->partial, made->extent, &made->bytes);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_partial_share(mine, &made->partial, &made->name, &made->bytes, made->extent, made->desc.columns));
  MFFT_GOTO(fail, mfft_pool_threads(mine, &threads));
  status = mfft_partial_open(made->name, made->bytes, &made->fd);
  if (status == MFFT_SUCCESS) status = mfft_pool_open(threads, &made->pool);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  mfft_posix_restore(&signals);
  *file = made;
  return MFFT_SUCCESS;
fail:
  if (!made) mfft_comm_free(&mine);
  destroy(made);
  mfft_posix_restore(&signals);
  return status;
}

/* ---- Writing a column ------------------------------------------------------------------------------------------------ */

static int by_first(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return x[0] != y[0] ? (x[0] < y[0] ? -1 : 1) : (x[1] > y[1]) - (x[1] < y[1]);
}

/* Checks that the ranges of all ranks contain every particle once; the same status on all ranks. */
static mfft_status check_ranges(mfft_snapshot_file file, const mfft_snapshot_column *c, int64_t first, int64_t count) {
  const int size = mfft_comm_size(file->comm);
  int64_t mine[2] = {first, count}, end = 0, (*all)[2] = malloc((size_t)size * sizeof *all); /* [size] */
  mfft_status status = all ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranges", size);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(file->comm, mine, sizeof mine, all, "collecting ranges"));
  qsort(all, (size_t)size, sizeof *all, by_first);
  for (int i = 0; i < size && status == MFFT_SUCCESS; i++) {
    if (all[i][1] == 0) continue;
    if (all[i][0] != end)
      status = mfft_fail(MFFT_ERR_ARG, "column %s of type %d: the ranges of the ranks %s at particle %" PRId64, c->name,
                         c->type, all[i][0] < end ? "overlap" : "leave a gap", all[i][0] < end ? all[i][0] : end);
    end = all[i][0] + all[i][1];
  }
  if (status == MFFT_SUCCESS && end != file->desc.info.count[c->type])
    status =
        mfft_fail(MFFT_ERR_ARG, "column %s of type %d: the ranks put %" PRId64 " particles, and the header says %" PRId64,
                  c->name, c->type, end, file->desc.info.count[c->type]);
done:
  free(all);
  return status;
}

static mfft_status check_put(mfft_snapshot_file file, int column, int64_t first, int64_t count, mfft_snapshot_number number,
                             const void *data) {
  if (file->unusable) return mfft_fail(MFFT_ERR_STATE, "%s failed before; abandon it", file->name);
  if (column < 0 || column >= file->desc.columns)
    return mfft_fail(MFFT_ERR_ARG, "column is %d; %s has 0 to %d", column, file->name, file->desc.columns - 1);
  const mfft_snapshot_column *c = &file->desc.column[column];
  if (file->sums[column]) return mfft_fail(MFFT_ERR_STATE, "column %s of type %d has been put already", c->name, c->type);
  MFFT_TRY(mfft_snap_check_memory(number));
  if (mfft_snap_numbers[number].is_float != mfft_snap_numbers[c->number].is_float)
    return mfft_fail(MFFT_ERR_ARG, "column %s is stored as %s and given as %s; do not mix floats and integers", c->name,
                     mfft_snap_numbers[c->number].words, mfft_snap_numbers[number].words);
  if (first < 0 || count < 0 || count > file->desc.info.count[c->type] || first > file->desc.info.count[c->type] - count)
    return mfft_fail(MFFT_ERR_ARG,
                     "particles [%" PRId64 ", %" PRId64 " + %" PRId64 ") of column %s are not among its %" PRId64, first,
                     first, count, c->name, file->desc.info.count[c->type]);
  return count > 0 && !data ? mfft_fail(MFFT_ERR_ARG, "data is NULL for %" PRId64 " particles", count) : MFFT_SUCCESS;
}

/* Writes this rank's range piece by piece and computes its checksums. */
static mfft_status put_range(mfft_snapshot_file file, int column, int64_t first, int64_t count, mfft_snapshot_number number,
                             const char *data) {
  enum { PIECE = 1 << 15 }; /* numbers of a piece, which fits the cache */
  static const uint16_t one = 1;
  const mfft_snapshot_column *c = &file->desc.column[column];
  const mfft_slabs slabs = mfft_snap_slabs(&file->desc, column);
  const int64_t start = first * c->components, numbers = count * c->components;
  const int bytes = mfft_snap_numbers[c->number].bytes;
  int64_t lost = 0;
  if (*(const unsigned char *)&one == 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "this machine is big-endian, and snapshots are written on little-endian machines only; use one");
  char *piece = malloc((size_t)PIECE * sizeof(double));
  mfft_status status = piece ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a piece of a column");
  for (int64_t done = 0; done < numbers && status == MFFT_SUCCESS; done += PIECE) {
    const int64_t part = numbers - done < PIECE ? numbers - done : PIECE;
    lost += mfft_snap_store(data + done * mfft_snap_numbers[number].bytes, part, number, piece, c->number);
    mfft_sums_add(&slabs, file->sums[column], piece, bytes, start + done, part);
    status =
        mfft_posix_write(file->fd, piece, part * bytes, file->extent[column].offset + (start + done) * bytes, file->name);
  }
  free(piece);
  if (status != MFFT_SUCCESS || !lost) return status;
  return mfft_fail(mfft_snap_numbers[number].is_float ? MFFT_ERR_NONFINITE : MFFT_ERR_UNSUPPORTED,
                   "%" PRId64 " values of column %s do not fit %s; store a wider number", lost, c->name,
                   mfft_snap_numbers[c->number].words);
}

mfft_status mfft_snapshot_put(mfft_snapshot_file file, int column, int64_t first, int64_t count, mfft_snapshot_number number,
                              const void *data) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_snapshot_create");
  const mfft_agree_item same[] = {mfft_agree_integer("column", column)};
  mfft_posix_signals signals;
  mfft_status status;
  int64_t slabs;
  mfft_posix_quiet(&signals);
  MFFT_GOTO(done, mfft_agree_values(file->comm, same, 1));
  MFFT_GOTO(done, mfft_agree(file->comm, check_put(file, column, first, count, number, data)));
  MFFT_GOTO(done, check_ranges(file, &file->desc.column[column], first, count));
  slabs = mfft_snap_slabs(&file->desc, column).count;
  file->sums[column] = calloc((size_t)slabs, sizeof **file->sums);
  if (!file->sums[column]) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", slabs);
  if (status == MFFT_SUCCESS) status = put_range(file, column, first, count, number, data);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done,
            mfft_collective_allreduce(file->comm, file->sums[column], slabs, MPI_UINT64_T, MPI_SUM, "adding checksums"));
  if (file->rank == 0)
    status = mfft_store_sums(file->fd, file->name, file->extent[column].sums_offset, file->sums[column], slabs);
  status = mfft_agree(file->comm, status);
done:
  if (status != MFFT_SUCCESS) file->unusable = 1;
  mfft_posix_restore(&signals);
  return status;
}

/* ---- Commit ---------------------------------------------------------------------------------------------------------- */

/* On rank 0: checks that HDF5 finds the column of the partial file at the recorded offset. */
static mfft_status check_structure(mfft_snapshot_file file, const mfft_snap_header *header, int column) {
  const mfft_snapshot_column *c = &file->desc.column[column];
  const mfft_slabs slabs = mfft_snap_slabs(&file->desc, column);
  mfft_source source;
  uint64_t *stored = NULL;
  MFFT_TRY(mfft_snap_hdf5.column(file->name, header, c->type, c->name, &source, &stored));
  const int same = source.offset == file->extent[column].offset && source.slabs.count == slabs.count &&
                   source.slabs.depth == slabs.depth && stored &&
                   !memcmp(stored, file->sums[column], (size_t)slabs.count * sizeof *stored);
  free(stored);
  return same ? MFFT_SUCCESS
              : mfft_fail(MFFT_ERR_IO, "%s: column %s of type %d does not read back as it was written; check the disk",
                          file->name, c->name, c->type);
}

static mfft_status check_structures(mfft_snapshot_file file) {
  mfft_snap_header header;
  MFFT_TRY(mfft_snap_hdf5.header(file->name, &header));
  for (int i = 0; i < file->desc.columns; i++) MFFT_TRY(check_structure(file, &header, i));
  return MFFT_SUCCESS;
}

/* Reads the values of a column back and compares them with the checksums. */
static mfft_status verify_column(mfft_snapshot_file file, int column) {
  const mfft_snapshot_column *c = &file->desc.column[column];
  mfft_source source = {.file_bytes = file->bytes, .kind = MFFT_DATASET_COLUMN, .offset = file->extent[column].offset};
  source.element_bytes = mfft_snap_numbers[c->number].bytes;
  source.slabs = mfft_snap_slabs(&file->desc, column);
  source.info.precision = mfft_snap_precision(c->number);
  const int64_t n[3] = {file->desc.info.count[c->type], c->components, 1};
  memcpy(source.info.n, n, sizeof n);
  memcpy(source.info.dataset, c->name, sizeof c->name);
  mfft_fetch fetch;
  mfft_status status;
  MFFT_GOTO(done, mfft_agree(file->comm, mfft_fetch_open(&source, file->name, &file->pool, &fetch)));
  status = mfft_verify_all(file->comm, &fetch, file->sums[column]);
  if (status == MFFT_ERR_CORRUPT) status = mfft_fail_context(MFFT_ERR_IO, "what was written does not read back");
done:
  mfft_fetch_close(&fetch);
  return status;
}

mfft_status mfft_snapshot_commit(mfft_snapshot_file *handle) {
  if (!handle || !*handle) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_snapshot_create");
  mfft_snapshot_file file = *handle;
  *handle = NULL;
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  mfft_status status = MFFT_SUCCESS;
  if (file->unusable) status = mfft_fail(MFFT_ERR_STATE, "%s failed before and is abandoned", file->name);
  for (int i = 0; i < file->desc.columns && status == MFFT_SUCCESS; i++)
    if (!file->sums[i])
      status = mfft_fail(MFFT_ERR_STATE, "column %s of type %d of %s has not been put", file->desc.column[i].name,
                         file->desc.column[i].type, file->name);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  for (int i = 0; i < file->desc.columns; i++) MFFT_GOTO(done, verify_column(file, i));
  if (file->rank == 0) status = check_structures(file);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  MFFT_GOTO(done, mfft_agree(file->comm, mfft_posix_sync(file->fd, file->name)));
  if (file->rank == 0) status = mfft_partial_rename(&file->partial);
  status = mfft_agree(file->comm, status);
done:
  destroy(file);
  mfft_posix_restore(&signals);
  return status;
}

void mfft_snapshot_abandon(mfft_snapshot_file *file) {
  if (!file) return;
  destroy(*file);
  *file = NULL;
}
