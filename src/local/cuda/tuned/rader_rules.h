/* rader_rules.h: choices for lines of Rader's algorithm (kernels/butterfly/rader.cu), as measured on an H200. */
#ifndef MFFT_CUDA_RADER_RULES_H
#define MFFT_CUDA_RADER_RULES_H

#include "local/cuda/tuned/butterfly_rules.h"

/* The cost of a chain (mfft_counted_cost), for one of the two transforms; twiddle: instructions of a twiddle for an element,
 * which chains of coprime radices do not have. */
typedef struct mfft_rader_cost {
  mfft_counted_cost counted;
  double twiddle;
} mfft_rader_cost;
const mfft_rader_cost *mfft_rader_cost_for(mfft_precision precision);

/* The registers that the compiler takes without a bound.  has_long_prime: a radix is a prime from 17 on. */
int mfft_rader_registers(mfft_precision precision, int values, int has_long_prime);

/* How a block has contiguous lines.  by_line: neighbouring threads have neighbouring lines, so that they access different
 * banks of shared memory. */
typedef struct mfft_rader_rows {
  int lines, by_line;
} mfft_rader_rows;

/* choice: the i-th of the choices in the order in which they are tried, the last one a line alone.  fit: whether so many
 * lines of n elements let several blocks fit a multiprocessor. */
const mfft_rader_rows *mfft_rader_rows_choice(mfft_precision precision, int i);
int mfft_rader_rows_fit(mfft_precision precision, const mfft_rader_rows *rows, int64_t n);

/* Threads of a block of contiguous lines, least and most. */
enum { MFFT_RADER_THREADS = 64, MFFT_RADER_MOST_THREADS = 160 };

#endif
