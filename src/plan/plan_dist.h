/* plan_dist.h: builds one distributed plan, and chooses among several. */
#ifndef MFFT_PLAN_PLAN_DIST_H
#define MFFT_PLAN_PLAN_DIST_H

#include <mpi.h>

#include "plan/plan.h"

/* The input of a plan: the resolved descriptor and options, whose remaining zeros are filled by rules, and parameters
 * that only tuning sets. */
typedef struct mfft_request {
  mfft_desc desc;
  mfft_options options;
  int grid_given;                  /* options.grid is the caller's */
  const mfft_algorithm *algorithm; /* of the local transforms; NULL: chosen by options.effort */
  double deadline;                 /* limit of timing local transforms, as in mfft_fft_spec */
  int copy_blocks, copy_lanes;     /* as in mfft_plan_s */
} mfft_request;

/* Builds the plan of a request.  Collective; all ranks fail together. */
mfft_status mfft_plan_dist_build(MPI_Comm comm, const mfft_request *request, mfft_plan *plan);

/* Chooses among whole plans by wisdom or by timing, and builds the best.  Collective; all ranks fail together. */
mfft_status mfft_tune(MPI_Comm comm, const mfft_desc *desc, const mfft_options *options, mfft_plan *plan);

/* Frees the distributed part of a plan, which may be half built; accepts NULL.  Collective if it is complete. */
void mfft_dist_free(mfft_dist *dist);

#endif
