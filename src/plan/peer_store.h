/* peer_store.h: transforms whose last pass stores into the targets of the exchange after them.
 *
 * The last pass stores into the windows of peers, and the exchange copies nothing; or it stores only the part of its own
 * rank into the target and the rest as usual, and the exchange copies only data for other ranks.  Both are possible if
 * the exchange divides exactly one axis of the transform, and divides it evenly as plans do. */
#ifndef MFFT_PLAN_PEER_STORE_H
#define MFFT_PLAN_PEER_STORE_H

#include "plan/emitter.h"

/* Whether the transform before exchange i can, on this rank, store into the windows of peers, or store the part of its
 * own rank. */
int mfft_can_store(const mfft_emitter *e, int i);
int mfft_can_store_own(const mfft_emitter *e, int i);

/* The shares that the transform of step a over a region of its array stores for step b; and its FFT stage, with the
 * transfer that has their addresses. */
mfft_shares mfft_shares_of(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region);
mfft_status mfft_emit_scatter(mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region,
                              mfft_transfer *transfer);

/* The FFT stage that stores the part of its own rank where step b reads it, and the rest into the array after step a. */
mfft_status mfft_emit_scatter_own(mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region);

/* Fills spec->scatter for that stage; returns 0 if it is impossible. */
int mfft_scatter_own(const mfft_emitter *e, const mfft_step *a, const mfft_step *b, const mfft_region *region,
                     mfft_fft_spec *spec);

#endif
