/* bench_rows.h: what the checks of `mergefft bench` share: arrays of a plan as rows with global indices, read and filled in
 * pieces, the data they are filled with, and sums of squares over ranks. */
#ifndef MFFT_APPS_BENCH_ROWS_H
#define MFFT_APPS_BENCH_ROWS_H

#include "bench/bench_array.h"
#include "bench/bench_case.h"

/* A side of a plan as rows along its last axis, in C order; those of a batch follow each other. */
typedef struct mfft_bench_rows {
  mfft_precision precision;
  mfft_box box;
  int64_t n[3];  /* of the global array of this side, halved for the spectrum of an R2C */
  int last;      /* axis of a row */
  int reals;     /* of an element: 1 or 2 */
  int64_t row;   /* elements of a row */
  int64_t pitch; /* reals from row to row */
  int64_t rows;  /* of one array */
} mfft_bench_rows;

mfft_bench_rows mfft_bench_rows_of(const mfft_desc *desc, mfft_side side, const mfft_box *box);

/* The global index of the first element of row r of any array of the batch, and the place of an index in the whole array in
 * C order. */
void mfft_bench_row_start(const mfft_bench_rows *rows, int64_t r, int64_t index[3]);
int64_t mfft_bench_place(const mfft_bench_rows *rows, const int64_t index[3]);

/* Pieces of `count` rows: whole rows together, or parts of long ones.  If they have more than `limit` elements (0: no
 * limit), only some of them are used, spread evenly, the first and the last among them. */
typedef struct mfft_bench_pieces {
  int64_t first_row, rows, row; /* the rows that are divided, of `row` elements each */
  int64_t tall, wide;           /* of one piece */
  int64_t all, taken;
} mfft_bench_pieces;

typedef struct mfft_bench_piece {
  int64_t row, rows, first, count; /* elements [first, first + count) of rows [row, row + rows) */
} mfft_bench_piece;

mfft_bench_pieces mfft_bench_cut(const mfft_bench_rows *rows, int64_t first_row, int64_t count, int64_t limit);
mfft_bench_piece mfft_bench_piece_at(const mfft_bench_pieces *pieces, int64_t i /* < taken */);

/* Reads pieces of an array as doubles. */
typedef struct mfft_bench_reader {
  const mfft_bench_rows *rows;
  const mfft_bench_array *array;
  void *buffer;      /* a piece as it is stored */
  double *values;    /* [rows * count * reals] of the piece that was read last */
  long double *wide; /* the same unrounded, of arrays in long double; NULL for others */
} mfft_bench_reader;

mfft_status mfft_bench_reader_open(const mfft_bench_rows *rows, const mfft_bench_array *array, mfft_bench_reader *reader);
mfft_status mfft_bench_read(mfft_bench_reader *reader, const mfft_bench_piece *piece);
void mfft_bench_reader_close(mfft_bench_reader *reader);

/* The random input of `count` elements of array b from the element at `first` on. */
void mfft_bench_random_row(const mfft_bench_rows *rows, int64_t b, int64_t first, int64_t count,
                           double *row /* [count * rows->reals] */);

/* Sums of squares of the difference from the expected numbers, and of these; their relative L2 over the ranks. */
typedef struct mfft_bench_difference {
  double error, truth; /* sums of squares */
} mfft_bench_difference;
double mfft_bench_relative(mfft_bench_difference sum, int distributed);

#endif
