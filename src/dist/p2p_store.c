/* p2p_store.c: the transport whose data a transform stores.  If the last pass before an exchange can reach the windows of
 * all ranks that receive a share of its output, it stores there, and the transfer consists of the handshake alone.  All
 * other exchanges use p2p. */
#include <stdlib.h>
#include <string.h>

#include "dist/handshake.h"
#include "dist/transport.h"

typedef struct stored {
  mfft_transfer base;
  mfft_handshake handshake;
  mfft_shares shares;
  void *share[MFFT_MAX_SHARES]; /* [shares.count] addresses, valid once connected */
  int *acted, acted_count;      /* [acted_count] peers that receive a share */
  int *acting, acting_count;    /* [acting_count] peers that store into the window of this rank */
} stored;

static mfft_status open(mfft_transfer *transfer, void *stream) {
  const stored *t = (stored *)transfer;
  MFFT_TRY(mfft_handshake_give(&t->handshake, &t->handshake.open_here, stream));
  return mfft_handshake_await(&t->handshake, &t->handshake.open_there, stream);
}

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  const stored *t = (stored *)transfer;
  (void)ends; /* the transform has stored everything */
  return mfft_handshake_give(&t->handshake, &t->handshake.done_there, stream);
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  const stored *t = (stored *)transfer;
  return mfft_handshake_await(&t->handshake, &t->handshake.done_here, stream);
}

static mfft_status connect(mfft_transfer *transfer) {
  stored *t = (stored *)transfer;
  mfft_handshake_connect(&t->handshake, t->acted, t->acted_count, t->acting, t->acting_count);
  for (int s = 0; s < t->shares.count; s++)
    t->share[s] = (char *)mfft_window_arrays(t->handshake.window, t->shares.peer[s]) + t->shares.offset_bytes[s];
  return MFFT_SUCCESS;
}

static void destroy(mfft_transfer *transfer) {
  stored *t = (stored *)transfer;
  if (!t) return;
  free(t->acted);
  free(t->acting);
  free(t);
}

static mfft_status create_stored(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  const mfft_chunk *chunk = spec->chunk;
  MFFT_TRY(mfft_handshake_check(spec->what, chunk->direct.count, chunk->acting.count));
  stored *t = calloc(1, sizeof *t);
  int *acted = malloc(((size_t)chunk->direct.count + 1) * sizeof *acted);
  int *acting = malloc(((size_t)chunk->acting.count + 1) * sizeof *acting);
  if (!t || !acted || !acting) {
    free(t);
    free(acted);
    free(acting);
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  }
  t->base = (mfft_transfer){.open = open, .start = start, .wait = wait, .connect = connect, .destroy = destroy};
  t->base.share = t->share;
  t->base.sent_bytes = chunk->direct_bytes;
  t->shares = *spec->shares;
  t->acted = acted;
  t->acting = acting;
  t->acted_count = (int)chunk->direct.count;
  t->acting_count = (int)chunk->acting.count;
  for (int i = 0; i < t->acted_count; i++) acted[i] = chunk->direct.direct[i].peer;
  for (int i = 0; i < t->acting_count; i++) acting[i] = chunk->acting.peer[i];
  mfft_handshake_init(spec->window, spec->what, &t->handshake);
  *transfer = &t->base;
  return MFFT_SUCCESS;
}

static mfft_status probe(const mfft_topology *topology) { return mfft_transport_p2p->probe(topology); }

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  return spec->shares ? create_stored(spec, transfer) : mfft_transport_p2p->create(spec, transfer);
}

#define STORE(suffix, to)                                                                                             \
  {                                                                                                                   \
    .name = "p2p-store" suffix,                                                                                       \
    .summary = "as p2p, and the last pass before an exchange stores straight into the windows of peers where it can", \
    .messages = MFFT_FROM_AREAS, .direct = 1, .stores = 1, .probe = probe, .create = create, .far = to,               \
    .family = mfft_transport_p2p_store                                                                                \
  }
const mfft_transport mfft_transport_p2p_store[MFFT_FAMILY] = {STORE("", NULL), STORE("+pairwise", &mfft_transport_pairwise),
                                                              STORE("+nccl", &mfft_transport_nccl),
                                                              STORE("+staged", &mfft_transport_staged)};
