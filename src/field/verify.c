/* verify.c: compares checksums with those of the values that were read. */
#include "field/verify.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/box.h"
#include "comm/agree.h"
#include "comm/collective.h"

mfft_status mfft_verify_sums(const mfft_fetch *fetch, const uint64_t *sums, const uint64_t *stored, const uint64_t *known) {
  const mfft_source *source = fetch->source;
  int64_t bad = 0, first = -1;
  for (int64_t slab = 0; slab < source->slabs.count; slab++)
    if ((!known || known[slab]) && sums[slab] != stored[slab]) {
      if (first < 0) first = slab;
      bad++;
    }
  if (!bad) return MFFT_SUCCESS;
  int64_t lo = first * source->slabs.depth, hi = lo + source->slabs.depth;
  if (hi > source->info.n[0]) hi = source->info.n[0];
  return mfft_fail(MFFT_ERR_CORRUPT,
                   "%s: dataset %s is damaged: %s %" PRId64 " to %" PRId64 " have checksum %016" PRIx64 ", not %016" PRIx64
                   " (%" PRId64 " of %" PRId64
                   " checksums differ); restore the file, or remove /Checksum/%s if another program changed it on purpose",
                   fetch->path, source->info.dataset, source->kind == MFFT_DATASET_COLUMN ? "particles" : "planes x =", lo,
                   hi - 1, sums[first], stored[first], bad, source->slabs.count, source->info.dataset);
}

mfft_box mfft_verify_box(const mfft_source *source, int64_t from, int64_t to) {
  const int64_t *n = source->info.n;
  mfft_box box = mfft_box_whole(n);
  box.lo[0] = from * source->slabs.depth;
  box.hi[0] = to * source->slabs.depth < n[0] ? to * source->slabs.depth : n[0];
  return box;
}

/* Reads slabs and adds them to sums. */
static mfft_status read_slabs(mfft_fetch *fetch, int64_t from, int64_t to, uint64_t *sums) {
  const mfft_source *source = fetch->source;
  mfft_fetch_job job = {
      .fetch = fetch, .box = mfft_verify_box(source, from, to), .memory = source->info.precision, .sums = sums};
  return mfft_fetch_box(&job);
}

void mfft_verify_share(MPI_Comm comm, const mfft_source *source, int64_t share[2]) {
  const int size = mfft_comm_size(comm), part = (mfft_comm_rank(comm) + 1) % size;
  for (int end = 0; end < 2; end++) share[end] = mfft_part(source->slabs.count, part + end, size);
}

mfft_status mfft_verify_shares(MPI_Comm comm, const mfft_source *source, const char *path, mfft_status status,
                               uint64_t *sums, const uint64_t *stored) {
  const mfft_fetch fetch = {.source = source, .path = path};
  MFFT_TRY(mfft_agree(comm, status));
  MFFT_TRY(mfft_collective_allreduce(comm, sums, source->slabs.count, MPI_UINT64_T, MPI_SUM, "adding checksums"));
  return mfft_verify_sums(&fetch, sums, stored, NULL);
}

mfft_status mfft_verify_all(MPI_Comm comm, mfft_fetch *fetch, const uint64_t *stored) {
  const int64_t count = fetch->source->slabs.count;
  int64_t share[2];
  uint64_t *sums = calloc((size_t)count, sizeof *sums); /* [count] */
  mfft_status status = sums ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", count);
  mfft_verify_share(comm, fetch->source, share);
  if (status == MFFT_SUCCESS) status = read_slabs(fetch, share[0], share[1], sums);
  status = mfft_verify_shares(comm, fetch->source, fetch->path, status, sums, stored);
  free(sums);
  return status;
}

/* Marks of a slab, the same on all ranks. */
enum { UNTOUCHED = 0, WHOLE = 1, AGAIN = 2 };

/* The number of elements of each slab in the boxes; if boxes overlap no slab counts as complete. */
static void mark_slabs(const mfft_source *source, const mfft_box *boxes, int size, uint64_t *mark) {
  const mfft_slabs *slabs = &source->slabs;
  int overlap = 0;
  for (int i = 0; i < size && !overlap; i++)
    for (int j = i + 1; j < size && !overlap; j++) {
      mfft_box meet = mfft_box_intersect(&boxes[i], &boxes[j]);
      overlap = !mfft_box_empty(&meet);
    }
  memset(mark, 0, (size_t)slabs->count * sizeof *mark);
  for (int i = 0; i < size; i++) {
    const mfft_box *box = &boxes[i];
    if (mfft_box_empty(box)) continue;
    int64_t face = mfft_box_extent(box, 1) * mfft_box_extent(box, 2);
    for (int64_t slab = box->lo[0] / slabs->depth; slab * slabs->depth < box->hi[0]; slab++) {
      int64_t lo = slab * slabs->depth, hi = lo + slabs->depth;
      if (lo < box->lo[0]) lo = box->lo[0];
      if (hi > box->hi[0]) hi = box->hi[0];
      mark[slab] += (uint64_t)((hi - lo) * face);
    }
  }
  for (int64_t slab = 0; slab < slabs->count; slab++)
    if (mark[slab]) mark[slab] = !overlap && mark[slab] == (uint64_t)mfft_slab_elements(slabs, slab) ? WHOLE : AGAIN;
}

mfft_status mfft_verify_boxes(MPI_Comm comm, mfft_fetch *fetch, const mfft_box *box, uint64_t *mine, const uint64_t *stored,
                              unsigned flags) {
  const mfft_source *source = fetch->source;
  int64_t count = source->slabs.count, again = 0;
  int rank = mfft_comm_rank(comm), size = mfft_comm_size(comm);
  mfft_box *boxes = malloc((size_t)size * sizeof *boxes); /* [size] of all ranks */
  uint64_t *mark = malloc((size_t)count * sizeof *mark);  /* [count] */
  mfft_status status = boxes && mark ? MFFT_SUCCESS : mfft_fail(MFFT_ERR_MEMORY, "no memory for %d boxes", size);
  MFFT_GOTO(done, mfft_agree(comm, status));
  MFFT_GOTO(done, mfft_collective_allgather(comm, box, sizeof *box, boxes, "collecting boxes"));

  mark_slabs(source, boxes, size, mark);
  for (int64_t slab = 0; slab < count; slab++)
    if (mark[slab] != WHOLE) {
      mine[slab] = 0;
      again += mark[slab] == AGAIN;
    }
  if (flags & MFFT_FIELD_SKIP_PARTIAL) {
    for (int64_t slab = 0; slab < count; slab++) mark[slab] = mark[slab] == WHOLE;
  } else {
    int64_t from = mfft_part(again, rank, size), to = mfft_part(again, rank + 1, size), at = 0;
    for (int64_t slab = 0; slab < count && status == MFFT_SUCCESS; slab++) {
      if (mark[slab] != AGAIN) continue;
      if (at >= from && at < to) status = read_slabs(fetch, slab, slab + 1, mine);
      at++;
    }
    MFFT_GOTO(done, mfft_agree(comm, status));
  }
  MFFT_GOTO(done, mfft_collective_allreduce(comm, mine, count, MPI_UINT64_T, MPI_SUM, "adding checksums"));
  status = mfft_verify_sums(fetch, mine, stored, mark);
done:
  free(mark);
  free(boxes);
  return status;
}
