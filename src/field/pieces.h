/* pieces.h: a box cut into pieces that fit a buffer, and a piece cut into the runs that are contiguous in the file. */
#ifndef MFFT_FIELD_PIECES_H
#define MFFT_FIELD_PIECES_H

#include "base/box.h"

/* Walks a box in C order.  Each piece takes whole rows, planes and groups of planes of the box as far as they fit, so that
 * it is contiguous in an array of the box that is in C order. */
typedef struct mfft_pieces {
  mfft_box box, piece;
  int64_t length[3]; /* of a piece along each axis, less at the far ends */
  int begun;
} mfft_pieces;

mfft_pieces mfft_pieces_of(const mfft_box *box, int64_t most_elements);
int mfft_pieces_next(mfft_pieces *pieces); /* 0 when there are no more */

/* The runs of a piece of an array of n[]: run (i, j), i < count[0], j < count[1], is the elements
 * [start + i*step[0] + j*step[1], + length) of the array and lies at (i*count[1] + j)*length of the packed piece. */
typedef struct mfft_runs {
  int64_t length, count[2], start, step[2];
} mfft_runs;

mfft_runs mfft_runs_of(const mfft_box *piece, const int64_t n[3]);

#endif
