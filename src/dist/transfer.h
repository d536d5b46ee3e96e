/* transfer.h: one chunk of an exchange, which can be started and waited for any number of times.
 *
 * Transports (dist/transport.h) define a struct of their own with an mfft_transfer as its first member.  `start` begins
 * to send from the array or area in `from` and to receive into those in `to`, after the work that is queued on the
 * stream; work queued after `wait` finds both complete.  Both return a status and never hang (comm/watchdog.h).  This
 * header needs no MPI. */
#ifndef MFFT_DIST_TRANSFER_H
#define MFFT_DIST_TRANSFER_H

#include "base/status.h"
#include "local/backend.h"
#include "local/trace.h"

/* The memory of one transfer, indexed by mfft_where. */
typedef struct mfft_ends {
  const void *from[2]; /* source array, send area */
  void *to[2];         /* target array, receive area */
} mfft_ends;

/* The rows of a transfer in a time line: copies from or to near peers, copies on this rank, messages. */
enum { MFFT_QUEUE_PEERS = 0, MFFT_QUEUE_HERE, MFFT_QUEUE_MESSAGES, MFFT_TRANSFER_QUEUES };

typedef struct mfft_transfer mfft_transfer;
struct mfft_transfer {
  mfft_status (*start)(mfft_transfer *transfer, const mfft_ends *ends, void *stream);
  mfft_status (*wait)(mfft_transfer *transfer, void *stream);
  mfft_status (*connect)(
      mfft_transfer *transfer); /* called once after all transfers are created and windows are open; may be NULL */
  void (*destroy)(mfft_transfer *transfer);
  /* Only of a transfer whose data a scattered transform stores, else NULL: open comes before the transform, start after
   * it. */
  mfft_status (*open)(mfft_transfer *transfer, void *stream);
  mfft_transfer *far;              /* the transfer to other nodes inside this one; NULL: there is none */
  void *const *share;              /* [shares] addresses of the shares, valid once connected */
  int64_t sent_bytes;              /* bytes that this rank sends to others */
  int64_t messages;                /* number of messages to other ranks; 0 if they are copies */
  mfft_trace *trace;               /* where a transfer with queues of its own records its spans, or NULL */
  int queue[MFFT_TRANSFER_QUEUES]; /* rows of the trace */
  int started;                     /* mark of the last start, in the trace */
  int own_queues; /* 1: records its own spans; 0: the program records how long its messages were under way */
};

#endif
