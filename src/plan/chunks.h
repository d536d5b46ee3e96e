/* chunks.h: how exchanges are cut into chunks. */
#ifndef MFFT_PLAN_CHUNKS_H
#define MFFT_PLAN_CHUNKS_H

#include "plan/emitter.h"

/* Chooses how to cut the exchange from a to b: sets a->cut.  Every rank chooses alike. */
mfft_status mfft_choose_cut(const mfft_emitter *e, mfft_stop *a, const mfft_stop *b);

/* Sets cut_before and cut_behind of a for this rank. */
void mfft_follow_cut(mfft_stop *a, const mfft_stop *b, int rank);

/* Whether on some rank the transform of b can run chunk by chunk of the exchange before it. */
int mfft_cut_is_followed(const mfft_stop *a, const mfft_stop *b, int rank);

/* Whether a transform that stores into peers does so chunk by chunk: on all ranks alike.  Chunks pay where both transforms
 * follow them, as what a transform stores is not under way beside it, or where the descriptor asks for them. */
int mfft_stores_by_chunks(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b);

/* Bytes of the largest chunk of the array behind the transform of a stop. */
int64_t mfft_largest_chunk(const mfft_emitter *e, const mfft_stop *s);

/* The route from a to b by nature: nothing is packed that need not be. */
mfft_route_spec mfft_stop_route(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, int rank, mfft_cut cut);

#endif
