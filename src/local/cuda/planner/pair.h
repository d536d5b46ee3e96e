/* pair.h: passes of two chains of merges (kernels/butterfly/pair.cuh): what passes of clusters share. */
#ifndef MFFT_CUDA_PAIR_H
#define MFFT_CUDA_PAIR_H

#include "local/cuda/planner/builder.h"

/* A matrix of m lines of n elements, transformed along n first.  Distances of elements and of lines: in the input, and in
 * the output, where an element of a line of the first is a line of the second. */
typedef struct mfft_matrix {
  int64_t n, m;
  int64_t in, in_line, out, out_line;
  int twiddled; /* the two are one line of n m elements; n is still to be chosen */
  int columns;  /* such matrices side by side: neighbours in memory */
} mfft_matrix;

/* How such a pass is done: in clusters of so many blocks; 0: not at all. */
typedef struct mfft_pair_way {
  int cluster;
  int values; /* elements that a thread holds */
  int first;  /* length of the first chain of a long line; 0: the planner chooses */
} mfft_pair_way;

/* What the spec asks for, or what was the fastest by trial. */
mfft_pair_way mfft_pair_choose(const builder *b, int slow, int fast);
mfft_pair_way mfft_pair_choose_halves(const builder *b, int axis);

/* The plane of two axes, or one axis (slow == fast) whose n is to be chosen. */
mfft_matrix mfft_pair_matrix(const builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst);

/* Whether the matrices lie in memory so that they are read and written in whole segments. */
int mfft_pair_in_order(const builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst);

/* Shapes a kernel for a matrix; returns what an element costs, or INFINITY where it cannot. */
typedef double mfft_pair_shape(const builder *b, const mfft_matrix *x, const void *demand, mfft_kernel *k);

/* The cheapest shape of the matrix, or, where it is one line whose n is to be chosen, of all its splits. */
double mfft_pair_best(const builder *b, mfft_pair_shape *shape, const void *demand, mfft_matrix *x, mfft_kernel *kernel);

/* The chains of a kernel, and the shared memory they take.  first_inner, second_inner: lines are innermost in their tiles.
 */
void mfft_pair_set(mfft_kernel *k, const mfft_chain *first, const mfft_chain *second, int first_inner, int second_inner);

/* A shape of kernels/butterfly/cluster.cu for a pair way of so many blocks. */
double mfft_cluster_shape(const builder *b, const mfft_matrix *x, const void *way, mfft_kernel *k);
/* Such a kernel before it is shaped, and how many blocks do `tiles` tiles. */
mfft_kernel mfft_cluster_kernel(const builder *b, const mfft_matrix *x);
mfft_status mfft_cluster_blocks(mfft_pass *pass, int64_t tiles);
/* Whether clusters can do a way at all. */
int mfft_cluster_usable(const builder *b, const mfft_pair_way *way);

/* A distance that the kernel should know: where the n elements of a line are near enough for an instruction's own offset. */
int mfft_pair_compiled_in(int64_t stride, int64_t n);

/* What such a kernel makes of a pass whose loops are known.  last: it carries the scale. */
void mfft_pair_fill(const builder *b, const mfft_matrix *x, const mfft_kernel *kernel, int last, mfft_pass *pass);

/* The pass of such a kernel, at the end of the schedule. */
mfft_status mfft_pair_add(builder *b, int slow, int fast, const mfft_matrix *x, const mfft_kernel *kernel, mfft_place_id src,
                          mfft_place_id dst, int last, mfft_pass **pass);

/* One pass for the plane of two axes, or for one long axis (slow == fast), where a cluster can hold it; sets *added.  Such a
 * pass for an axis from half spectra to an even number of reals. */
mfft_status mfft_pair_try_cluster(builder *b, const mfft_pair_way *way, int slow, int fast, mfft_place_id src,
                                  mfft_place_id dst, int last, int *added);
mfft_status mfft_pair_try_halves(builder *b, const mfft_pair_way *way, int axis, mfft_place_id src, mfft_place_id dst,
                                 int *added);

#endif
