/* snapshot.c: opening a snapshot: the ranks read the headers of all its files concurrently and compare them. */
#include "snapshot/snapshot.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/arguments.h"
#include "snapshot/info.h"

/* Destroys a snapshot.  Collective.  Accepts half-built objects. */
static void destroy(mfft_snapshot snapshot) {
  if (!snapshot) return;
  mfft_pool_close(&snapshot->pool);
  free(snapshot->header);
  mfft_comm_free(&snapshot->comm);
  free(snapshot);
}

/* On rank 0: finds the set, and reads its description from the file that was found. */
static mfft_status look_first(mfft_snapshot snapshot, const char *path) {
  mfft_snap_header header;
  mfft_snapshot_format format;
  MFFT_TRY(mfft_snap_set_find(path, &snapshot->set));
  MFFT_TRY(mfft_snap_format_of(snapshot->set.first, &format));
  MFFT_TRY(mfft_snap_formats[format]->header(snapshot->set.first, &header));
  snapshot->info = header.info;
  return MFFT_SUCCESS;
}

static mfft_status fail_differs(const char *path, const char *first, const char *what) {
  return mfft_fail(MFFT_ERR_CORRUPT,
                   "%s and %s differ in %s, so they are not of one snapshot; remove the file that does not belong to it",
                   first, path, what);
}

/* MFFT_ERR_CORRUPT if the description in a file differs from that of the set. */
static mfft_status compare(mfft_snapshot snapshot, const char *path, const mfft_snapshot_info *info) {
  const mfft_snapshot_info *want = &snapshot->info;
  const char *first = snapshot->set.first;
  if (info->format != want->format || info->big_endian != want->big_endian) return fail_differs(path, first, "format");
  if (info->files != want->files) return fail_differs(path, first, "NumFilesPerSnapshot");
  if (info->types != want->types || memcmp(info->count, want->count, sizeof want->count) != 0)
    return fail_differs(path, first, "NumPart_Total");
  if (memcmp(info->mass, want->mass, sizeof want->mass) != 0) return fail_differs(path, first, "MassTable");
  if (memcmp(info->box_size, want->box_size, sizeof want->box_size) != 0) return fail_differs(path, first, "BoxSize");
  return info->time != want->time ? fail_differs(path, first, "Time") : MFFT_SUCCESS;
}

/* Reads the headers of this rank's share of the files: every size-th. */
static mfft_status look_files(mfft_snapshot snapshot) {
  const int rank = mfft_comm_rank(snapshot->comm), size = mfft_comm_size(snapshot->comm), files = snapshot->info.files;
  char path[MFFT_SNAP_PATH_BYTES];
  for (int i = rank; i < files; i += size) {
    mfft_snapshot_format format;
    MFFT_TRY(mfft_snap_set_name(&snapshot->set, files, i, path));
    mfft_status status = mfft_snap_format_of(path, &format);
    if (status == MFFT_SUCCESS) status = mfft_snap_formats[format]->header(path, &snapshot->header[i]);
    if (status != MFFT_SUCCESS && files > 1)
      return mfft_fail_context(status, "file %d of the %d of %.120s", i, files, snapshot->set.first);
    MFFT_TRY(status);
    MFFT_TRY(compare(snapshot, path, &snapshot->header[i].info));
  }
  return MFFT_SUCCESS;
}

/* Shares the counts of particles of all files with all ranks; the rest of each header is that of the first file. */
static mfft_status share_files(mfft_snapshot snapshot) {
  enum { PER_FILE = 2 * MFFT_SNAPSHOT_TYPES };
  const int files = snapshot->info.files;
  int64_t *all = calloc((size_t)files, PER_FILE * sizeof *all); /* [files][here and masses][types] */
  mfft_status status = all ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for the headers of %d files", files);
  MFFT_GOTO(done, mfft_agree(snapshot->comm, status));
  for (int i = 0; i < files; i++) {
    memcpy(all + i * PER_FILE, snapshot->header[i].here, sizeof snapshot->header[i].here);
    memcpy(all + i * PER_FILE + MFFT_SNAPSHOT_TYPES, snapshot->header[i].masses, sizeof snapshot->header[i].masses);
  }
  MFFT_GOTO(done, mfft_collective_allreduce(snapshot->comm, all, (int64_t)files * PER_FILE, MPI_INT64_T, MPI_SUM,
                                            "sharing the headers of a snapshot"));
  for (int i = 0; i < files; i++) {
    snapshot->header[i].info = snapshot->info;
    memcpy(snapshot->header[i].here, all + i * PER_FILE, sizeof snapshot->header[i].here);
    memcpy(snapshot->header[i].masses, all + i * PER_FILE + MFFT_SNAPSHOT_TYPES, sizeof snapshot->header[i].masses);
  }
done:
  free(all);
  return status;
}

