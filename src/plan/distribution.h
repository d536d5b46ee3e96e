/* distribution.h: the distributed part of a plan: ranks, layouts, transport and transfers. */
#ifndef MFFT_PLAN_DISTRIBUTION_H
#define MFFT_PLAN_DISTRIBUTION_H

#include "dist/failure.h"
#include "dist/host_copies.h"
#include "dist/transport.h"
#include "plan/path.h"
#include "plan/plan.h"

/* The members are owned by the plan. */
struct mfft_dist {
  MPI_Comm comm; /* the library's own duplicate */
  int rank, ranks;
  int grid_given; /* by the caller: rank p*Q + q is at place p, q */
  int axis_shift; /* axis a of the caller is axis (a + axis_shift) % 3 of the path */
  mfft_path path;
  mfft_topology topology;
  const mfft_transport *transport;
  mfft_failure *failure; /* failure object of executes; NULL on a single rank */
  int complete;          /* creation succeeded on all ranks */
  mfft_flow flow;
  mfft_lanes lanes;
  mfft_window window;               /* direct transports: WORK and signals */
  size_t window_bytes;              /* of its arrays and areas */
  mfft_group group[MFFT_MAX_STEPS]; /* [path.count - 1] ranks of exchange i, between steps i and i + 1 */
  mfft_transfer **transfer;         /* [ntransfers] of both programs */
  mfft_host_copies *host_copies;    /* of both programs; NULL without options.host_arrays */
  int ntransfers;
  int most_chunks;      /* of any exchange of both programs */
  int64_t four_step[2]; /* n1, n2; zeros in other plans */
  int padded;           /* IN rows are padded to 2*(n/2 + 1) reals: desc.padded, and in place R2C in default boxes */
  mfft_layout boxes[2]; /* [side] the caller's boxes, in the caller's axes */
  int64_t
      callers_bytes[2]; /* [side] of this rank's array, padding included, without the space that a plan may need behind it */
};

#endif
