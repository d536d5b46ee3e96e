/* pairwise.c: the transport of plain messages.  All receives of a chunk are posted, then all sends, and the chunk is waited
 * for while others are packed, sent or transformed. */
#include <stdlib.h>
#include <string.h>

#include "dist/agree.h"
#include "dist/transport.h"
#include "dist/watchdog.h"

/* MPI counts are ints; longer messages go in several. */
static const int64_t longest_message = (int64_t)1 << 30;

typedef struct pairwise {
  mfft_transfer base;
  MPI_Comm comm;
  mfft_message *message; /* [receives + sends] peer is a rank of comm, at most longest_message bytes */
  int receives, count;
  MPI_Request *request; /* [count] */
  int *peer;            /* [count] */
  char what[64];
} pairwise;

static mfft_status start(mfft_transfer *transfer, const mfft_ends *ends) {
  pairwise *t = (pairwise *)transfer;
  for (int i = 0; i < t->count; i++) {
    const mfft_message *m = &t->message[i];
    if (i < t->receives)
      MFFT_MPI_TRY(MPI_Irecv((char *)ends->to[m->where] + m->offset_bytes, (int)m->bytes, MPI_BYTE, m->peer, 0, t->comm,
                             &t->request[i]));
    else
      MFFT_MPI_TRY(MPI_Isend((const char *)ends->from[m->where] + m->offset_bytes, (int)m->bytes, MPI_BYTE, m->peer, 0,
                             t->comm, &t->request[i]));
  }
  return MFFT_SUCCESS;
}

/* Open MPI queues the acknowledgements of many long messages and sends them whenever it is called.  A rank that goes off to
 * transform as soon as its own requests are done keeps them, and its peer waits until it is back: so call a little longer.
 */
static mfft_status linger(const pairwise *t) {
  for (int i = 0, flag; i < 64 + 4 * t->receives; i++)
    MFFT_MPI_TRY(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, t->comm, &flag, MPI_STATUS_IGNORE));
  return MFFT_SUCCESS;
}

static mfft_status wait(mfft_transfer *transfer) {
  pairwise *t = (pairwise *)transfer;
  MFFT_TRY(mfft_wait(t->comm, t->request, t->peer, t->count, t->what));
  return t->receives ? linger(t) : MFFT_SUCCESS;
}

static void destroy(mfft_transfer *transfer) {
  pairwise *t = (pairwise *)transfer;
  if (!t) return;
  free(t->message);
  free(t->request);
  free(t->peer);
  free(t);
}

static int64_t pieces_of(const mfft_message_list *list) {
  int64_t pieces = 0;
  for (int64_t i = 0; i < list->count; i++) pieces += (list->message[i].bytes + longest_message - 1) / longest_message;
  return pieces;
}

/* Appends the messages of a list, the long ones in pieces: both ends cut alike. */
static void append(pairwise *t, const mfft_group *group, const mfft_message_list *list) {
  for (int64_t i = 0; i < list->count; i++) {
    mfft_message m = list->message[i];
    m.peer = group->rank[m.peer];
    for (int64_t rest = m.bytes; rest > 0; rest -= m.bytes, m.offset_bytes += m.bytes) {
      m.bytes = rest < longest_message ? rest : longest_message;
      t->peer[t->count] = m.peer;
      t->request[t->count] = MPI_REQUEST_NULL;
      t->message[t->count++] = m;
    }
  }
}

static mfft_status create(const mfft_group *group, const mfft_chunk *chunk, const char *what, mfft_transfer **transfer) {
  int64_t receives = pieces_of(&chunk->recv), count = receives + pieces_of(&chunk->send);
  if (count > INT32_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "%s needs %lld messages; use more chunks", what, (long long)count);

  pairwise *t = calloc(1, sizeof *t);
  if (!t) goto no_memory;
  t->base = (mfft_transfer){.start = start, .wait = wait, .destroy = destroy};
  t->comm = group->comm;
  t->receives = (int)receives;
  strncat(t->what, what, sizeof t->what - 1);
  t->message = malloc((size_t)count * sizeof *t->message + 1);
  t->request = malloc((size_t)count * sizeof *t->request + 1);
  t->peer = malloc((size_t)count * sizeof *t->peer + 1);
  if (!t->message || !t->request || !t->peer) goto no_memory;
  append(t, group, &chunk->recv);
  append(t, group, &chunk->send);
  for (int64_t i = 0; i < chunk->send.count; i++) t->base.sent_bytes += chunk->send.message[i].bytes;
  *transfer = &t->base;
  return MFFT_SUCCESS;

no_memory:
  destroy(&t->base);
  return mfft_fail(MFFT_ERR_MEMORY, "no memory for %lld messages of %s", (long long)count, what);
}

const mfft_transport mfft_transport_pairwise = {
    .name = "pairwise",
    .summary = "Isend and Irecv, array to array where runs are long, chunks overlap with packing and transforms",
    .create = create,
};
