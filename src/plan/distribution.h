/* distribution.h: the distributed part of a plan: its ranks, where its arrays lie, and what carries its exchanges. */
#ifndef MFFT_PLAN_DISTRIBUTION_H
#define MFFT_PLAN_DISTRIBUTION_H

#include "dist/failure.h"
#include "dist/transport.h"
#include "plan/path.h"
#include "plan/plan.h"

/* What the distributed part of a plan owns. */
struct mfft_dist {
  MPI_Comm comm; /* the library's own duplicate */
  int rank, ranks;
  int axis_shift; /* axis a of the caller is axis (a + axis_shift) % 3 here */
  mfft_path path;
  mfft_topology topology;
  const mfft_transport *transport;
  mfft_failure *failure; /* of executes; NULL on a single rank */
  int complete;          /* the plan is made, on all ranks */
  mfft_flow flow;
  mfft_lanes lanes;
  mfft_window window;               /* of a direct transport: WORK and signals */
  mfft_group group[MFFT_MAX_NODES]; /* [path.count - 1] the ranks of exchange i, between nodes i and i + 1 */
  mfft_transfer **transfer;         /* [ntransfers] of both programs */
  int ntransfers;
  int most_chunks;      /* of an exchange of both programs */
  int64_t four_step[2]; /* n1, n2; zeros in other plans */
  int padded;           /* IN rows are padded to 2*(n/2 + 1) reals: in place R2C in default boxes */
  mfft_layout boxes[2]; /* [side] what the caller sees, in the caller's axes */
};

#endif
