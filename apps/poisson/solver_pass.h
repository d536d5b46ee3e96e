/* solver_pass.h: the steps that the source and the outputs of a Poisson solve share: passes over the field and transforms.
 *
 * A pass reads the field part by part, by all threads of the pool: it subtracts, multiplies, stores in the precision of the
 * target array, measures it and projects what it has stored on the vectors of the residual (residual.h).  Sums are exact
 * (mesh/exact_sum.h), so that they do not depend on the number of threads and ranks. */
#ifndef MFFT_APPS_POISSON_SOLVER_PASS_H
#define MFFT_APPS_POISSON_SOLVER_PASS_H

#include "poisson/solver_moments.h"

/* The address of a part of an array; data: the part's own memory, as mfft_sweep gives it. */
typedef void *mfft_poisson_part_address(const mfft_poisson *poisson, const mfft_box *part, void *data);
mfft_poisson_part_address mfft_poisson_in_part; /* in the swept array */
mfft_poisson_part_address mfft_poisson_in_wide; /* in the array of singles of a 16-bit field */

/* A pass over all parts of the field: target = (source - shift[0] - shift[1]) * factor. */
typedef struct mfft_poisson_pass {
  mfft_poisson *p;
  mfft_precision from, to; /* precisions of source and target */
  double shift[2], factor;
  int project; /* 1: project the values that have been stored */
  mfft_poisson_part_address *source, *target;
  mfft_poisson_moments *of_thread; /* [threads] */
  mfft_poisson_moments all;        /* result: of all threads, and after mfft_poisson_sweep of all ranks but for `share` */
  const mfft_box *part;            /* the current part, and its addresses in both arrays */
  const void *part_source;
  void *part_target;
  int64_t rows_each; /* rows of a piece, the unit of work of a thread */
} mfft_poisson_pass;

/* Runs a pass over an array, with the flags of mfft_sweep; on a GPU, but for 16-bit fields, by the GPU (solver_rows.h), in
 * place.  Collective. */
mfft_status mfft_poisson_sweep(mfft_swept *swept, int does, mfft_poisson_pass *pass);

/* The root mean square of the values that a pass has stored. */
double mfft_poisson_pass_rms(const mfft_poisson_pass *pass);

/* The rms that 16-bit arrays are scaled to: a spectrum of one wave, and a field of one cell, are then at most 2^14. */
double mfft_poisson_wanted_rms(const mfft_poisson *p);

/* Transforms between the field and a spectrum by a plan, and waits until a device has finished, so that the phases of the
 * timing are right.  Forward writes the spectrum; backward leaves it, unless the plan may destroy it. */
mfft_status mfft_poisson_transform(mfft_poisson *p, mfft_plan plan, mfft_direction direction, void *spectrum);

#endif
