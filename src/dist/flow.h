/* flow.h: transfers of device memory on their way to MPI.
 *
 * MPI must not touch a buffer before the work that is queued ahead of it on the stream is done, and a rank must not stand
 * still until then.  A transfer that starts leaves an event on the stream and queues here; whoever waits for any transfer
 * posts, in their order, those whose event has come. */
#ifndef MFFT_DIST_FLOW_H
#define MFFT_DIST_FLOW_H

#include "base/status.h"
#include "local/device.h"

typedef struct mfft_flow_item {
  struct mfft_flow_item *next;
  void *event;                                      /* owned by the transfer */
  mfft_status (*post)(struct mfft_flow_item *item); /* hands it to MPI */
  int queued;
} mfft_flow_item;

typedef struct mfft_flow {
  mfft_flow_item *first;
} mfft_flow;

/* Leaves the event of the item on the stream, queues it, and posts what is ready. */
mfft_status mfft_flow_start(mfft_flow *flow, const mfft_device *device, mfft_flow_item *item, void *stream);

/* Posts what is ready, in order. */
mfft_status mfft_flow_advance(mfft_flow *flow, const mfft_device *device);

#endif
