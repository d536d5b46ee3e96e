/* path.h: the sequence of layouts of a distributed transform.  Pure geometry.
 *
 * A path is a list of steps in forward sequence.  In the layout of a step every rank holds whole the axes that the step
 * transforms; an exchange leads from one step to the next.  The backward direction uses the same list in reverse.
 *
 * Arrays are always three-dimensional here: an array of rank 2 is {1, n0, n1}, one of rank 1 is {1, 1, n}, or {1, n1, n2}
 * for the four-step method. */
#ifndef MFFT_PLAN_PATH_H
#define MFFT_PLAN_PATH_H

#include "dist/decomp.h"

typedef struct mfft_path_step {
  mfft_layout in;  /* layout before the transforms of this step (going forward) */
  mfft_layout out; /* layout after the transforms of this step; differs from `in` only along halved and padded axes */
  unsigned axes;   /* bit set of the axes transformed here; 0: only the caller's boxes require this step */
  int twiddle;     /* the four-step twiddle follows the transform (going forward) */
} mfft_path_step;

enum { MFFT_MAX_STEPS = 6 };

typedef struct mfft_path {
  mfft_path_step step[MFFT_MAX_STEPS]; /* [count] */
  int count;
  int64_t n[3];    /* lengths of the IN array */
  int64_t full[3]; /* lengths of the transforms: more than n where zeros follow the IN array */
  int half_axis;   /* the axis that R2C halves; -1: none */
  int real;        /* R2R: every array holds real numbers */
  int ordered;     /* 1: axes are transformed from the highest to the lowest, whatever boxes hold others whole before */
  int grid[2];     /* [P, Q] */
  int *order;      /* [P][Q] the rank at each place of the grid; NULL: p*Q + q */
} mfft_path;

typedef struct mfft_path_spec {
  int64_t n[3];           /* [axis] of the IN array */
  int64_t full[3];        /* [axis] of the transforms; 0: those of n */
  unsigned axes;          /* bit set of the axes to transform */
  unsigned trigonometric; /* those of them with cosines or sines, which R2C may transform before it halves an axis */
  mfft_kind kind;
  int ranks;
  int grid[2];        /* 0: chosen by the library */
  const int *node_of; /* [ranks] ranks may be ordered by their nodes (dist/grid_order.h); NULL: no */
  mfft_order order;
  int ordered;            /* see mfft_path */
  int four_step;          /* axes 1 and 2 are the n1 x n2 matrix of one long transform */
  const mfft_layout *in;  /* the caller's boxes, or NULL */
  const mfft_layout *out; /* the caller's boxes, or NULL */
} mfft_path_spec;

mfft_status mfft_path_build(const mfft_path_spec *spec, mfft_path *path);

/* Fails unless a grid {P, Q}, of which zeros are to be chosen, makes so many ranks. */
mfft_status mfft_path_check_grid(const int grid[2], int ranks);
void mfft_path_free(mfft_path *path); /* accepts a zeroed path */

/* Whether zeros follow the IN array along any of these axes. */
int mfft_path_pads(const mfft_path *path, unsigned axes);

/* Lengths of the OUT array, for either kind. */
void mfft_path_out_lengths(const mfft_path *path, int64_t n[3]);

/* A cost that orders grids without timing: the number of elements of the fullest rank in transforms (times 3) and
 * exchanges (times 2), times the ratio of its elements to an even share. */
double mfft_path_cost(const mfft_path *path);

#endif
