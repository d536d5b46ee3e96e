/* reals.h: an array of a plan as real numbers, which for a complex array are the two contiguous parts of each element, and
 * the arguments of the calls of mfft_array.h on such arrays. */
#ifndef MFFT_LOCAL_REALS_H
#define MFFT_LOCAL_REALS_H

#include "mfft_array.h"

typedef struct mfft_reals {
  int64_t n[4], stride[4]; /* [batch, axis 0, 1, 2] lengths, and strides in elements */
  int64_t lo[3];           /* [axis] global index of the first element */
  int components;          /* real numbers in an element: 1 or 2 */
  int last;                /* the caller's last axis */
} mfft_reals;

/* White noise (mfft_normal).  The words of Philox's counter are the index of a pair of numbers along the last axis, and the
 * indices of the other loops. */
typedef struct mfft_normal_fill {
  mfft_reals reals;
  uint64_t seed;
  double deviation;
  int threads;
} mfft_normal_fill;

/* White noise by wave number (mfft_mode_noise) in complex numbers; n: points of the plan. */
typedef struct mfft_modes_fill {
  mfft_reals reals;
  int64_t n[3]; /* [axis] */
  uint64_t seed;
  const double *deviation; /* [squares] host memory */
  int64_t squares;
  int threads;
} mfft_modes_fill;

/* c = beta c + alpha a b of arrays with this layout; beta 0: c is not read. */
typedef struct mfft_reals_product {
  mfft_reals reals;
  double alpha, beta;
  int threads;
} mfft_reals_product;

/* Sums (mfft_sums).  Fills sum, nonfinite, min and max of `found`, and first[0] with the index, in memory order, of the
 * first number that is not finite (-1: none). */
typedef struct mfft_reals_sums {
  mfft_reals reals;
  int squares;
  double centre, centre_rest;
  int threads;
  mfft_sums *found;
} mfft_reals_sums;

/* Rows (mfft_rows) of an array of real numbers.  The vectors begin with the entry for the first number of a row that this
 * process has. */
typedef struct mfft_reals_rows {
  mfft_reals reals;
  int64_t first, count;
  double shift[2], factor;
  int store, vectors, threads;
  const double *vector[MFFT_ROWS_VECTORS]; /* [vectors][length of a row] */
  double *result;                          /* [count][vectors + 2] */
  uint64_t *checksum;                      /* [count] NULL: none */
  int64_t whole[3];                        /* [axis] lengths of the array of all processes, for checksums */
} mfft_reals_rows;

/* The index of the first number of a row in the array of all processes. */
int64_t mfft_reals_row_index(const mfft_reals_rows *rows, int64_t row);

/* The number of rows; and the offset, in elements, of the first element of a row. */
int64_t mfft_reals_row_count(const mfft_reals *reals);
int64_t mfft_reals_row_offset(const mfft_reals *reals, int64_t row);

/* The array as loops over real numbers in descending order of strides.  Loops are merged if possible: a dense array is one
 * loop of stride 1, the last. */
enum { MFFT_REAL_LOOPS = 5 };
typedef struct mfft_real_loops {
  int64_t n[MFFT_REAL_LOOPS], stride[MFFT_REAL_LOOPS]; /* [loop] strides in numbers; unused loops have n = 1 */
} mfft_real_loops;
mfft_real_loops mfft_reals_loops(const mfft_reals *reals);

/* Reads numbers of an array, which begin at number `first` and are `stride` apart, as doubles; long doubles are rounded. */
void mfft_reals_load(mfft_precision precision, const void *array, int64_t first, int64_t stride, int64_t count,
                     double *value);

/* Stores the products of values and a factor, rounded to the precision of an array, from its number `first` on. */
void mfft_reals_store(mfft_precision precision, void *array, int64_t first, int64_t count, const double *value,
                      long double factor);

/* The number of real numbers of the array; 0 if any length is 0. */
int64_t mfft_reals_count(const mfft_reals *reals);

/* Offset of number `index` of the loops, in numbers from the first. */
int64_t mfft_real_loops_offset(const mfft_real_loops *loops, int64_t index);

/* The global indices, [batch, axis], of the element that contains the number at `offset`. */
void mfft_reals_indices(const mfft_reals *reals, int64_t offset, int64_t indices[4]);

#endif
