/* flow.h: a queue of transfers of device memory that wait to be posted to MPI.
 *
 * MPI must not access a buffer before the preceding work on the stream is complete, and the host must not block until
 * then.  A transfer that starts records an event on the stream and enters this queue.  Every wait for any transfer posts
 * those whose event has completed, first in, first out. */
#ifndef MFFT_DIST_FLOW_H
#define MFFT_DIST_FLOW_H

#include "base/status.h"
#include "local/device.h"

typedef struct mfft_flow_item {
  struct mfft_flow_item *next;
  void *event;                                      /* owned by the transfer */
  mfft_status (*post)(struct mfft_flow_item *item); /* posts its messages to MPI */
  int queued;
} mfft_flow_item;

typedef struct mfft_flow {
  mfft_flow_item *first;
} mfft_flow;

/* Records the event of the item on the stream, appends the item to the queue, and posts the items that are ready. */
mfft_status mfft_flow_start(mfft_flow *flow, const mfft_device *device, mfft_flow_item *item, void *stream);

/* Posts the items that are ready, first in, first out. */
mfft_status mfft_flow_advance(mfft_flow *flow, const mfft_device *device);

#endif
