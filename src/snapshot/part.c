/* part.c: see part.h. */
#include "snapshot/part.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"
#include "field/fetch.h"
#include "field/partial_share.h"
#include "field/posix.h"
#include "field/store.h"
#include "field/verify.h"
#include "snapshot/format.h"
#include "snapshot/numbers.h"

mfft_status mfft_snap_part_create(const mfft_snap_desc *desc, int i, mfft_snap_part *part) {
  *part = (mfft_snap_part){.desc = *desc, .fd = -1, .partial = {.fd = -1}};
  for (int type = 0; type < desc->info.types; type++) {
    part->first[type] = mfft_part(desc->info.count[type], i, desc->files);
    part->desc.here[type] = mfft_part(desc->info.count[type], i + 1, desc->files) - part->first[type];
  }
  part->extent = calloc((size_t)desc->columns, sizeof *part->extent);
  part->sums = calloc((size_t)desc->columns, sizeof *part->sums);
  return part->extent && part->sums ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a list of columns");
}

void mfft_snap_part_free(mfft_snap_part *part) {
  if (!part->extent && !part->sums) return; /* the part was not created */
  if (part->fd >= 0) close(part->fd);
  mfft_partial_end(&part->partial);
  for (int i = 0; part->sums && i < part->desc.columns; i++) free(part->sums[i]);
  free(part->name);
  free(part->extent);
  free(part->sums);
  memset(part, 0, sizeof *part);
}

/* ---- Opening --------------------------------------------------------------------------------------------------------- */

mfft_status mfft_snap_part_open(MPI_Comm comm, const char *path, mfft_snap_part *part) {
  mfft_status status = MFFT_SUCCESS;
  if (mfft_comm_rank(comm) == 0) status = mfft_snap_build(path, &part->desc, &part->partial, part->extent, &part->bytes);
  MFFT_TRY(mfft_agree(comm, status));
  MFFT_TRY(mfft_partial_share(comm, &part->partial, &part->name, &part->bytes, part->extent, part->desc.columns));
  return mfft_agree(comm, mfft_partial_open(part->name, part->bytes, &part->fd));
}

/* ---- Writing a column ------------------------------------------------------------------------------------------------ */

/* Writes particles [first, first + count) of this file piece by piece and computes its checksums. */
static mfft_status put_range(mfft_snap_part *part, int column, int64_t first, int64_t count, mfft_snapshot_number number,
                             const char *data) {
  enum { PIECE = 1 << 15 }; /* numbers of a piece, which fits the cache */
  static const uint16_t one = 1;
  const mfft_snapshot_column *c = &part->desc.column[column];
  const mfft_slabs slabs = mfft_snap_slabs(&part->desc, column);
  const int64_t start = first * c->components, numbers = count * c->components;
  const int bytes = mfft_snap_numbers[c->number].bytes;
  int64_t lost = 0;
  if (*(const unsigned char *)&one == 0)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "this machine is big-endian, and snapshots are written on little-endian machines only; use one");
  char *piece = malloc((size_t)PIECE * sizeof(double));
  mfft_status status = piece ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for a piece of a column");
  for (int64_t done = 0; done < numbers && status == MFFT_SUCCESS; done += PIECE) {
    const int64_t now = numbers - done < PIECE ? numbers - done : PIECE;
    lost += mfft_snap_store(data + done * mfft_snap_numbers[number].bytes, now, number, piece, c->number);
    mfft_sums_add(&slabs, part->sums[column], piece, bytes, start + done, now);
    status =
        mfft_posix_write(part->fd, piece, now * bytes, part->extent[column].offset + (start + done) * bytes, part->name);
  }
  free(piece);
  if (status != MFFT_SUCCESS || !lost) return status;
  return mfft_fail(mfft_snap_numbers[number].is_float ? MFFT_ERR_NONFINITE : MFFT_ERR_UNSUPPORTED,
                   "%" PRId64 " values of column %s do not fit %s; store a wider number", lost, c->name,
                   mfft_snap_numbers[c->number].words);
}

