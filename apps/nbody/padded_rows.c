/* padded_rows.c: see padded_rows.h. */
#include "nbody/padded_rows.h"

#include <string.h>

#include "mfft_memory.h"

/* Rows, and the bytes from one to the next before they move and behind. */
typedef struct layout {
  int64_t rows;
  size_t row_bytes, from, to;
} layout;

/* Moves rows [0, count) of an array in host memory, in the sequence in which none is overwritten before it has moved. */
static void move_rows(const layout *l, int64_t count, char *array) {
  for (int64_t i = 1; i < count; i++) {
    const size_t r = (size_t)(l->to > l->from ? count - i : i);
    memmove(array + r * l->to, array + r * l->from, l->row_bytes);
  }
}

/* Moves some rows at a time through a buffer, the last ones first if rows move to higher addresses. */
static mfft_status move_on_device(const layout *l, const mfft_swept *real) {
  const size_t pitch = l->to > l->from ? l->to : l->from;
  const int64_t most = real->part_bytes > pitch ? (int64_t)(real->part_bytes / pitch) : 1;
  const int64_t batches = (l->rows + most - 1) / most;
  char *array = real->plan;
  void *buffer = NULL; /* [most * pitch] */
  mfft_status status = mfft_memory_alloc_host(real->backend, (size_t)most * pitch, &buffer);
  for (int64_t i = 0; i < batches && status == MFFT_SUCCESS; i++) {
    const int64_t first = (l->to > l->from ? batches - 1 - i : i) * most;
    const int64_t count = l->rows - first < most ? l->rows - first : most;
    status = mfft_memory_download(real->backend, buffer, array + (size_t)first * l->from, (size_t)count * l->from);
    if (status != MFFT_SUCCESS) break;
    move_rows(l, count, buffer);
    status = mfft_memory_upload(real->backend, array + (size_t)first * l->to, buffer, (size_t)count * l->to);
  }
  if (buffer) mfft_memory_free_host(real->backend, buffer);
  return status;
}

static mfft_status move(const mfft_swept *real, int to_padded) {
  const int64_t cells = mfft_box_side(&real->box, 2);
  const size_t row = (size_t)cells * real->element_bytes, pitch = (size_t)(2 * (cells / 2 + 1)) * real->element_bytes;
  const layout l = {.rows = mfft_box_side(&real->box, 0) * mfft_box_side(&real->box, 1),
                    .row_bytes = row,
                    .from = to_padded ? row : pitch,
                    .to = to_padded ? pitch : row};
  if (real->on_device) return move_on_device(&l, real);
  move_rows(&l, l.rows, real->plan);
  return MFFT_SUCCESS;
}

mfft_status mfft_nbody_close_rows(const mfft_swept *real) { return move(real, 0); }

mfft_status mfft_nbody_pad_rows(const mfft_swept *real) { return move(real, 1); }
