/* plan_dist.h: building one distributed plan, and choosing among several. */
#ifndef MFFT_CORE_PLAN_DIST_H
#define MFFT_CORE_PLAN_DIST_H

#include <mpi.h>

#include "core/plan.h"

/* Builds a plan as the resolved descriptor says, with a rule for what it leaves open.  Collective; all ranks fail together.
 */
mfft_status mfft_plan_dist_build(MPI_Comm comm, const mfft_desc *desc, mfft_plan *plan);

/* Times whole candidate plans within MFFT_TUNE_S seconds and keeps the fastest; remembers it as wisdom, and asks wisdom
 * first. Collective; all ranks fail together. */
mfft_status mfft_tune(MPI_Comm comm, const mfft_desc *desc, mfft_plan *plan);

#endif
