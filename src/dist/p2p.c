/* p2p.c: the transport of stores and loads: ranks of a node copy from array to array, one of the two in the window of the
 * peer.  Far peers, on other nodes, are served by messages in the same transfer.
 *
 * Two signals guard each copy.  "open": the window is ready, to be stored into or fetched from; "done": this rank's copies
 * from or to it are complete.  The rank that copies waits for the first and gives the second.  On a GPU all of it is queued:
 * copies on a stream of their own, beside the transforms, and no host takes part. */
#include <stdlib.h>
#include <string.h>

#include "dist/agree.h"
#include "dist/transport.h"
#include "dist/watchdog.h"

typedef struct p2p {
  mfft_transfer base;
  const mfft_reach *reach;
  const mfft_window *window;
  int pull;
  int64_t element_bytes;
  int *acted, acted_count;     /* [acted_count] peers whose windows this rank copies from or to */
  int *acting, acting_count;   /* [acting_count] peers that do so here */
  mfft_block *block;           /* [blocks] */
  int *block_peer;             /* [blocks] */
  const void **in;             /* [blocks] */
  void **out;                  /* [blocks] */
  int64_t blocks, near_blocks; /* the last, blocks - near_blocks of them, stay on this rank */
  int open_slot, done_slot;
  mfft_signal open_here, done_there;   /* sent to those who act here, and to those acted upon */
  mfft_signal open_there, done_here;   /* awaited */
  void *stream[2], *ready, *copied[2]; /* [near, here] queues for copies; events */
  mfft_transfer *far;                  /* NULL where nobody is far */
  char what[64];
} p2p;

typedef struct question {
  const p2p *t;
  const mfft_signal *signal;
  void *stream;
} question;

static mfft_status ask(void *subject, int *missing) {
  const question *q = subject;
  return q->t->reach->device->await(q->signal, q->t->what, missing, q->stream);
}

static mfft_status await(const p2p *t, const mfft_signal *signal, void *stream) {
  question q = {t, signal, stream};
  return signal->count ? mfft_wait_for(t->reach->comm, ask, &q, t->what) : MFFT_SUCCESS;
}

static mfft_status send(const p2p *t, const mfft_signal *signal, void *stream) {
  return signal->count ? t->reach->device->send(signal, stream) : MFFT_SUCCESS;
}

static mfft_status copy_range(const p2p *t, int64_t first, int64_t end, int across, void *stream) {
  if (first == end) return MFFT_SUCCESS;
  return t->reach->device->copy_lists(t->block + first, t->in + first, t->out + first, end - first, t->element_bytes, across,
                                      stream);
}

/* ---- For time lines: what happens between the marks of a queue ---- */

enum { READY, OPENED, COPIED, MARKS };
typedef int marks[MARKS];

static mfft_status mark(const p2p *t, void *stream, int *at) { return mfft_trace_mark(t->base.trace, stream, at); }

static mfft_status note(const p2p *t, int queue, const char *kind, int64_t sent_bytes, int from, int to) {
  return mfft_trace_span(t->base.trace, (mfft_trace_note){t->base.queue[queue], kind, t->what, sent_bytes}, from, to);
}

static int64_t far_bytes(const p2p *t) { return t->far ? t->far->sent_bytes : 0; }

