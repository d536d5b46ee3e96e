/* flow.c: see flow.h. */
#include "dist/flow.h"

#include <stddef.h>

static void add(mfft_flow *flow, mfft_flow_item *item) {
  mfft_flow_item **end = &flow->first;
  while (*end) end = &(*end)->next;
  item->next = NULL;
  item->queued = 1;
  *end = item;
}

mfft_status mfft_flow_advance(mfft_flow *flow, const mfft_device *device) {
  while (flow->first) {
    mfft_flow_item *item = flow->first;
    int done = 0;
    MFFT_TRY(device->event_done(item->event, &done));
    if (!done) break;
    MFFT_TRY(item->post(item));
    flow->first = item->next;
    item->queued = 0;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_flow_start(mfft_flow *flow, const mfft_device *device, mfft_flow_item *item, void *stream) {
  MFFT_TRY(device->event_record(item->event, stream));
  add(flow, item);
  return mfft_flow_advance(flow, device);
}