mfft_status mfft_snap_part_put(MPI_Comm comm, mfft_snap_part *part, int column, int64_t first, int64_t count,
                               mfft_snapshot_number number, const void *data) {
  const mfft_snapshot_column *c = &part->desc.column[column];
  const int64_t begin = part->first[c->type], end = begin + part->desc.here[c->type];
  const int64_t lo = first > begin ? first : begin, hi = first + count < end ? first + count : end;
  if (begin == end) return MFFT_SUCCESS;
  const int64_t slabs = mfft_snap_slabs(&part->desc, column).count;
  mfft_status status = MFFT_SUCCESS;
  part->sums[column] = calloc((size_t)slabs, sizeof **part->sums);
  if (!part->sums[column]) status = mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", slabs);
  if (status == MFFT_SUCCESS && lo < hi)
    status = put_range(part, column, lo - begin, hi - lo, number,
                       (const char *)data + (lo - first) * c->components * mfft_snap_numbers[number].bytes);
  MFFT_TRY(mfft_agree(comm, status));
  MFFT_TRY(mfft_collective_allreduce(comm, part->sums[column], slabs, MPI_UINT64_T, MPI_SUM, "adding checksums"));
  if (mfft_comm_rank(comm) == 0)
    status = mfft_store_sums(part->fd, part->name, part->extent[column].sums_offset, part->sums[column], slabs);
  return mfft_agree(comm, status);
}

/* ---- Commit ---------------------------------------------------------------------------------------------------------- */

/* On rank 0: checks that HDF5 finds the column of the partial file at the recorded offset. */
static mfft_status check_structure(mfft_snap_part *part, const mfft_snap_header *header, int column) {
  const mfft_snapshot_column *c = &part->desc.column[column];
  const mfft_slabs slabs = mfft_snap_slabs(&part->desc, column);
  mfft_source source;
  uint64_t *stored = NULL;
  MFFT_TRY(mfft_snap_hdf5.column(part->name, header, c->type, c->name, &source, &stored));
  const int same = source.offset == part->extent[column].offset && source.slabs.count == slabs.count &&
                   source.slabs.depth == slabs.depth && stored &&
                   !memcmp(stored, part->sums[column], (size_t)slabs.count * sizeof *stored);
  free(stored);
  return same ? MFFT_SUCCESS
              : mfft_fail(MFFT_ERR_IO, "%s: column %s of type %d does not read back as it was written; check the disk",
                          part->name, c->name, c->type);
}

static mfft_status check_structures(mfft_snap_part *part) {
  mfft_snap_header header;
  MFFT_TRY(mfft_snap_hdf5.header(part->name, &header));
  for (int i = 0; i < part->desc.columns; i++)
    if (part->sums[i]) MFFT_TRY(check_structure(part, &header, i));
  return MFFT_SUCCESS;
}

/* Reads the values of a column back and compares them with the checksums. */
static mfft_status verify_column(MPI_Comm comm, mfft_pool *pool, mfft_snap_part *part, int column) {
  const mfft_snapshot_column *c = &part->desc.column[column];
  mfft_source source = {.file_bytes = part->bytes, .kind = MFFT_DATASET_COLUMN, .offset = part->extent[column].offset};
  source.element_bytes = mfft_snap_numbers[c->number].bytes;
  source.slabs = mfft_snap_slabs(&part->desc, column);
  source.info.precision = mfft_snap_precision(c->number);
  const int64_t n[3] = {part->desc.here[c->type], c->components, 1}; /* {particles, components, 1} */
  memcpy(source.info.n, n, sizeof n);
  memcpy(source.info.dataset, c->name, sizeof c->name);
  mfft_fetch fetch;
  mfft_status status;
  MFFT_GOTO(done, mfft_agree(comm, mfft_fetch_open(&source, part->name, pool, &fetch)));
  status = mfft_verify_all(comm, &fetch, part->sums[column]);
  if (status == MFFT_ERR_CORRUPT) status = mfft_fail_context(MFFT_ERR_IO, "what was written does not read back");
done:
  mfft_fetch_close(&fetch);
  return status;
}

mfft_status mfft_snap_part_verify(MPI_Comm comm, mfft_pool *pool, mfft_snap_part *part) {
  for (int i = 0; i < part->desc.columns; i++)
    if (part->sums[i]) MFFT_TRY(verify_column(comm, pool, part, i));
  MFFT_TRY(mfft_agree(comm, mfft_comm_rank(comm) == 0 ? check_structures(part) : MFFT_SUCCESS));
  return mfft_agree(comm, mfft_posix_sync(part->fd, part->name));
}

mfft_status mfft_snap_parts_rename(mfft_snap_part *part, int parts) {
  mfft_status status = MFFT_SUCCESS;
  int next = parts - 1;
  if (parts > 1) {
    if (unlink(part[0].partial.path) == 0)
      MFFT_TRY(mfft_posix_sync_folder(part[0].partial.path));
    else if (errno != ENOENT)
      return mfft_fail(MFFT_ERR_IO, "cannot replace %s: %s", part[0].partial.path, mfft_posix_reason(errno));
  }
  for (; next >= 0 && status == MFFT_SUCCESS; next--) status = mfft_partial_rename(&part[next].partial);
  for (int i = next + 2; i < parts && status != MFFT_SUCCESS; i++) unlink(part[i].partial.path);
  return status;
}
