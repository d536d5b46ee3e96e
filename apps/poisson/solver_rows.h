/* solver_rows.h: passes over a field in the memory of a GPU: the GPU reads it, and the host receives some numbers of each
 * row, of which it makes the same sums as solver_pass.h of a field in host memory. */
#ifndef MFFT_APPS_POISSON_SOLVER_ROWS_H
#define MFFT_APPS_POISSON_SOLVER_ROWS_H

#include "poisson/solver_moments.h"

/* Whether passes over the field are made by the GPU: 16-bit fields are in singles on the host. */
int mfft_poisson_by_rows(const mfft_poisson *poisson);

/* A pass over the field.  y = (x - shift[0] - shift[1]) * factor. */
typedef struct mfft_poisson_rows {
  double shift[2], factor;
  int store;                      /* 1: y replaces x */
  int project;                    /* 1: project the numbers, as they are stored afterwards */
  mfft_residual_operator applied; /* for which operator */
} mfft_poisson_rows;

/* *all: the squares of y, one term for each row; the largest magnitude of the numbers as they are stored afterwards; their
 * projections and their checksum, of this rank.  The rows' numbers pass through some MiB of host memory.  Not collective. */
mfft_status mfft_poisson_pass_rows(mfft_poisson *poisson, const mfft_poisson_rows *rows, mfft_poisson_moments *all);

#endif
