/* transfer.h: one chunk of an exchange, ready to be started and waited for any number of times.
 *
 * Transports (dist/transport.h) put an mfft_transfer first in a struct of their own.  `start` begins to send from the array
 * or the area at `from` and to receive into those at `to`, behind what is queued on the stream; what is queued after `wait`
 * finds both done.  Both answer with a status and never hang (comm/watchdog.h).  This header needs no MPI. */
#ifndef MFFT_DIST_TRANSFER_H
#define MFFT_DIST_TRANSFER_H

#include "base/status.h"
#include "local/backend.h"
#include "local/trace.h"

/* The memory of one transfer. */
typedef struct mfft_ends {
  const void *from[2]; /* [where] source array, send area */
  void *to[2];         /* [where] target array, receive area */
} mfft_ends;

/* What a transfer has in a time line. */
enum { MFFT_QUEUE_PEERS = 0, MFFT_QUEUE_HERE, MFFT_QUEUE_MESSAGES, MFFT_TRANSFER_QUEUES };

typedef struct mfft_transfer mfft_transfer;
struct mfft_transfer {
  mfft_status (*start)(mfft_transfer *transfer, const mfft_ends *ends, void *stream);
  mfft_status (*wait)(mfft_transfer *transfer, void *stream);
  mfft_status (*connect)(mfft_transfer *transfer); /* once, when all transfers are made and windows are open; may be NULL */
  void (*destroy)(mfft_transfer *transfer);
  /* Of one whose stores a scattered transform makes, else NULL: open comes before the transform, start behind it. */
  mfft_status (*open)(mfft_transfer *transfer, void *stream);
  void *const *share;              /* [shares] where they begin, once connected */
  int64_t sent_bytes;              /* to other ranks */
  int64_t messages;                /* of these, where they go by messages; 0 where by copies */
  mfft_trace *trace;               /* NULL, or where a transfer with queues of its own notes what runs there */
  int queue[MFFT_TRANSFER_QUEUES]; /* of the trace */
  int started;                     /* mark of the last start */
  int own_queues;                  /* it does so; of others the program notes how long their messages were under way */
};

#endif
