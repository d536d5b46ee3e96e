/* solver_moments.h: what a pass over the field learns of its values. */
#ifndef MFFT_APPS_POISSON_SOLVER_MOMENTS_H
#define MFFT_APPS_POISSON_SOLVER_MOMENTS_H

#include "mesh/exact_sum.h"
#include "poisson/poisson_solver.h"

/* Sums and extremes of the values that one thread has seen.  A zeroed object has seen none. */
struct mfft_poisson_moments {
  mfft_exact_sum squares; /* squares of the values, one term for each row */
  double largest;         /* largest magnitude */
  mfft_projection share;  /* projections of the rows */
  uint64_t checksum;      /* of the values, modulo 2^64, if a device has made the pass (mfft_plan_rows) */
};

/* Merges the moments of all threads into *all, and frees of_thread. */
void mfft_poisson_moments_merge(mfft_poisson_moments *of_thread /* [threads] */, int threads, mfft_poisson_moments *all);

#endif