/* ---- Start and wait ---- */

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  p2p *t = (p2p *)transfer;
  const mfft_device *device = t->reach->device;
  const int64_t near_bytes = t->base.sent_bytes - far_bytes(t);
  marks near = {0}, here = {0};
  if (t->far || !t->blocks) MFFT_TRY(mark(t, stream, &t->base.started));
  MFFT_TRY(send(t, &t->open_here, stream));
  if (t->far) MFFT_TRY(t->far->start(t->far, ends, stream));
  if (!t->blocks) return note(t, MFFT_QUEUE_PEERS, "peers", near_bytes, t->base.started, t->base.started);
  for (int64_t i = 0; i < t->blocks; i++) {
    if (t->pull)
      t->out[i] = ends->to[MFFT_IN_ARRAY];
    else
      t->in[i] = ends->from[MFFT_IN_ARRAY];
  }
  MFFT_TRY(device->event_record(t->ready, stream));
  for (int q = 0; q < 2; q++) MFFT_TRY(device->event_wait(t->ready, t->stream[q]));
  MFFT_TRY(mark(t, t->stream[0], &near[READY]));
  MFFT_TRY(await(t, &t->open_there, t->stream[0]));
  MFFT_TRY(mark(t, t->stream[0], &near[OPENED]));
  MFFT_TRY(copy_range(t, 0, t->near_blocks, 1, t->stream[0]));
  MFFT_TRY(mark(t, t->stream[0], &near[COPIED]));
  MFFT_TRY(send(t, &t->done_there, t->stream[0]));
  MFFT_TRY(mark(t, t->stream[1], &here[READY]));
  MFFT_TRY(copy_range(t, t->near_blocks, t->blocks, 0, t->stream[1]));
  MFFT_TRY(mark(t, t->stream[1], &here[COPIED]));
  for (int q = 0; q < 2; q++) MFFT_TRY(device->event_record(t->copied[q], t->stream[q]));
  MFFT_TRY(note(t, MFFT_QUEUE_PEERS, "open", 0, near[READY], near[OPENED]));
  MFFT_TRY(note(t, MFFT_QUEUE_PEERS, "peers", near_bytes, near[OPENED], near[COPIED]));
  return note(t, MFFT_QUEUE_HERE, "here", 0, here[READY], here[COPIED]);
}

static mfft_status wait(mfft_transfer *transfer, void *stream) {
  p2p *t = (p2p *)transfer;
  if (t->far) {
    int arrived = 0;
    MFFT_TRY(t->far->wait(t->far, stream));
    MFFT_TRY(mark(t, stream, &arrived));
    MFFT_TRY(note(t, MFFT_QUEUE_MESSAGES, "messages", far_bytes(t), t->base.started, arrived));
  }
  for (int q = 0; t->blocks && q < 2; q++) MFFT_TRY(t->reach->device->event_wait(t->copied[q], stream));
  return await(t, &t->done_here, stream);
}

/* Pointers into the windows, once they are open. */
static mfft_status connect(mfft_transfer *transfer) {
  p2p *t = (p2p *)transfer;
  mfft_window_signal(t->window, t->open_slot, t->acting, t->acting_count, 1, &t->open_here);
  mfft_window_signal(t->window, t->open_slot, t->acted, t->acted_count, 0, &t->open_there);
  mfft_window_signal(t->window, t->done_slot, t->acted, t->acted_count, 1, &t->done_there);
  mfft_window_signal(t->window, t->done_slot, t->acting, t->acting_count, 0, &t->done_here);
  for (int64_t i = 0; i < t->blocks; i++) {
    void *room = mfft_window_room(t->window, t->block_peer[i]);
    if (t->pull)
      t->in[i] = room;
    else
      t->out[i] = room;
  }
  return MFFT_SUCCESS;
}

static void destroy(mfft_transfer *transfer) {
  p2p *t = (p2p *)transfer;
  if (!t) return;
  if (t->far) t->far->destroy(t->far);
  t->reach->device->event_destroy(t->ready);
  for (int q = 0; q < 2; q++) {
    t->reach->device->stream_destroy(t->stream[q]);
    t->reach->device->event_destroy(t->copied[q]);
  }
  free(t->acted);
  free(t->acting);
  free(t->block);
  free(t->block_peer);
  free(t->in);
  free(t->out);
  free(t);
}

