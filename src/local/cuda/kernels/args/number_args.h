/* number_args.h: arguments of the kernels for arrays as single numbers: noise, products, sums, rows. */
#ifndef MFFT_KERNEL_NUMBER_ARGS_H
#define MFFT_KERNEL_NUMBER_ARGS_H

#include "sum_args.h"

/* Loops around single numbers (local/reals.h), from the farthest neighbours to the nearest. */
enum { MFFT_NUMBER_LOOPS = 5 };

/* White noise; loops of the batch and the axes, the caller's last axis being loop 3. */
typedef struct mfft_normal_args {
  void *out;
  unsigned long long n[4];
  long long stride[4]; /* strides in numbers */
  long long lo[4];     /* first global index of each loop; loop 3: of the first number, counted along the whole axis */
  int components;      /* contiguous numbers of an element of loop 3 */
  unsigned key[2];
  double deviation;
} mfft_normal_args;

/* White noise by wave number: complex numbers of a box, of which stride counts, in a plan of n points. */
typedef struct mfft_modes_args {
  void *out;
  unsigned long long extent[3];
  long long stride[3], lo[3], n[3];
  unsigned key[2];
  const double *deviation; /* [squares] */
  long long squares;
} mfft_modes_args;

/* c = beta c + alpha a b of numbers in the same places. */
typedef struct mfft_product_args {
  const void *a, *b;
  void *c;
  unsigned long long n[MFFT_NUMBER_LOOPS];
  long long stride[MFFT_NUMBER_LOOPS];
  unsigned long long count;
  double alpha, beta;
} mfft_product_args;

/* Exact sums of numbers, or of the squares of their differences from a centre of two parts. */
typedef struct mfft_sums_args {
  const void *in;
  mfft_block_sums *result; /* [blocks] */
  unsigned long long n[MFFT_NUMBER_LOOPS];
  long long stride[MFFT_NUMBER_LOOPS];
  unsigned long long count; /* number of all numbers */
  int squares;
  double centre, centre_rest;
} mfft_sums_args;

/* Rows, as mfft_rows; loops of the batch and the axes before the last. */
enum { MFFT_ROW_VECTORS_MOST = 8 };
typedef struct mfft_rows_args {
  void *array;
  const double *vector;         /* [vectors][length] */
  double *result;               /* [count][vectors + 2] */
  unsigned long long *checksum; /* [count] of base/checksum.h; NULL: none */
  unsigned long long first, count, length;
  unsigned long long n[3];
  unsigned long long index, weight[3]; /* index of the first number of all rows in the whole array; that from row to row */
  long long stride[3], step;           /* step: from number to number of a row */
  double shift[2], factor;
  int store, vectors;
} mfft_rows_args;

#endif
