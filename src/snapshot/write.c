/* write.c: create, put, commit of a snapshot: as those of a field (field/write.c), but with columns of different lengths. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "field/posix.h"
#include "snapshot/numbers.h"
#include "snapshot/part.h"
#include "snapshot/set.h"

struct mfft_snapshot_file_s {
  MPI_Comm comm;
  int rank;       /* of this process in comm */
  int unusable;   /* a call failed */
  mfft_pool pool; /* of threads that read back */
  mfft_snap_desc desc;
  char *put;            /* [columns] 1: has been put */
  mfft_snap_part *part; /* [desc.files] */
};

/* Frees; collective for the communicator: no rank returns before the partial files are gone.  Accepts half-built objects. */
static void destroy(mfft_snapshot_file file) {
  if (!file) return;
  mfft_pool_close(&file->pool);
  for (int i = 0; file->part && i < file->desc.files; i++) mfft_snap_part_free(&file->part[i]);
  (void)mfft_collective_barrier(file->comm, "closing a snapshot");
  mfft_comm_free(&file->comm);
  mfft_snap_desc_free(&file->desc);
  free(file->put);
  free(file->part);
  free(file);
}

static mfft_status make_parts(mfft_snapshot_file file) {
  file->put = calloc((size_t)file->desc.columns, 1);
  file->part = calloc((size_t)file->desc.files, sizeof *file->part);
  if (!file->put || !file->part) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the files of a snapshot");
  for (int i = 0; i < file->desc.files; i++) MFFT_TRY(mfft_snap_part_create(&file->desc, i, &file->part[i]));
  return MFFT_SUCCESS;
}

/* Collective. */
static mfft_status open_parts(mfft_snapshot_file file, const char *path) {
  char name[MFFT_SNAP_PATH_BYTES];
  for (int i = 0; i < file->desc.files; i++) {
    MFFT_TRY(mfft_agree(file->comm, mfft_snap_set_part(path, file->desc.files, i, name)));
    MFFT_TRY(mfft_snap_part_open(file->comm, name, &file->part[i]));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_snapshot_create(MPI_Comm comm, const char *path, const mfft_snapshot_info *info,
                                 const mfft_snapshot_column *column, int column_count, mfft_snapshot_file *file) {
  return mfft_snapshot_create_set(comm, path, info, column, column_count, 1, file);
}

mfft_status mfft_snapshot_create_set(MPI_Comm comm, const char *path, const mfft_snapshot_info *info,
                                     const mfft_snapshot_column *column, int column_count, int files,
                                     mfft_snapshot_file *file) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_snapshot_file made = NULL;
  mfft_posix_signals signals;
  mfft_status status;
  int threads;
  mfft_posix_quiet(&signals);
  MFFT_GOTO(fail, mfft_comm_duplicate(comm, &mine));
  made = calloc(1, sizeof *made);
  if (made) made->comm = mine;
  MFFT_GOTO(fail, mfft_agree(mine, made ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a file object")));
  made->rank = mfft_comm_rank(mine);
  status =
      file ? mfft_snap_desc_make(info, column, column_count, files, &made->desc) : mfft_fail(MFFT_ERR_ARG, "file is NULL");
  if (status == MFFT_SUCCESS) status = mfft_field_check_path(path);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_agree_same_text(mine, path, "path"));
  MFFT_GOTO(fail, mfft_snap_desc_agree(mine, &made->desc));
  MFFT_GOTO(fail, mfft_agree(mine, make_parts(made)));
  MFFT_GOTO(fail, mfft_agree(mine, made->rank == 0 ? mfft_snap_set_free(path, files) : MFFT_SUCCESS));
  MFFT_GOTO(fail, open_parts(made, path));
  MFFT_GOTO(fail, mfft_pool_threads(mine, &threads));
  MFFT_GOTO(fail, mfft_agree(mine, mfft_pool_open(threads, &made->pool)));
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
  const char *name = file->part[0].name;
  if (file->unusable) return mfft_fail(MFFT_ERR_STATE, "%s failed before; abandon it", name);
  if (column < 0 || column >= file->desc.columns)
    return mfft_fail(MFFT_ERR_ARG, "column is %d; %s has 0 to %d", column, name, file->desc.columns - 1);
  const mfft_snapshot_column *c = &file->desc.column[column];
  if (file->put[column]) return mfft_fail(MFFT_ERR_STATE, "column %s of type %d has been put already", c->name, c->type);
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

mfft_status mfft_snapshot_put(mfft_snapshot_file file, int column, int64_t first, int64_t count, mfft_snapshot_number number,
                              const void *data) {
  if (!file) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_snapshot_create");
  const mfft_agree_item same[] = {mfft_agree_integer("column", column)};
  mfft_posix_signals signals;
  mfft_status status;
  mfft_posix_quiet(&signals);
  MFFT_GOTO(done, mfft_agree_values(file->comm, same, 1));
  MFFT_GOTO(done, mfft_agree(file->comm, check_put(file, column, first, count, number, data)));
  MFFT_GOTO(done, check_ranges(file, &file->desc.column[column], first, count));
  for (int i = 0; i < file->desc.files; i++)
    MFFT_GOTO(done, mfft_snap_part_put(file->comm, &file->part[i], column, first, count, number, data));
  file->put[column] = 1;
done:
  if (status != MFFT_SUCCESS) file->unusable = 1;
  mfft_posix_restore(&signals);
  return status;
}

/* ---- Commit ---------------------------------------------------------------------------------------------------------- */

mfft_status mfft_snapshot_commit(mfft_snapshot_file *handle) {
  if (!handle || !*handle) return mfft_fail(MFFT_ERR_ARG, "file is NULL; make it with mfft_snapshot_create");
  mfft_snapshot_file file = *handle;
  *handle = NULL;
  mfft_posix_signals signals;
  mfft_posix_quiet(&signals);
  mfft_status status = MFFT_SUCCESS;
  const char *name = file->part[0].name;
  if (file->unusable) status = mfft_fail(MFFT_ERR_STATE, "%s failed before and is abandoned", name);
  for (int i = 0; i < file->desc.columns && status == MFFT_SUCCESS; i++)
    if (!file->put[i])
      status = mfft_fail(MFFT_ERR_STATE, "column %s of type %d of %s has not been put", file->desc.column[i].name,
                         file->desc.column[i].type, name);
  MFFT_GOTO(done, mfft_agree(file->comm, status));
  for (int i = 0; i < file->desc.files; i++) MFFT_GOTO(done, mfft_snap_part_verify(file->comm, &file->pool, &file->part[i]));
  status = mfft_agree(file->comm, file->rank == 0 ? mfft_snap_parts_rename(file->part, file->desc.files) : MFFT_SUCCESS);
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
