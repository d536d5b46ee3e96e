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

/* White noise by wave number, in the part of a spectrum that a rank has. */
typedef struct mfft_modes_args {
  void *out;                    /* [extent], strides in complex numbers */
  unsigned long long extent[3]; /* complex numbers along each axis */
  long long stride[3];
  long long lo[3], n[3]; /* indices of the first one in the whole spectrum; points of the plan */
  unsigned key[2];
  const double *deviation; /* [squares] */
  long long squares;
} mfft_modes_args;

/* c = beta c + alpha a b, number by number of three arrays with the same strides. */
typedef struct mfft_product_args {
  const void *a, *b; /* [n] each */
  void *c;           /* [n] */
  unsigned long long n[MFFT_NUMBER_LOOPS];
  long long stride[MFFT_NUMBER_LOOPS];
  unsigned long long count; /* numbers of an array */
  double alpha, beta;
} mfft_product_args;

/* Exact sums of numbers, or of the squares of their differences from a centre of two parts. */
typedef struct mfft_sums_args {
  const void *in;          /* [n] */
  mfft_block_sums *result; /* [blocks] */
  unsigned long long n[MFFT_NUMBER_LOOPS];
  long long stride[MFFT_NUMBER_LOOPS];
  unsigned long long count; /* numbers of the array */
  int squares;              /* 1: of squares of differences */
  double centre, centre_rest;
} mfft_sums_args;

/* Rows, as mfft_rows; loops of the batch and the axes before the last. */
enum { MFFT_ROW_VECTORS_MOST = 8 };
typedef struct mfft_rows_args {
  void *array;                  /* [n][length] */
  const double *vector;         /* [vectors][length] */
  double *result;               /* [count][vectors + 2] */
  unsigned long long *checksum; /* [count] of base/checksum.h; NULL: none */
  unsigned long long first, count, length;
  unsigned long long n[3];
  unsigned long long index;     /* index, in the array of all processes, of the first number of all rows */
  unsigned long long weight[3]; /* increments of that index from row to row, by each loop */
  long long stride[3], step;    /* distances from row to row, by each loop, and from number to number of a row */
  double shift[2], factor;      /* a number x becomes (x - shift[0] - shift[1]) factor */
  int store, vectors;           /* 1: which replaces it; number of vectors */
} mfft_rows_args;

#endif
