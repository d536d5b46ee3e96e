/* pieces.c: cutting boxes. */
#include "field/pieces.h"

static int64_t clamp(int64_t value, int64_t most) { return value < 1 ? 1 : value > most ? most : value; }

mfft_pieces mfft_pieces_of(const mfft_box *box, int64_t most_elements) {
  mfft_pieces pieces = {.box = *box};
  int64_t room = most_elements;
  int whole = 1; /* the faster axes fit as a whole */
  for (int axis = 2; axis >= 0; axis--) {
    int64_t extent = mfft_box_extent(box, axis);
    pieces.length[axis] = whole ? clamp(room, extent) : 1;
    whole = whole && pieces.length[axis] == extent;
    room /= pieces.length[axis] > 0 ? pieces.length[axis] : 1;
  }
  return pieces;
}

int mfft_pieces_next(mfft_pieces *pieces) {
  const mfft_box *box = &pieces->box;
  mfft_box *piece = &pieces->piece;
  if (mfft_box_empty(box)) return 0;
  int axis = -1;
  if (!pieces->begun) {
    *piece = *box;
    pieces->begun = 1;
  } else {
    for (axis = 2; axis >= 0 && piece->hi[axis] >= box->hi[axis]; axis--) {
    }
    if (axis < 0) return 0;
    piece->lo[axis] = piece->hi[axis];
  }
  for (int a = axis + 1; a < 3; a++) piece->lo[a] = box->lo[a];
  for (int a = 0; a < 3; a++) {
    int64_t end = piece->lo[a] + pieces->length[a];
    piece->hi[a] = end < box->hi[a] ? end : box->hi[a];
  }
  return 1;
}

mfft_runs mfft_runs_of(const mfft_box *piece, const int64_t n[3]) {
  int64_t extent[3]; /* [axis] */
  for (int axis = 0; axis < 3; axis++) extent[axis] = mfft_box_extent(piece, axis);
  mfft_runs runs = {.length = extent[2],
                    .count = {extent[0], extent[1]},
                    .start = (piece->lo[0] * n[1] + piece->lo[1]) * n[2] + piece->lo[2],
                    .step = {n[1] * n[2], n[2]}};
  if (extent[2] == n[2]) { /* rows join */
    runs.length *= runs.count[1];
    runs.count[1] = 1;
    if (extent[1] == n[1]) { /* planes join */
      runs.length *= runs.count[0];
      runs.count[0] = 1;
    }
  }
  return runs;
}