static mfft_status check_totals(mfft_snapshot snapshot) {
  const mfft_snapshot_info *info = &snapshot->info;
  for (int type = 0; type < info->types; type++) {
    int64_t all = 0;
    for (int i = 0; i < info->files; i++) all += snapshot->header[i].here[type];
    if (all != info->count[type])
      return mfft_fail(MFFT_ERR_CORRUPT,
                       "%s: the %d files contain %" PRId64 " particles of type %d, and their headers claim %" PRId64
                       " in all; one of them is of another snapshot, or NumPart_Total is wrong",
                       snapshot->set.first, info->files, all, type, info->count[type]);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_snapshot_open(MPI_Comm comm, const char *path, mfft_snapshot *snapshot) {
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_snapshot made = NULL;
  mfft_status status;
  int threads;
  MFFT_GOTO(fail, mfft_comm_duplicate(comm, &mine));
  status = snapshot ? mfft_field_check_path(path) : mfft_fail(MFFT_ERR_ARG, "snapshot is NULL");
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_agree_same_text(mine, path, "path"));
  made = calloc(1, sizeof *made);
  if (made) made->comm = mine;
  MFFT_GOTO(fail, mfft_agree(mine, made ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a snapshot")));
  if (mfft_comm_rank(mine) == 0) status = look_first(made, path);
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_collective_broadcast(mine, &made->set, sizeof made->set, 0, "sharing the name of a snapshot"));
  MFFT_GOTO(fail, mfft_collective_broadcast(mine, &made->info, sizeof made->info, 0, "sharing the header of a snapshot"));
  made->header = calloc((size_t)made->info.files, sizeof *made->header);
  status = made->header ? look_files(made) : mfft_fail(MFFT_ERR_MEMORY, "no memory for the headers of a snapshot");
  MFFT_GOTO(fail, mfft_agree(mine, status));
  MFFT_GOTO(fail, mfft_pool_threads(mine, &threads));
  MFFT_GOTO(fail, mfft_agree(mine, mfft_pool_open(threads, &made->pool)));
  MFFT_GOTO(fail, share_files(made));
  MFFT_GOTO(fail, check_totals(made)); /* the same on all ranks */
  *snapshot = made;
  return MFFT_SUCCESS;
fail:
  if (!made) mfft_comm_free(&mine);
  destroy(made);
  return status;
}

/* Whether a header whose reading failed counts particles: then open says what is wrong with it. */
static int counts_particles(const mfft_snap_header *header) {
  for (int type = 0; type < MFFT_SNAPSHOT_TYPES; type++)
    if (header->here[type] > 0) return 1;
  return 0;
}

mfft_status mfft_snapshot_probe(MPI_Comm comm, const char *path, int *is) {
  mfft_snap_set set;
  mfft_snap_header header;
  mfft_snapshot_format format;
  MPI_Comm mine = MPI_COMM_NULL;
  mfft_status status;
  int found = 0;
  MFFT_GOTO(done, mfft_comm_duplicate(comm, &mine));
  status = is ? mfft_field_check_path(path) : mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass the address of an int");
  MFFT_GOTO(done, mfft_agree(mine, status));
  MFFT_GOTO(done, mfft_agree_same_text(mine, path, "path"));
  if (mfft_comm_rank(mine) == 0 && mfft_snap_set_find(path, &set) == MFFT_SUCCESS &&
      mfft_snap_format_of(set.first, &format) == MFFT_SUCCESS)
    found = format != MFFT_SNAPSHOT_HDF5 || mfft_snap_formats[format]->header(set.first, &header) == MFFT_SUCCESS ||
            counts_particles(&header);
  MFFT_GOTO(done, mfft_collective_broadcast(mine, &found, sizeof found, 0, "sharing the kind of a file"));
  *is = found;
done:
  mfft_comm_free(&mine);
  return status;
}

mfft_status mfft_snapshot_has_file(const char *path, const char *file, int *is) {
  mfft_snap_set set;
  mfft_snap_header header;
  mfft_snapshot_format format;
  if (!path || !file || !is) return mfft_fail(MFFT_ERR_ARG, "path, file or the result is NULL; give all three");
  *is = 0;
  if (mfft_snap_set_find(path, &set) != MFFT_SUCCESS) return MFFT_SUCCESS;
  const int index = mfft_snap_set_index(&set, file);
  if (index < 0 || mfft_snap_format_of(set.first, &format) != MFFT_SUCCESS) return MFFT_SUCCESS;
  /* Other files beside it are of its set only if it says so: fields have names with numbers too. */
  *is = mfft_snap_formats[format]->header(set.first, &header) == MFFT_SUCCESS &&
        (index == set.number || index < header.info.files);
  return MFFT_SUCCESS;
}

void mfft_snapshot_close(mfft_snapshot *snapshot) {
  if (!snapshot) return;
  destroy(*snapshot);
  *snapshot = NULL;
}

static mfft_status check_object(mfft_snapshot snapshot) {
  return snapshot ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_ARG, "snapshot is NULL; make it with mfft_snapshot_open");
}

mfft_status mfft_snapshot_query(mfft_snapshot snapshot, mfft_snapshot_info *info) {
  MFFT_TRY(check_object(snapshot));
  MFFT_TRY(mfft_versioned_check(&mfft_snap_info_versions, info));
  const size_t size = info->struct_size;
  memcpy(info, &snapshot->info, sizeof *info);
  info->struct_size = size;
  return MFFT_SUCCESS;
}

mfft_status mfft_snap_types(mfft_snapshot snapshot, unsigned types, unsigned *with, int64_t *all) {
  const mfft_snapshot_info *info = &snapshot->info;
  if (types >> info->types)
    return mfft_fail(MFFT_ERR_ARG, "types is 0x%x; %s has types 0 to %d", types, snapshot->set.first, info->types - 1);
  *with = 0;
  *all = 0;
  for (int type = 0; type < info->types; type++)
    if ((!types || types >> type & 1) && info->count[type] > 0) {
      *with |= 1u << type;
      *all += info->count[type];
    }
  return MFFT_SUCCESS;
}

int mfft_snap_file_with(mfft_snapshot snapshot, int type) {
  int file = 0;
  while (file < snapshot->info.files - 1 && snapshot->header[file].here[type] == 0) file++;
  return file;
}

mfft_status mfft_snapshot_share(mfft_snapshot snapshot, unsigned types, int64_t *first, int64_t *count, int64_t *all) {
  unsigned with;
  int64_t every = 0;
  MFFT_TRY(check_object(snapshot));
  if (!first || !count || !all) return mfft_fail(MFFT_ERR_ARG, "first, count or all is NULL");
  MFFT_TRY(mfft_snap_types(snapshot, types, &with, &every));
  const int rank = mfft_comm_rank(snapshot->comm), size = mfft_comm_size(snapshot->comm);
  *first = mfft_part(every, rank, size);
  *count = mfft_part(every, rank + 1, size) - *first;
  *all = every;
  return MFFT_SUCCESS;
}

mfft_status mfft_snapshot_columns(mfft_snapshot snapshot, int type, mfft_snapshot_column *column, int most, int *count) {
  MFFT_TRY(check_object(snapshot));
  const mfft_agree_item same[] = {mfft_agree_integer("type", type), mfft_agree_integer("most", most)};
  mfft_status status;
  int found = 0;
  MFFT_TRY(mfft_agree_values(snapshot->comm, same, 2));
  if (!count || most < 0 || (most > 0 && !column))
    status = mfft_fail(MFFT_ERR_ARG, "count or column is NULL, or most is negative");
  else
    status = type >= 0 && type < snapshot->info.types ? MFFT_SUCCESS
                                                      : mfft_fail(MFFT_ERR_ARG, "type is %d; %s has types 0 to %d", type,
                                                                  snapshot->set.first, snapshot->info.types - 1);
  if (status == MFFT_SUCCESS && mfft_comm_rank(snapshot->comm) == 0 && snapshot->info.count[type] > 0) {
    const int file = mfft_snap_file_with(snapshot, type);
    char path[MFFT_SNAP_PATH_BYTES];
    status = mfft_snap_set_name(&snapshot->set, snapshot->info.files, file, path);
    if (status == MFFT_SUCCESS)
      status = mfft_snap_formats[snapshot->info.format]->columns(path, &snapshot->header[file], type, column, most, &found);
  }
  MFFT_TRY(mfft_agree(snapshot->comm, status));
  MFFT_TRY(mfft_collective_broadcast(snapshot->comm, &found, sizeof found, 0, "sharing the columns of a snapshot"));
  const int stored = found < most ? found : most;
  if (stored > 0)
    MFFT_TRY(mfft_collective_broadcast(snapshot->comm, column, (size_t)stored * sizeof *column, 0,
                                       "sharing the columns of a snapshot"));
  *count = found;
  return MFFT_SUCCESS;
}
