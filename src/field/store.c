/* store.c: writing boxes, piece by piece through a buffer that stays in cache, or straight from the caller's array. */
#include "field/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "field/convert.h"
#include "field/pieces.h"
#include "field/posix.h"

/* 512 MiB by two ranks: of pushes of 0, 1, 8 and 32 MiB the third was the best by a third. */
enum { PIECE_BYTES = 1 << 18, PUSH_BYTES = 1 << 23 };

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

mfft_status mfft_store_box(const mfft_store *store, const mfft_box *box, mfft_precision memory, const void *data,
                           uint64_t *sums, int64_t *lost) {
  int bytes = mfft_value_bytes(store->stored);
  int64_t pushed = -1; /* the disk has been asked for what lies before */
  void *buffer = malloc(PIECE_BYTES);
  if (!buffer) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a buffer of %d bytes", PIECE_BYTES);
  mfft_status status = MFFT_SUCCESS;
  mfft_pieces pieces = mfft_pieces_of(box, PIECE_BYTES / bytes);
  while (mfft_pieces_next(&pieces)) {
    const mfft_box *piece = &pieces.piece;
    int64_t at;
    /* The caller's array is only read: where its values go to disk as they are, packed points into it. */
    int direct = memory == store->stored && !mfft_big_endian_machine() && mfft_convert_direct(piece, box, &at);
    void *packed = direct ? (char *)(uintptr_t)data + at * bytes : buffer;
    if (!direct) *lost += mfft_convert_out(piece, buffer, store->stored, box, data, memory);
    mfft_runs runs = mfft_runs_of(piece, store->n);
    MFFT_GOTO(done, store_piece(store, &runs, packed, sums));

    int64_t last = runs.start + (runs.count[0] - 1) * runs.step[0] + (runs.count[1] - 1) * runs.step[1] + runs.length;
    int64_t begin = store->offset + runs.start * bytes, end = store->offset + last * bytes;
    if (pushed < 0) pushed = begin;
    if (end - pushed >= PUSH_BYTES) { /* the disk works while we go on */
      mfft_posix_push(store->fd, pushed, end - pushed);
      pushed = end;
    }
  }
done:
  free(buffer);
  return status;
}

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
