/* plan_dist.h: building one distributed plan, and choosing among several. */
#ifndef MFFT_PLAN_PLAN_DIST_H
#define MFFT_PLAN_PLAN_DIST_H

#include <mpi.h>

#include "plan/plan.h"

/* What a plan is built from: the resolved descriptor and options, with a rule for what they leave open, and what is not in
 * them. */
typedef struct mfft_request {
  mfft_desc desc;
  mfft_options options;
  const mfft_algorithm *algorithm; /* of the local transforms; NULL: as options.effort says */
  double deadline;                 /* of timing them, as in mfft_fft_spec */
  int copy_blocks, copy_lanes;     /* as in mfft_plan_s */
} mfft_request;

/* Collective; all ranks fail together. */
mfft_status mfft_plan_dist_build(MPI_Comm comm, const mfft_request *request, mfft_plan *plan);

/* Chooses among whole plans, by wisdom or by timing them, and builds the best.  Collective; all ranks fail together. */
mfft_status mfft_tune(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);

#endif
