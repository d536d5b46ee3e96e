/* read.c: reading a column of a range of particles. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "comm/compare.h"
#include "field/convert.h"
#include "field/fetch.h"
#include "field/verify.h"
#include "snapshot/numbers.h"
#include "snapshot/snapshot.h"

/* Location of the values of one type in one file, as integers, so that one reduction shares them. */
enum { OFFSET, BYTES, NUMBER, BIG, RANK, COMPONENTS, FILE_BYTES, CHUNK0, CHUNK1, DEPTH, SLABS, MISSING, FACTS };
enum { WHOLE_TABLE = 1 }; /* MISSING: there is no column, and the header has the mass */

typedef struct reading {
  mfft_snapshot snapshot;
  unsigned with; /* bits of the requested types that have particles */
  const char *name;
  int64_t first, count;
  mfft_snapshot_number number;
  int components;
  char *data;      /* [count][components] */
  int64_t *facts;  /* [files][types][FACTS] */
  uint64_t **sums; /* [files * types] checksums of the pieces that this rank has examined */
  int64_t lost;
} reading;

static int64_t *facts_of(const reading *r, int file, int type) {
  return r->facts + ((int64_t)file * r->snapshot->info.types + type) * FACTS;
}

static mfft_status path_of(const reading *r, int file, char path[MFFT_SNAP_PATH_BYTES]) {
  return mfft_snap_set_name(&r->snapshot->set, r->snapshot->info.files, file, path);
}

/* ---- Locations -------------------------------------------------------------------------------------------------------- */

/* Fails with a list of the existing columns. */
static mfft_status fail_missing(const reading *r, const char *path, int file, int type) {
  enum { MOST = 32 };
  mfft_snapshot_column *column = calloc(MOST, sizeof *column);
  char text[512] = "nothing";
  size_t used = 0;
  int count = 0;
  const mfft_snap_format *format = mfft_snap_formats[r->snapshot->info.format];
  if (!column || format->columns(path, &r->snapshot->header[file], type, column, MOST, &count) != MFFT_SUCCESS) count = 0;
  for (int i = 0; i < count && i < MOST && used < sizeof text - MFFT_SNAPSHOT_NAME_BYTES; i++)
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", column[i].name);
  free(column);
  return mfft_fail(MFFT_ERR_ARG, "%s: particles of type %d have no column %s; there is %s; or read types that have it", path,
                   type, r->name, text);
}

/* The remedy of whoever has the file, then that of whoever calls the library. */
static mfft_status fail_kind(const reading *r, const char *path, int type) {
  if (mfft_snap_numbers[r->number].is_float)
    return mfft_fail(
        MFFT_ERR_ARG,
        "%s: column %s of type %d holds integers, where floating-point numbers are needed; store it as float or "
        "double, or read it as INT64 or UINT64",
        path, r->name, type);
  return mfft_fail(MFFT_ERR_ARG,
                   "%s: column %s of type %d holds floating-point numbers, where integers are needed; store it as 32-bit or "
                   "64-bit integers, or read it as FLOAT32 or FLOAT64",
                   path, r->name, type);
}

static mfft_status look(reading *r, int file, int type) {
  const mfft_snapshot_info *info = &r->snapshot->info;
  int64_t *facts = facts_of(r, file, type);
  mfft_source source;
  char path[MFFT_SNAP_PATH_BYTES];
  memset(&source, 0, sizeof source);
  MFFT_TRY(path_of(r, file, path));
  /* As in GADGET, a mass in the header is that of every particle of the type, also where a file has the column too. */
  if (!strcmp(r->name, "Masses") && info->mass[type] > 0) {
    facts[MISSING] = WHOLE_TABLE;
    facts[COMPONENTS] = 1;
    return MFFT_SUCCESS;
  }
  const mfft_status status = mfft_snap_formats[info->format]->column(path, &r->snapshot->header[file], type, r->name,
                                                                     &source, &r->sums[file * info->types + type]);
  if (status == MFFT_ERR_ARG) return fail_missing(r, path, file, type);
  MFFT_TRY(status);
  if (mfft_snap_numbers[r->number].is_float != (source.number == MFFT_NUMBER_FLOAT)) return fail_kind(r, path, type);
  const int64_t all[FACTS] = {source.offset,    source.element_bytes, source.number,      source.info.big_endian,
                              source.info.rank, source.info.n[1],     source.file_bytes,  source.chunk[0],
                              source.chunk[1],  source.slabs.depth,   source.slabs.count, 0};
  memcpy(facts, all, sizeof all);
  if (source.info.n[1] == r->components) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s: column %s of type %d has %" PRId64 " numbers for each particle, not %d", path, r->name,
                   type, source.info.n[1], r->components);
}

/* Examines this rank's share of the pieces: every size-th. */
static mfft_status look_all(reading *r) {
  const int rank = mfft_comm_rank(r->snapshot->comm), size = mfft_comm_size(r->snapshot->comm);
  for (int file = 0; file < r->snapshot->info.files; file++)
    for (int type = 0; type < r->snapshot->info.types; type++)
      if (file % size == rank && (r->with >> type & 1) && r->snapshot->header[file].here[type] > 0)
        MFFT_TRY(look(r, file, type));
  return MFFT_SUCCESS;
}

