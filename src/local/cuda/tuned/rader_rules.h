/* rader_rules.h: choices for lines of Rader's algorithm (kernels/butterfly/rader.cu), as measured on an H200. */
#ifndef MFFT_CUDA_RADER_RULES_H
#define MFFT_CUDA_RADER_RULES_H

#include "local/cuda/tuned/tuned.h"

/* The cost of a chain (mfft_counted_cost), for one of the two transforms; twiddle: instructions of a twiddle for an element,
 * which chains of coprime radices do not have. */
typedef struct mfft_rader_cost {
  mfft_counted_cost counted;
  double twiddle;
} mfft_rader_cost;
const mfft_rader_cost *mfft_rader_cost_for(mfft_precision precision);

/* Registers of a thread by which blocks are fastest: of rows those that hardly spill, of columns those that the compiler
 * takes without a bound.  has_long_prime: a radix is a prime from 17 on. */
int mfft_rader_registers(mfft_precision precision, int values, int rows, int has_long_prime);

/* Whether a block of so many lines has neighbouring lines in neighbouring threads, so that they access different banks of
 * shared memory: at least half of the threads that access it at once. */
int mfft_rader_is_by_line(mfft_precision precision, int lines);

/* lines: the i-th choice of contiguous lines of a block, in the order in which they are tried; the last one is 1.  suit:
 * whether a block of so many lines of n elements, with so many threads a line, lets several blocks fit a multiprocessor. */
int mfft_rader_lines(mfft_precision precision, int i);
int mfft_rader_lines_suit(mfft_precision precision, int lines, int threads, int64_t n);

/* Threads that a block of contiguous lines should have, where it may have more lines than the choice. */
enum { MFFT_RADER_THREADS = 100 };

/* Lines of n + 1 elements side by side for a block that is given `lines` of them: as many, or of long lines in the cache as
 * fill a sector of memory. */
int mfft_rader_columns(mfft_precision precision, int lines, int64_t n, int in_cache);

/* The measured block of lines of n + 1 elements, n of the chain, where it takes less time than that of least cost; NULL:
 * none. */
const mfft_bounded_chain *mfft_rader_measured(mfft_precision precision, int n);

/* Whether Bluestein's algorithm takes less time for lines of n elements, in spite of the costs. */
int mfft_rader_is_slow(mfft_precision precision, int64_t n);

#endif
