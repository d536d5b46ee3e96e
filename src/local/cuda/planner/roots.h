/* roots.h: roots of unity, made in double and rounded once, and tables of them.
 *
 * A root exp(sign 2 pi i k / n) is found by bringing k to the first octant in integers, so that its error does not grow with
 * k or n.  Tables are arrays of (re, im) in the arithmetic of the kernel: double for double, float for everything else. */
#ifndef MFFT_CUDA_ROOTS_H
#define MFFT_CUDA_ROOTS_H

#include "base/status.h"
#include "local/cuda/planner/kernel.h"

/* Computes exp(sign 2 pi i k / n) in double, with an error of a rounding or two. */
void mfft_root(int64_t k, int64_t n, int sign, double *re, double *im);

/* Does the same in extended precision and rounds once, for tables of doubles; it takes six times as long. */
void mfft_root_rounded(int64_t k, int64_t n, int sign, double *re, double *im);

/* A table on the host; bytes 0 and data NULL where a kernel needs none.  Free data with free(). */
typedef struct mfft_table {
  void *data;
  size_t bytes;
} mfft_table;

/* The tables that a pass reads, [MFFT_TABLES]. */
enum {
  MFFT_TABLE_MERGES = 0,
  MFFT_TABLE_SECOND,
  MFFT_TABLE_MATRICES,
  MFFT_TABLE_OUTER_FINE,
  MFFT_TABLE_OUTER_COARSE,
  MFFT_TABLE_REAL,
  MFFT_TABLE_CHIRP,
  MFFT_TABLE_SPECTRUM,
  MFFT_TABLE_ORDER,
  MFFT_TABLE_TRIGONOMETRIC,
  MFFT_TABLES
};

/* Allocates a table of `count` roots in the precision of a kernel. */
mfft_status mfft_table_make(const mfft_kernel *kernel, int64_t count, mfft_table *table);

/* Sets entry i of a table: put: to W_n^k times `factor`; put_rest: to the rounding error of W_n^k, the second entry of a
 * root of two parts. */
void mfft_table_put(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n, double factor);
void mfft_table_put_rest(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n);

/* Sets entry i of a table to a number of extended precision, rounded once. */
void mfft_table_put_number(const mfft_kernel *kernel, mfft_table *table, int64_t i, long double re, long double im);

/* Makes the table of the `count` roots W_length^i, i = 0, step, 2 step ... */
mfft_status mfft_table_roots(const mfft_kernel *kernel, int64_t length, int64_t count, int64_t step, mfft_table *table);

/* The shift of two tables of some sqrt(length) entries each: W^i = coarse[i >> shift] fine[i & (2^shift - 1)]. */
int mfft_outer_shift(int64_t length);

/* 16-bit numbers, rounded to nearest even. */
uint16_t mfft_round_half(double x);
uint16_t mfft_round_bfloat(double x);

#endif
