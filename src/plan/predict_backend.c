/* predict_backend.c: backends and transports whose transforms and transfers only record what they would do. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dist/node_messages.h"
#include "plan/predict_model.h"

/* ---- Backends ---- */

static void fft_destroy(mfft_fft *fft) { free(fft); }

static void fft_print(const mfft_fft *fft, char *text, size_t size) {
  (void)fft;
  snprintf(text, size, "not run");
}

/* The calls of a model transform, which plans make through the transform itself. */
static const mfft_backend transforms = {.name = "model", .fft_print = fft_print, .fft_destroy = fft_destroy};

static mfft_status fft_create(const mfft_fft_spec *spec, mfft_fft **fft) {
  mfft_model_fft *made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a transform of a prediction");
  made->base.backend = &transforms;
  made->spec = *spec;
  *fft = &made->base;
  return MFFT_SUCCESS;
}

static mfft_status synchronize(void *stream) {
  (void)stream;
  return MFFT_SUCCESS;
}

/* The calls below say by not being NULL that a GPU can do something; a prediction runs nothing. */
static mfft_status never(void) { return mfft_fail(MFFT_ERR_INTERNAL, "a prediction was executed"); }

static mfft_status scatter(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream) {
  (void)fft, (void)in, (void)out, (void)to, (void)work, (void)stream;
  return never();
}

static mfft_status convert(const mfft_block *blocks, int64_t count, mfft_precision precision, int components, int packs,
                           const void *in, void *out, void *stream) {
  (void)blocks, (void)count, (void)precision, (void)components, (void)packs, (void)in, (void)out, (void)stream;
  return never();
}

static mfft_status resize(const mfft_block *blocks, int64_t count, mfft_precision precision, int narrows, const void *in,
                          void *out, void *stream) {
  (void)blocks, (void)count, (void)precision, (void)narrows, (void)in, (void)out, (void)stream;
  return never();
}

/* Whether a pass of the engine can filter, scatter or narrow: it can for all lengths that one block holds, which are those
 * that a distributed transform has. */
static int fuses(const mfft_fft_spec *spec) {
  (void)spec;
  return 1;
}

mfft_status mfft_model_backend(int host_memory, mfft_backend *backend) {
  static const mfft_backend device = {.name = "cuda",
                                      .trigonometric = 1,
                                      .no_long_double = MFFT_NO_LONG_DOUBLE_ON_GPUS,
                                      .pads = 1,
                                      .fft_scatter = scatter,
                                      .convert = convert,
                                      .resize = resize,
                                      .fuses = fuses};
  const mfft_backend *found = &device;
  if (host_memory) MFFT_TRY(mfft_backend_find("fftw", &found));
  *backend = *found;
  backend->fft_create = fft_create;
  backend->synchronize = synchronize;
  backend->algorithms = NULL;
  return MFFT_SUCCESS;
}

/* ---- Transports ---- */

static int64_t block_elements(const mfft_block *b) { return b->n[0] * b->n[1] * b->n[2] * b->n[3]; }

static void transfer_destroy(mfft_transfer *transfer) { free(transfer); }

static void add_messages(const mfft_transfer_spec *spec, mfft_traffic *t) {
  for (int64_t i = 0; i < spec->chunk->send.count; i++) {
    const mfft_message *m = &spec->chunk->send.message[i];
    const int near = spec->topology->near[m->peer];
    *(near ? &t->near_bytes : &t->far_bytes) += m->bytes;
    ++*(near ? &t->near_messages : &t->far_messages);
  }
  for (int64_t i = 0; i < spec->chunk->recv.count; i++)
    if (!spec->topology->near[spec->chunk->recv.message[i].peer]) t->far_received += spec->chunk->recv.message[i].bytes;
}

static mfft_status transfer_create(const mfft_transfer_spec *spec, int direct, mfft_transfer **transfer) {
  const mfft_chunk *chunk = spec->chunk;
  mfft_model_transfer *made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a transfer of a prediction");
  mfft_traffic *t = &made->traffic;
  add_messages(spec, t);
  t->near_bytes += chunk->direct_bytes;
  t->near_messages += chunk->direct.count > chunk->acting.count ? chunk->direct.count : chunk->acting.count;
  for (int64_t i = 0; i < chunk->self.count; i++)
    t->self_bytes += block_elements(&chunk->self.block[i]) * spec->element_bytes;
  t->self_by_transfer = direct;
  made->base.destroy = transfer_destroy;
  made->base.sent_bytes = t->near_bytes + t->far_bytes;
  made->base.messages = direct ? t->far_messages : t->near_messages + t->far_messages;
  *transfer = &made->base;
  return MFFT_SUCCESS;
}

static mfft_status create_direct(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  return transfer_create(spec, 1, transfer);
}

/* Messages that pass through leaders: if there are enough of them, each rank of a node is the leader for as many other
 * nodes, so that on average a rank sends the bytes that are its own.  They are copied twice more, to the leader and from it:
 * by the processor, or by devices through their links to host memory. */
static mfft_status create_hierarchical(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  MFFT_TRY(transfer_create(spec, 1, transfer));
  mfft_model_transfer *made = (mfft_model_transfer *)*transfer;
  const mfft_topology *topology = spec->topology;
  const int node_ranks = topology->node_ranks;
  int64_t nodes = 0;
  unsigned char *counted = calloc((size_t)topology->ranks, 1); /* [ranks] by the lowest rank of a node */
  if (!counted) {
    transfer_destroy(*transfer);
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for the nodes of %d ranks", topology->ranks);
  }
  for (int64_t i = 0; i < spec->chunk->send.count; i++) {
    const int peer = spec->chunk->send.message[i].peer, node = topology->node_of[peer];
    nodes += !topology->near[peer] && !counted[node];
    counted[node] = 1;
  }
  free(counted);
  const int64_t pair_bytes = nodes ? made->traffic.far_bytes * node_ranks / nodes : 0;
  const int64_t messages = nodes * mfft_node_pieces(pair_bytes, node_ranks);
  made->traffic.far_messages = made->base.messages = (messages + node_ranks - 1) / node_ranks;
  if (messages && messages < node_ranks) made->traffic.leaders = (double)messages / node_ranks;
  const int64_t copied = made->traffic.far_bytes + made->traffic.far_received;
  *(topology->host_memory ? &made->traffic.self_bytes : &made->traffic.staged_bytes) += copied;
  return MFFT_SUCCESS;
}

static mfft_status create_messages(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  return transfer_create(spec, 0, transfer);
}

mfft_status mfft_model_transport(const char *name, int host_memory, int nodes, mfft_transport *transport) {
  const mfft_transport *found = NULL;
  MFFT_TRY(mfft_transport_find(name, &found));
  if (!found) found = host_memory ? &mfft_transport_pairwise : mfft_transport_p2p;
  if (found->device_only && host_memory)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "transport \"%s\" is for device memory; use \"%s\"", found->name,
                     mfft_transport_pairwise.name);
  if (found->family && nodes == 1) found = found->family;
  if (found->family && nodes > 1 && !found->far) found = &found->family[1]; /* the best of the family */
  *transport = *found;
  transport->create = transport->direct ? create_direct : create_messages;
  if (transport->far && transport->far->arrange) transport->create = create_hierarchical;
  transport->probe = NULL;
  transport->end_collectives = NULL;
  return MFFT_SUCCESS;
}
