/* pieces.h: a box divided into pieces that fit a buffer, pieces combined into spans, and a piece divided into runs that are
 * contiguous in the file. */
#ifndef MFFT_FIELD_PIECES_H
#define MFFT_FIELD_PIECES_H

#include "base/box.h"

/* The pieces of a box, numbered from 0 in C order.  Each takes whole rows, planes and groups of planes of the box as far as
 * they fit, so that it is contiguous in an array of the box that is in C order. */
typedef struct mfft_pieces {
  mfft_box box;
  int64_t length[3]; /* lengths of a piece along each axis, shorter at the upper ends */
  int64_t count[3];  /* pieces along each axis */
  int64_t all;       /* their product; 0 for an empty box */
} mfft_pieces;

mfft_pieces mfft_pieces_of(const mfft_box *box, int64_t most_elements);

/* Piece `index` < all; its memory order is C order. */
mfft_box mfft_pieces_get(const mfft_pieces *pieces, int64_t index);

/* The number of pieces that a thread takes at a time: such that each of `threads` gets four groups, but at most `most`. */
int64_t mfft_pieces_span(const mfft_pieces *pieces, int threads, int64_t most);

/* The runs of a piece of an array of n[]: run (i, j), i < count[0], j < count[1], consists of the elements [start +
 * i*step[0] + j*step[1], + length) of the array and is at offset (i*count[1] + j)*length of the packed piece. */
typedef struct mfft_runs {
  int64_t length, count[2], start, step[2]; /* [loop] slow to fast */
} mfft_runs;

mfft_runs mfft_runs_of(const mfft_box *piece, const int64_t n[3]);

#endif