/* ---- One type in one file --------------------------------------------------------------------------------------------- */

static void source_of(const reading *r, int file, int type, mfft_source *source) {
  const int64_t *facts = facts_of(r, file, type);
  memset(source, 0, sizeof *source);
  const mfft_dataset data = {.rank = (int)facts[RANK],
                             .n = {r->snapshot->header[file].here[type], facts[COMPONENTS], 1},
                             .chunk = {facts[CHUNK0], facts[CHUNK1], 0},
                             .element_bytes = (int)facts[BYTES],
                             .big_endian = (int)facts[BIG],
                             .number = (mfft_number_kind)facts[NUMBER],
                             .offset = facts[OFFSET]};
  source->kind = MFFT_DATASET_COLUMN;
  source->file_bytes = facts[FILE_BYTES];
  snprintf(source->info.dataset, sizeof source->info.dataset, "PartType%d/%s", type,
           r->name); /* for messages; binary formats do not need it */
  mfft_source_keep(&data, source);
  if (facts[SLABS]) source->slabs = mfft_slabs_of(source->info.n, facts[DEPTH]);
}

/* Broadcasts the stored checksums from the rank that examined them. */
static mfft_status share_sums(reading *r, int file, int type, int64_t count) {
  uint64_t **sums = &r->sums[file * r->snapshot->info.types + type];
  mfft_status status = MFFT_SUCCESS;
  if (!*sums) *sums = calloc((size_t)count, sizeof **sums);
  if (!*sums) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", count);
  MFFT_TRY(mfft_agree(r->snapshot->comm, status));
  return mfft_collective_broadcast(r->snapshot->comm, *sums, (size_t)count * sizeof **sums,
                                   file % mfft_comm_size(r->snapshot->comm), "sharing checksums");
}

/* Reads the rows of `box` to `data`, and computes their checksums if the file has checksums. */
static mfft_status fetch_rows(reading *r, mfft_fetch *fetch, const mfft_box *box, char *data, uint64_t *mine) {
  const mfft_source *source = fetch->source;
  const mfft_snapshot_number stored = mfft_snap_number(source->number, source->element_bytes);
  const int is_float = mfft_snap_numbers[stored].is_float;
  if (mfft_box_empty(box)) return MFFT_SUCCESS;
  mfft_fetch_job job = {.fetch = fetch, .box = *box, .data = data, .sums = mine};
  job.memory = is_float ? mfft_snap_precision(r->number) : source->info.precision;
  MFFT_TRY(mfft_fetch_box(&job));
  r->lost += job.lost;
  if (!is_float) r->lost += mfft_snap_widen(data, mfft_box_count(box), stored, r->number);
  return MFFT_SUCCESS;
}

