/* pair.h: passes of two chains of merges (kernels/butterfly/pair.cuh), whose data is a matrix. */
#ifndef MFFT_CUDA_PAIR_H
#define MFFT_CUDA_PAIR_H

#include "local/cuda/engines/engine.h"

/* A matrix of m lines of n elements, transformed along n first.  Distances of elements and of lines: in the input, and in
 * the output, where an element of a line of the first is a line of the second. */
typedef struct mfft_matrix {
  int64_t n, m;
  int64_t in, in_line, out, out_line;
  int twiddled; /* the two are one line of n m elements; n is still to be chosen */
  int columns;  /* such matrices, interleaved in memory */
} mfft_matrix;

/* The plane of two axes, or one axis (slow == fast) whose n is to be chosen. */
mfft_matrix mfft_pair_matrix(const mfft_builder *b, const mfft_pair_request *r);

/* Whether the matrices lie in memory so that they are read and written in whole segments. */
int mfft_pair_in_order(const mfft_builder *b, const mfft_pair_request *r);

/* Shapes a kernel for a matrix; returns what an element costs, or INFINITY where it cannot. */
typedef double mfft_pair_shape(const mfft_builder *b, const mfft_matrix *x, const mfft_cluster_choice *choice,
                               mfft_kernel *k);

/* The cheapest shape of the matrix, or, where it is one line whose n is to be chosen, of all its splits. */
double mfft_pair_best(const mfft_builder *b, mfft_pair_shape *shape, const mfft_cluster_choice *choice, mfft_matrix *x,
                      mfft_kernel *kernel);

/* The chains of a kernel, and the shared memory they take.  first_inner, second_inner: lines are innermost in their tiles.
 */
void mfft_pair_set(mfft_kernel *k, const mfft_chain *first, const mfft_chain *second, int first_inner, int second_inner);

/* What such a kernel makes of a pass whose loops are known.  last: it carries the scale. */
void mfft_pair_fill(const mfft_builder *b, const mfft_matrix *x, const mfft_kernel *kernel, int last, mfft_pass *pass);

/* The pass of such a kernel, at the end of the schedule. */
mfft_status mfft_pair_add(mfft_builder *b, const mfft_pair_request *r, const mfft_matrix *x, const mfft_kernel *kernel,
                          mfft_pass **pass);

#endif
