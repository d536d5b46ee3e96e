/* chunks.h: the division of exchanges into chunks. */
#ifndef MFFT_PLAN_CHUNKS_H
#define MFFT_PLAN_CHUNKS_H

#include "plan/emitter.h"

/* Chooses how to divide the exchange from a to b, and sets a->cut.  Every rank chooses alike. */
mfft_status mfft_choose_cut(const mfft_emitter *e, mfft_step *a, const mfft_step *b);

/* Sets cut_before and cut_behind of a for this rank. */
void mfft_follow_cut(mfft_step *a, const mfft_step *b, int rank);

/* Whether on `rank` the transform of b can follow the chunks of the exchange before it. */
int mfft_cut_is_followed(const mfft_step *a, const mfft_step *b, int rank);

/* Whether the chunks of a cut along one axis are the same slices of the source and of the target boxes that trade with
 * `rank`. */
int mfft_cut_is_slices(const mfft_step *a, const mfft_step *b, int rank);

/* Whether a transform that stores into peers does so chunk by chunk; the same on all ranks.  Data that a transform stores
 * does not overlap that transform, so chunks pay only if both transforms follow them, or if the options ask for them. */
int mfft_stores_by_chunks(const mfft_emitter *e, const mfft_step *a, const mfft_step *b);

/* Bytes of the largest chunk of the array after the transform of a step. */
int64_t mfft_largest_chunk(const mfft_emitter *e, const mfft_step *s);

/* The route from a to b without any packing that it does not need. */
mfft_route_spec mfft_step_route(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, int rank, mfft_cut cut);

#endif
