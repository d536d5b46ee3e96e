/* path.h: the way of a distributed transform through distributions.  Pure geometry.
 *
 * A path is a list of nodes in forward order.  At each node the array is cut so that the axes to be transformed there are
 * whole on every rank; between two nodes lies an exchange.  The backward direction walks the same list from its end.
 *
 * Arrays are always three-dimensional here: one of rank 2 is {1, n0, n1}, one of rank 1 {1, 1, n}, or {1, n1, n2} where the
 * four-step method splits it. */
#ifndef MFFT_PLAN_PATH_H
#define MFFT_PLAN_PATH_H

#include "dist/decomp.h"

typedef struct mfft_node {
  mfft_layout in;  /* boxes as the array arrives, going forward */
  mfft_layout out; /* boxes after the transforms of this node: `in` but for the halved axis */
  unsigned axes;   /* transformed here; 0 at a stop that only the caller's boxes ask for */
  int twiddle;     /* the four-step twiddle follows the transform (going forward) */
} mfft_node;

enum { MFFT_MAX_NODES = 6 };

typedef struct mfft_path {
  mfft_node node[MFFT_MAX_NODES]; /* [count] */
  int count;
  int64_t n[3];  /* lengths of the IN array */
  int half_axis; /* the axis that R2C halves, -1 for C2C */
  int grid[2];   /* [P, Q] */
} mfft_path;

typedef struct mfft_path_spec {
  int64_t n[3];  /* [axis] */
  unsigned axes; /* to transform */
  mfft_kind kind;
  int ranks;
  int grid[2]; /* zeros: choose */
  mfft_order order;
  int four_step;          /* axes 1 and 2 are n1 x n2 of one long transform */
  const mfft_layout *in;  /* the caller's boxes, or NULL */
  const mfft_layout *out; /* the caller's boxes, or NULL */
} mfft_path_spec;

mfft_status mfft_path_build(const mfft_path_spec *spec, mfft_path *path);
void mfft_path_free(mfft_path *path); /* accepts a zeroed path */

/* Lengths of the OUT array. */
void mfft_path_out_lengths(const mfft_path *path, int64_t n[3]);

/* Orders grids without timing: elements that a rank passes over at most, transforms counted three times and exchanges twice,
 * times how much more the fullest rank holds than its share. */
double mfft_path_cost(const mfft_path *path);

#endif
