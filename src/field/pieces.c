/* pieces.c: cutting boxes. */
#include "field/pieces.h"

static int64_t clamp(int64_t value, int64_t most) { return value < 1 ? 1 : value > most ? most : value; }

mfft_pieces mfft_pieces_of(const mfft_box *box, int64_t most_elements) {
  mfft_pieces pieces = {.box = *box, .all = 1};
  int64_t left = most_elements;
  int whole = 1; /* the faster axes fit as a whole */
  for (int axis = 2; axis >= 0; axis--) {
    const int64_t extent = mfft_box_extent(box, axis);
    const int64_t length = whole ? clamp(left, extent) : 1;
    pieces.length[axis] = length;
    pieces.count[axis] = length > 0 ? (extent + length - 1) / length : 0;
    pieces.all *= pieces.count[axis];
    whole = whole && length == extent;
    left /= length > 0 ? length : 1;
  }
  return pieces;
}

mfft_box mfft_pieces_get(const mfft_pieces *pieces, int64_t index) {
  mfft_box piece = {.order = {0, 1, 2}};
  for (int axis = 2; axis >= 0; axis--) {
    const int64_t lo = pieces->box.lo[axis] + index % pieces->count[axis] * pieces->length[axis];
    const int64_t hi = lo + pieces->length[axis];
    piece.lo[axis] = lo;
    piece.hi[axis] = hi < pieces->box.hi[axis] ? hi : pieces->box.hi[axis];
    index /= pieces->count[axis];
  }
  return piece;
}

int64_t mfft_pieces_span(const mfft_pieces *pieces, int threads, int64_t most) {
  return clamp(pieces->all / (4 * (int64_t)threads), most);
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
