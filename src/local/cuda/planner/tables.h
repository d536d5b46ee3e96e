/* tables.h: twiddle factors, made in double and rounded once.
 *
 * A root exp(sign 2 pi i k / n) is found by bringing k to the first octant in integers, so that its error does not grow with
 * k or n.  Tables are arrays of (re, im) in the arithmetic of the kernel: double for double, float for everything else. */
#ifndef MFFT_CUDA_TABLES_H
#define MFFT_CUDA_TABLES_H

#include "local/cuda/planner/pass.h"

void mfft_root(int64_t k, int64_t n, int sign, double *re, double *im);

/* The same, rounded once, for tables of doubles; it takes six times as long. */
void mfft_root_rounded(int64_t k, int64_t n, int sign, double *re, double *im);

/* A table on the host; bytes 0 and data NULL where a kernel needs none.  Free data with free(). */
typedef struct mfft_table {
  void *data;
  size_t bytes;
} mfft_table;

/* Entry i of a table in the precision of a kernel: W_n^k times `factor`. */
void mfft_table_put(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n, double factor);

/* Merge by merge, for q = 1 .. r-1, for p < n/(s r): W_(n/s)^(p q), s the product of the radices before.  Of odd lines, for
 * those q, or p, whose elements are held.  Where a kernel takes roots of two parts each is followed by what it lacks, as are
 * those of a half spectrum. */
mfft_status mfft_table_merges(const mfft_kernel *kernel, mfft_table *table);

/* W_length^i for i < count, step apart: i = 0, step, 2 step ... */
mfft_status mfft_table_roots(const mfft_kernel *kernel, int64_t length, int64_t count, int64_t step, mfft_table *table);

/* Twiddles between passes come as W^(i) = coarse[i >> shift] fine[i & (2^shift - 1)]. */
int mfft_outer_shift(int64_t length);

/* The tables that a pass reads, [MFFT_TABLES]; also sets the words of its arguments that say how they are read. */
enum {
  MFFT_TABLE_MERGES = 0,
  MFFT_TABLE_SECOND,
  MFFT_TABLE_MATRICES,
  MFFT_TABLE_OUTER_FINE,
  MFFT_TABLE_OUTER_COARSE,
  MFFT_TABLE_REAL,
  MFFT_TABLES
};
mfft_status mfft_tables_make(mfft_pass *pass, mfft_table table[MFFT_TABLES]);
void mfft_tables_free(mfft_table table[MFFT_TABLES]);

/* The same for 16-bit numbers on tensor cores (tensor_tables.c). */
mfft_status mfft_tensor_tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]);

/* Tells a pass where its tables are, on the device that runs it. */
void mfft_tables_place(mfft_pass *pass, const void *const address[MFFT_TABLES]);

/* 16-bit numbers, rounded to nearest even. */
uint16_t mfft_round_half(double x);
uint16_t mfft_round_bfloat(double x);

#endif