static mfft_status fill(p2p *t, const mfft_chunk *chunk) {
  t->blocks = chunk->direct.count + chunk->self.count; /* what stays here goes the same way, without signals */
  t->near_blocks = chunk->direct.count;
  t->acted_count = (int)chunk->direct.count;
  t->acting_count = (int)chunk->acting.count;
  if (t->acted_count > MFFT_SIGNAL_PEERS || t->acting_count > MFFT_SIGNAL_PEERS)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s: %d near peers, p2p serves %d; use transport pairwise", t->what,
                     t->acted_count > t->acting_count ? t->acted_count : t->acting_count, MFFT_SIGNAL_PEERS);
  size_t n = (size_t)t->blocks + 1;
  t->acted = malloc(n * sizeof *t->acted);
  t->acting = malloc(((size_t)t->acting_count + 1) * sizeof *t->acting);
  t->block = malloc(n * sizeof *t->block);
  t->block_peer = malloc(n * sizeof *t->block_peer);
  t->in = calloc(n, sizeof *t->in);
  t->out = calloc(n, sizeof *t->out);
  if (!t->acted || !t->acting || !t->block || !t->block_peer || !t->in || !t->out)
    return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld copies of %s", (long long)t->blocks, t->what);
  for (int64_t i = 0; i < chunk->direct.count; i++) { /* one block a peer: the two boxes meet in one */
    t->acted[i] = t->block_peer[i] = chunk->direct.direct[i].peer;
    t->block[i] = chunk->direct.direct[i].block;
  }
  for (int64_t i = chunk->direct.count; i < t->blocks; i++) {
    t->block_peer[i] = t->reach->rank;
    t->block[i] = chunk->self.block[i - chunk->direct.count];
  }
  for (int i = 0; i < t->acting_count; i++) t->acting[i] = chunk->acting.peer[i];
  for (int q = 0; q < 2; q++) {
    MFFT_TRY(t->reach->device->stream_create(&t->stream[q]));
    MFFT_TRY(t->reach->device->event_create(&t->copied[q]));
  }
  return t->reach->device->event_create(&t->ready);
}

static mfft_status create(const mfft_transfer_spec *spec, mfft_transfer **transfer) {
  mfft_status status;
  p2p *t = calloc(1, sizeof *t);
  if (!t) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %s", spec->what);
  t->base = (mfft_transfer){.start = start, .wait = wait, .connect = connect, .destroy = destroy, .own_queues = 1};
  t->reach = spec->reach;
  t->window = spec->window;
  t->pull = spec->pull;
  t->element_bytes = spec->element_bytes;
  t->open_slot = mfft_window_take_slot(spec->window);
  t->done_slot = mfft_window_take_slot(spec->window);
  strncat(t->what, spec->what, sizeof t->what - 1);
  MFFT_GOTO(fail, fill(t, spec->chunk));
  if (spec->far && (spec->chunk->send.count || spec->chunk->recv.count)) MFFT_GOTO(fail, spec->far->create(spec, &t->far));
  t->base.sent_bytes = spec->chunk->direct_bytes + (t->far ? t->far->sent_bytes : 0);
  *transfer = &t->base;
  return MFFT_SUCCESS;
fail:
  destroy(&t->base);
  return status;
}

/* Each rank maps a small window of its near peers and trades one signal with them. */
static mfft_status probe(const mfft_reach *reach) {
  mfft_status status = MFFT_SUCCESS;
  int *peer = malloc((size_t)reach->ranks * sizeof *peer), count = 0, missing = -1; /* [count] */
  if (!peer) return mfft_fail(MFFT_ERR_MEMORY, "no memory for %d ranks", reach->ranks);
  for (int r = 0; r < reach->ranks && count < MFFT_SIGNAL_PEERS; r++)
    if (reach->near[r]) peer[count++] = r;
  mfft_window window;
  mfft_signal out, in;
  mfft_window_init(reach, &window);
  int slot = mfft_window_take_slot(&window);
  MFFT_GOTO(done, mfft_window_open(&window, 64));
  mfft_window_signal(&window, slot, peer, count, 1, &out);
  mfft_window_signal(&window, slot, peer, count, 0, &in);
  if (count) status = reach->device->send(&out, NULL);
  if (status == MFFT_SUCCESS) status = reach->device->stream_synchronize(NULL);
  status = mfft_agree(reach->comm, status); /* all have sent: what is missing now will never come */
  if (status == MFFT_SUCCESS && count) status = reach->device->await(&in, "trying transport p2p", &missing, NULL);
  if (status == MFFT_SUCCESS) status = reach->device->stream_synchronize(NULL);
  if (status == MFFT_SUCCESS && missing >= 0)
    status = mfft_fail(MFFT_ERR_UNSUPPORTED, "a store of rank %d did not arrive; use another transport than p2p", missing);
  status = mfft_agree(reach->comm, status);
done:
  mfft_window_close(&window);
  free(peer);
  return status;
}

const mfft_transport mfft_transport_p2p = {
    .name = "p2p",
    .summary = "copies straight between the arrays of ranks of a node, messages to other nodes",
    .one_message = 1,
    .direct = 1,
    .probe = probe,
    .create = create,
};
