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

/* Contiguous lines of a block of n elements each, where there are enough of them: by_line: with neighbouring lines in
 * neighbouring threads; alone: without. */
int mfft_rader_lines_by_line(mfft_precision precision, int64_t n);
int mfft_rader_lines_alone(int64_t n);

/* Threads that a block of contiguous lines should have at least. */
enum { MFFT_RADER_THREADS = 64 };

#endif
