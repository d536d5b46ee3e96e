/* mismatch.h: the message about an argument that differs between ranks.
 *
 * Ranks that gave the same value form a group, and the smallest group is named first: it is most often the one at fault. */
#ifndef MFFT_COMM_MISMATCH_H
#define MFFT_COMM_MISMATCH_H

#include <mpi.h>

#include "base/status.h"

enum { MFFT_MISMATCH_WORD_BYTES = 208 }; /* of a value in words; what is longer is cut */

/* MFFT_ERR_MISMATCH on every rank with the same message.  Ranks gave the same where `value` is the same; `word` says it.
 * Collective, on all ranks with an argument of the same name. */
mfft_status mfft_mismatch(MPI_Comm comm, const char *name, int64_t value, const char *word);

/* "rank 1", "ranks 0, 2-5, 9 and 12 more": those ranks whose group[rank] is `wanted`. */
void mfft_mismatch_ranks(const int *group /* [ranks] */, int ranks, int wanted, char *text, size_t size);

#endif