/* Reads a box of a piece.  With checksums this is collective, since all ranks that read parts of a slab verify it. */
static mfft_status read_piece(reading *r, int file, int type, const mfft_box *box, char *data) {
  MPI_Comm comm = r->snapshot->comm;
  mfft_source source;
  mfft_fetch fetch = {.fd = -1, .file = -1, .object = -1};
  char path[MFFT_SNAP_PATH_BYTES];
  uint64_t *mine = NULL; /* [slabs.count] */
  mfft_status status;
  source_of(r, file, type, &source);
  const int64_t slabs = source.slabs.count;
  if (slabs) MFFT_TRY(share_sums(r, file, type, slabs));
  if (!slabs && mfft_box_empty(box)) return MFFT_SUCCESS;
  MFFT_GOTO(meet, path_of(r, file, path));
  MFFT_GOTO(meet, mfft_fetch_open(&source, path, &r->snapshot->pool, &fetch));
  if (slabs && !(mine = calloc((size_t)slabs, sizeof *mine)))
    MFFT_GOTO(meet, mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", slabs));
  status = fetch_rows(r, &fetch, box, data, mine);
meet:
  if (slabs) status = mfft_agree(comm, status);
  if (slabs && status == MFFT_SUCCESS)
    status = mfft_verify_boxes(comm, &fetch, box, mine, r->sums[file * r->snapshot->info.types + type], 0);
  free(mine);
  mfft_fetch_close(&fetch);
  return status;
}

/* Stores the mass of the header for every particle of a type. */
static void fill_mass(const reading *r, int type, int64_t count, char *data) {
  const double mass = r->snapshot->info.mass[type];
  for (int64_t i = 0; i < count; i++) {
    if (r->number == MFFT_SNAPSHOT_FLOAT32)
      ((float *)(void *)data)[i] = (float)mass;
    else
      ((double *)(void *)data)[i] = mass;
  }
}

/* Reads all pieces, type by type and file by file, in the order of global indices. */
static mfft_status read_pieces(reading *r) {
  const mfft_snapshot_info *info = &r->snapshot->info;
  const int64_t row_bytes = (int64_t)r->components * mfft_snap_numbers[r->number].bytes;
  int64_t base = 0;
  mfft_status failed = MFFT_SUCCESS;
  for (int type = 0; type < info->types; type++)
    for (int file = 0; file < info->files && (r->with >> type & 1); file++) {
      const int64_t here = r->snapshot->header[file].here[type], *facts = facts_of(r, file, type);
      if (here == 0) continue;
      const int64_t lo = r->first > base ? r->first : base, end = r->first + r->count;
      const int64_t hi = end < base + here ? end : base + here;
      mfft_box box = {.lo = {0, 0, 0}, .hi = {0, 0, 0}, .order = {0, 1, 2}};
      if (lo < hi) box = (mfft_box){{lo - base, 0, 0}, {hi - base, r->components, 1}, {0, 1, 2}};
      char *data = lo < hi ? r->data + (lo - r->first) * row_bytes : NULL;
      base += here;
      if (facts[MISSING]) {
        if (lo < hi) fill_mass(r, type, hi - lo, data);
        continue;
      }
      /* After a failure this rank still takes part in the checksums, which are collective; the status is returned at the
       * end.
       */
      if (failed != MFFT_SUCCESS && !facts[SLABS]) continue;
      if (facts[SLABS]) MFFT_TRY(mfft_agree(r->snapshot->comm, failed));
      failed = read_piece(r, file, type, &box, data);
      if (facts[SLABS]) MFFT_TRY(failed);
    }
  return mfft_agree(r->snapshot->comm, failed);
}

/* ---- The call --------------------------------------------------------------------------------------------------------- */

static mfft_status check(reading *r, unsigned types) {
  int64_t all;
  MFFT_TRY(mfft_snap_check_memory(r->number));
  MFFT_TRY(mfft_snap_types(r->snapshot, types, &r->with, &all));
  if (!r->name || !r->name[0] || strlen(r->name) >= MFFT_SNAPSHOT_NAME_BYTES)
    return mfft_fail(MFFT_ERR_ARG, "the name of a column is NULL, empty or too long; give 1 to %d bytes",
                     MFFT_SNAPSHOT_NAME_BYTES - 1);
  if (r->first < 0 || r->count < 0 || r->first > all || r->count > all - r->first)
    return mfft_fail(MFFT_ERR_ARG,
                     "particles [%" PRId64 ", %" PRId64 " + %" PRId64 ") are requested, and %s has %" PRId64
                     " of these types",
                     r->first, r->first, r->count, r->snapshot->set.first, all);
  if (r->components < 1) return mfft_fail(MFFT_ERR_ARG, "components is %d; give at least 1", r->components);
  if (r->count > 0 && !r->data)
    return mfft_fail(MFFT_ERR_ARG, "data is NULL for %" PRId64 " particles; give an array", r->count);
  const size_t pieces = (size_t)r->snapshot->info.files * (size_t)r->snapshot->info.types;
  r->facts = calloc(pieces, FACTS * sizeof *r->facts);
  r->sums = calloc(pieces, sizeof *r->sums);
  return r->facts && r->sums ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory to read a snapshot");
}

static mfft_status fail_lost(const reading *r) {
  const int is_float = mfft_snap_numbers[r->number].is_float;
  return mfft_fail(is_float ? MFFT_ERR_NONFINITE : MFFT_ERR_UNSUPPORTED,
                   "%s: %" PRId64 " values of column %s do not fit %s; read it as %s", r->snapshot->set.first, r->lost,
                   r->name, mfft_snap_numbers[r->number].words,
                   is_float                           ? "double"
                   : r->number == MFFT_SNAPSHOT_INT64 ? "64-bit unsigned"
                                                      : "64-bit integer");
}

mfft_status mfft_snapshot_read(mfft_snapshot snapshot, unsigned types, const char *name, int64_t first, int64_t count,
                               mfft_snapshot_number number, int components, void *data) {
  if (!snapshot) return mfft_fail(MFFT_ERR_ARG, "snapshot is NULL; make it with mfft_snapshot_open");
  reading r = {.snapshot = snapshot, .name = name, .first = first, .count = count, .number = number};
  r.components = components;
  r.data = data;
  const mfft_agree_item same[] = {mfft_agree_integer("types", (int64_t)types), mfft_agree_text("name", name),
                                  mfft_agree_integer("number", (int64_t)number),
                                  mfft_agree_integer("components", components)};
  mfft_status status;
  MFFT_TRY(mfft_agree_values(snapshot->comm, same, (int)(sizeof same / sizeof *same)));
  const int64_t pieces = (int64_t)snapshot->info.files * snapshot->info.types;
  MFFT_GOTO(done, mfft_agree(snapshot->comm, check(&r, types)));
  MFFT_GOTO(done, mfft_agree(snapshot->comm, look_all(&r)));
  MFFT_GOTO(done, mfft_collective_allreduce(snapshot->comm, r.facts, pieces * FACTS, MPI_INT64_T, MPI_SUM,
                                            "sharing the location of a column"));
  MFFT_GOTO(done, read_pieces(&r));
  status = mfft_agree(snapshot->comm, r.lost ? fail_lost(&r) : MFFT_SUCCESS);
done:
  for (int64_t i = 0; r.sums && i < pieces; i++) free(r.sums[i]);
  free(r.sums);
  free(r.facts);
  return status;
}
