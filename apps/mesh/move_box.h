/* move_box.h: one exchange between the boxes of all ranks, for arrays that move once. */
#ifndef MFFT_APPS_MOVE_BOX_H
#define MFFT_APPS_MOVE_BOX_H

#include "mfft_mpi.h"

/* Moves elements of element_bytes bytes from this rank's box `from`, whose elements lie densely at `in`, to the ranks whose
 * boxes `to` contain them, densely at `out`.  Host memory; returns when this rank's arrays may be used.  Collective over
 * MPI_COMM_WORLD; plan and connections are made anew by each call. */
mfft_status mfft_move_box(int64_t element_bytes, const mfft_box *from, const void *in, const mfft_box *to, void *out);

#endif
