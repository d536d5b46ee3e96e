/* peer_store.h: transforms whose last pass stores where an exchange would copy.
 *
 * The last pass stores into the windows of peers, so that an exchange copies nothing; or what stays on its own rank where it
 * belongs, and the rest as usual, so that an exchange copies only what leaves.  It can where the exchange cuts one axis of
 * the transform, as evenly as plans cut axes, and nothing else. */
#ifndef MFFT_PLAN_PEER_STORE_H
#define MFFT_PLAN_PEER_STORE_H

#include "plan/emitter.h"

/* Whether the transform before exchange i could do either on this rank: store for peers, and keep what is its own. */
int mfft_can_store(const mfft_emitter *e, int i);
int mfft_can_keep(const mfft_emitter *e, int i);

/* Where the transform of stop a over a region of its array stores for stop b, and its stage, with the transfer that knows.
 */
mfft_shares mfft_shares_of(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region);
mfft_status mfft_emit_scatter(mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region,
                              mfft_transfer *transfer);

/* The same within this rank: what stays here goes where stop b finds it, all else to the array behind stop a. */
mfft_status mfft_emit_kept(mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region);

/* Fills the scatter of a spec for it; 0 where it cannot be. */
int mfft_scatter_kept(const mfft_emitter *e, const mfft_stop *a, const mfft_stop *b, const mfft_region *region,
                      mfft_fft_spec *spec);

#endif
