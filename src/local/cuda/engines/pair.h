/* pair.h: passes of two chains of merges (kernels/butterfly/pair.cuh), whose data is a matrix. */
#ifndef MFFT_CUDA_PAIR_H
#define MFFT_CUDA_PAIR_H

#include "local/cuda/engines/engine.h"

/* A matrix of m lines of n elements, transformed along its lines first and then along its columns.  in, in_line: distances
 * in the input of the elements of a line, and of lines; out, out_line: distances in the output of the elements of a column,
 * and of columns. */
typedef struct mfft_matrix {
  int64_t n, m;
  int64_t in, in_line, out, out_line;
  int twiddled; /* 1: lines and columns are the two steps of one line of n m elements; n is still to be chosen */
  int columns;  /* number of such matrices that are interleaved in memory */
} mfft_matrix;

/* The matrix of a plane of two axes, or of one axis (slow == fast), whose n is still to be chosen. */
mfft_matrix mfft_pair_matrix(const mfft_builder *b, const mfft_pair_request *r);

/* Whether all other dimensions have larger strides than the matrices, so that these are read and written in whole segments.
 */
int mfft_pair_in_order(const mfft_builder *b, const mfft_pair_request *r);

/* Shapes a kernel for a matrix; returns the cost of an element in instructions, or INFINITY if it cannot. */
typedef double mfft_pair_shape(const mfft_builder *b, const mfft_matrix *x, const mfft_cluster_choice *choice,
                               mfft_kernel *k);

/* Finds the cheapest shape of the matrix; if it is one long line, the cheapest of all splits n m of its length.  Returns the
 * cost, and sets *x and *kernel. */
double mfft_pair_best(const mfft_builder *b, mfft_pair_shape *shape, const mfft_cluster_choice *choice, mfft_matrix *x,
                      mfft_kernel *kernel);

/* 2 if the first, or the `second`, chain of a kernel has lines together with their mirror lines, which columns of cosines
 * have in the chain at whose end they are converted (kernels/butterfly/line_pair.cuh); else 1. */
int mfft_pair_sides(const mfft_kernel *k, int second);

/* The chains of a kernel, and the shared memory they take.  first_inner, second_inner: lines are innermost in their tiles.
 */
void mfft_pair_set(mfft_kernel *k, const mfft_chain *first, const mfft_chain *second, int first_inner, int second_inner);

/* Completes a pass whose loops are set with such a kernel, the strides of the matrix and the scale.  last: the pass
 * multiplies by the whole scale. */
void mfft_pair_fill(const mfft_builder *b, const mfft_matrix *x, const mfft_kernel *kernel, int last, mfft_pass *pass);

/* Adds a pass of such a kernel to the end of the schedule. */
mfft_status mfft_pair_add(mfft_builder *b, const mfft_pair_request *r, const mfft_matrix *x, const mfft_kernel *kernel,
                          mfft_pass **pass);

#endif
