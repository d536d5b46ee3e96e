/* mismatch.h: the message about an argument that differs between ranks.
 *
 * Ranks with the same value form a group.  The smallest group is named first, since it is most often the one at fault. */
#ifndef MFFT_COMM_MISMATCH_H
#define MFFT_COMM_MISMATCH_H

#include <mpi.h>

#include "base/status.h"

enum { MFFT_MISMATCH_WORD_BYTES = 208 }; /* longest value as text; a longer one is truncated */

/* MFFT_ERR_MISMATCH on every rank, with the same message.  Ranks are grouped by `value`; `word` is its text.  Collective
 * over all ranks, with the same `name`. */
mfft_status mfft_mismatch(MPI_Comm comm, const char *name, int64_t value, const char *word);

/* Prints the ranks whose group[rank] is `wanted`: "rank 1", "ranks 0, 2-5, 9 and 12 more". */
void mfft_mismatch_ranks(const int *group /* [ranks] */, int ranks, int wanted, char *text, size_t size);

#endif
