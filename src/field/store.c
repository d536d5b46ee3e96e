/* store.c: writes boxes, piece by piece through buffers that fit the cache, or directly from the caller's array. */
#include "field/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "field/convert.h"
#include "field/posix.h"

/* The runs of one piece: sums first, while the values are in cache, then the writes. */
static mfft_status store_piece(const mfft_store *store, const mfft_runs *runs, void *packed, uint64_t *sums) {
  int bytes = mfft_value_bytes(store->stored);
  int64_t run_bytes = runs->length * bytes;
  const char *at = packed;
  for (int64_t i = 0; i < runs->count[0]; i++)
    for (int64_t j = 0; j < runs->count[1]; j++, at += run_bytes)
      mfft_sums_add(&store->slabs, sums, at, bytes, runs->start + i * runs->step[0] + j * runs->step[1], runs->length);
  if (mfft_big_endian_machine()) mfft_swap_bytes(packed, bytes, runs->length * runs->count[0] * runs->count[1]);
  at = packed;
  for (int64_t i = 0; i < runs->count[0]; i++)
    for (int64_t j = 0; j < runs->count[1]; j++, at += run_bytes) {
      int64_t first = runs->start + i * runs->step[0] + j * runs->step[1];
      MFFT_TRY(mfft_posix_write(store->fd, at, run_bytes, store->offset + first * bytes, store->path));
    }
  return MFFT_SUCCESS;
}

/* The values of a piece in the caller's array, if they are contiguous and in C order there; otherwise NULL.  The array is
 * only read. */
static void *place_of(const mfft_store_job *job, const mfft_box *piece) {
  int64_t at;
  if (!mfft_convert_direct(piece, &job->box, &at)) return NULL;
  return (char *)(uintptr_t)job->data + at * mfft_value_bytes(job->memory);
}

/* Passes the values of a piece to the visitor, converts them and writes them. */
static mfft_status write_piece(mfft_store_job *job, const mfft_box *piece, int worker) {
  const mfft_store *store = &job->store;
  const mfft_runs runs = mfft_runs_of(piece, store->n);
  void *values = place_of(job, piece), *packed = values;
  if (job->visitor.visit) {
    if (!values) {
      values = packed = mfft_pool_buffer(store->pool, worker, 1);
      mfft_convert_out(piece, values, job->memory, &job->box, job->data, job->memory);
    }
    MFFT_TRY(job->visitor.visit(job->visitor.context, worker, piece, values));
  }
  if (!values || job->memory != store->stored || mfft_big_endian_machine()) {
    packed = mfft_pool_buffer(store->pool, worker, 0);
    job->lost += values ? mfft_convert_out(piece, packed, store->stored, piece, values, job->memory)
                        : mfft_convert_out(piece, packed, store->stored, &job->box, job->data, job->memory);
  }
  return store_piece(store, &runs, packed, job->sums);
}

/* Starts the writing to disk of the range of the file from the first of these pieces to the last. */
static void write_back(const mfft_store_job *job, int64_t from, int64_t to) {
  const mfft_store *store = &job->store;
  const int bytes = mfft_value_bytes(store->stored);
  const mfft_box first = mfft_pieces_get(&job->pieces, from), last = mfft_pieces_get(&job->pieces, to - 1);
  const mfft_runs begin = mfft_runs_of(&first, store->n), end = mfft_runs_of(&last, store->n);
  const int64_t ends =
      end.start + (end.count[0] - 1) * end.step[0] + (end.count[1] - 1) * end.step[1] + end.length - begin.start;
  mfft_posix_write_back(store->fd, store->offset + begin.start * bytes, ends * bytes);
}

static mfft_status do_span(void *context, int64_t iteration, int worker) {
  mfft_store_job *job = context;
  const int64_t from = iteration * job->span, all = job->pieces.all, to = from + job->span < all ? from + job->span : all;
  for (int64_t i = from; i < to; i++) {
    const mfft_box piece = mfft_pieces_get(&job->pieces, i);
    MFFT_TRY(write_piece(job, &piece, worker));
  }
  write_back(job, from, to);
  return MFFT_SUCCESS;
}

/* Divides the box into pieces and returns the number of spans. */
static int64_t cut(mfft_store_job *job) {
  const int stored = mfft_value_bytes(job->store.stored), memory = mfft_value_bytes(job->memory);
  job->pieces = mfft_pieces_of(&job->box, MFFT_PIECE_BYTES / (stored > memory ? stored : memory));
  job->span = mfft_pieces_span(&job->pieces, job->store.pool->threads, MFFT_SPAN_PIECES);
  return (job->pieces.all + job->span - 1) / job->span;
}

mfft_status mfft_store_box(mfft_store_job *job) { return mfft_pool_run(job->store.pool, cut(job), do_span, job); }

void mfft_store_start(mfft_store_job *job) { mfft_pool_start(job->store.pool, cut(job), do_span, job); }

mfft_status mfft_store_sums(int fd, const char *path, int64_t offset, const uint64_t *sums, int64_t count) {
  size_t bytes = (size_t)count * sizeof *sums;
  uint64_t *stored = malloc(bytes); /* [count] */
  if (!stored) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %" PRId64 " checksums", count);
  memcpy(stored, sums, bytes);
  if (mfft_big_endian_machine()) mfft_swap_bytes(stored, sizeof *stored, count);
  mfft_status status = mfft_posix_write(fd, stored, (int64_t)bytes, offset, path);
  free(stored);
  return status;
}
