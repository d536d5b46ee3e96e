/* inspect.h: inspection of an output of a Poisson solve while it is written, piece by piece and by several threads: its
 * largest magnitude, and of phi also the rms and the projections that the residual needs (solver_verify.c). */
#ifndef MFFT_APPS_POISSON_INSPECT_H
#define MFFT_APPS_POISSON_INSPECT_H

#include "poisson/poisson_solver.h"

typedef struct mfft_poisson_inspection {
  mfft_poisson *poisson;
  mfft_precision precision; /* of the values */
  int project;              /* 1: the output is phi and is projected for the residual */
  double factor;            /* 1 / |c|, or 1 if c is 0 */
  int threads;
  int beside;                      /* 1: the output is written in the background; the time is booked to no phase */
  mfft_poisson_moments *of_thread; /* [threads] */
} mfft_poisson_inspection;

/* Begins to inspect the output of an axis (-1: phi).  Threads with the numbers 0 to threads - 1 will call
 * mfft_poisson_inspect.  Not collective; MFFT_ERR_MEMORY if memory is exhausted. */
mfft_status mfft_poisson_inspect_begin(mfft_poisson *poisson, int axis, int threads, mfft_poisson_inspection *inspection);

/* Inspects a piece of the output in C order, of whole rows or of parts of rows, and leaves it as it is.  A visitor of
 * mfft_field_put_visit. */
mfft_status mfft_poisson_inspect(void *inspection, int thread, const mfft_box *piece, void *values);

/* Ends an inspection.  status: whether writing succeeded; all ranks return the same status.  *largest: the largest magnitude
 * over all ranks, INFINITY if a value is NaN.  Collective. */
mfft_status mfft_poisson_inspect_end(mfft_poisson_inspection *inspection, mfft_status status, double *largest);

/* Inspects an output in the memory of a GPU, by the GPU, before it is written, if mfft_poisson_by_rows (solver_rows.h).
 * *checksum: of this rank's part, for mfft_output_put_checked, since what is found here holds for the file only if the
 * values arrive there unchanged.  Collective. */
mfft_status mfft_poisson_inspect_rows(mfft_poisson *poisson, int axis, double *largest, uint64_t *checksum);

/* Ends an inspection without a result, after a failure.  Accepts a zeroed object. */
void mfft_poisson_inspect_drop(mfft_poisson_inspection *inspection);

#endif
