/* host_copies.c: see host_copies.h. */
#include "dist/host_copies.h"

#include <stdlib.h>

#include "dist/route.h"
#include "local/device.h"

typedef struct copy {
  mfft_transfer base;
  mfft_host_copies *all;
  mfft_host_part part;
  void *event;    /* upload: the copy is complete; download: the work before it is */
  mfft_ends ends; /* of the download that has been started */
  struct copy *next;
} copy;

struct mfft_host_copies {
  const mfft_device *device;
  void *stream[2]; /* [direction] */
  void *edge[2];   /* [direction] events: the work before the first upload, the last download */
  copy *first;
};

static const mfft_span_kind kinds[] = {[MFFT_HOST_UPLOAD] = MFFT_SPAN_UPLOAD, [MFFT_HOST_DOWNLOAD] = MFFT_SPAN_DOWNLOAD};

/* Queues the copy on its stream, with its span in a time line. */
static mfft_status queue(copy *c, const mfft_ends *ends) {
  const mfft_host_copies *all = c->all;
  const mfft_extent *e = &c->part.extent;
  void *stream = all->stream[c->part.direction];
  const char *from = ends->from[MFFT_IN_ARRAY];
  char *to = ends->to[MFFT_IN_ARRAY];
  int begin = 0, end = 0;
  MFFT_TRY(mfft_trace_mark(c->base.trace, stream, &begin));
  MFFT_TRY(all->device->copy_rows(to + e->offset_bytes, from + e->offset_bytes, (size_t)e->row_bytes, (size_t)e->rows,
                                  (size_t)e->stride_bytes, stream));
  MFFT_TRY(mfft_trace_mark(c->base.trace, stream, &end));
  const mfft_span_kind kind = kinds[c->part.direction];
  const mfft_trace_note note = {.queue = c->base.queue[MFFT_QUEUE_HERE], .kind = kind, .label = mfft_span_kind_name(kind)};
  return mfft_trace_span(c->base.trace, note, begin, end);
}

static mfft_status start_upload(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  copy *c = (copy *)transfer;
  const mfft_device *device = c->all->device;
  void *link = c->all->stream[MFFT_HOST_UPLOAD], *before = c->all->edge[MFFT_HOST_UPLOAD];
  if (c->part.edge) MFFT_TRY(device->event_record(before, stream));
  if (c->part.edge) MFFT_TRY(device->event_wait(before, link));
  MFFT_TRY(queue(c, ends));
  return device->event_record(c->event, link);
}

static mfft_status wait_upload(mfft_transfer *transfer, void *stream) {
  copy *c = (copy *)transfer;
  return c->all->device->event_wait(c->event, stream);
}

static mfft_status start_download(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  copy *c = (copy *)transfer;
  c->ends = *ends;
  return c->all->device->event_record(c->event, stream);
}

static mfft_status wait_download(mfft_transfer *transfer, void *stream) {
  copy *c = (copy *)transfer;
  const mfft_device *device = c->all->device;
  void *link = c->all->stream[MFFT_HOST_DOWNLOAD], *after = c->all->edge[MFFT_HOST_DOWNLOAD];
  MFFT_TRY(device->event_wait(c->event, link));
  MFFT_TRY(queue(c, &c->ends));
  if (!c->part.edge) return MFFT_SUCCESS;
  MFFT_TRY(device->event_record(after, link));
  return device->event_wait(after, stream);
}

static const struct {
  mfft_status (*start)(mfft_transfer *transfer, const mfft_ends *ends, void *stream);
  mfft_status (*wait)(mfft_transfer *transfer, void *stream);
} calls[] = {[MFFT_HOST_UPLOAD] = {start_upload, wait_upload}, [MFFT_HOST_DOWNLOAD] = {start_download, wait_download}};

mfft_status mfft_host_copies_add(mfft_host_copies *copies, const mfft_host_part *part, mfft_transfer **transfer) {
  copy *c = calloc(1, sizeof *c);
  if (!c) return mfft_fail(MFFT_ERR_MEMORY, "no memory for a copy between host and device");
  c->base = (mfft_transfer){.start = calls[part->direction].start, .wait = calls[part->direction].wait, .own_queues = 1};
  c->all = copies;
  c->part = *part;
  c->next = copies->first;
  copies->first = c;
  MFFT_TRY(copies->device->event_create(&c->event));
  *transfer = &c->base;
  return MFFT_SUCCESS;
}

mfft_status mfft_host_copies_create(const mfft_device *device, mfft_host_copies **copies) {
  mfft_host_copies *made = calloc(1, sizeof *made);
  if (!made) return mfft_fail(MFFT_ERR_MEMORY, "no memory for copies between host and device");
  made->device = device;
  mfft_status status = MFFT_SUCCESS;
  for (int direction = 0; direction < 2; direction++) {
    MFFT_GOTO(fail, device->stream_create(&made->stream[direction]));
    MFFT_GOTO(fail, device->event_create(&made->edge[direction]));
  }
  *copies = made;
  return MFFT_SUCCESS;
fail:
  mfft_host_copies_destroy(made);
  return status;
}

void mfft_host_copies_destroy(mfft_host_copies *copies) {
  if (!copies) return;
  for (int direction = 0; direction < 2; direction++)
    if (copies->stream[direction]) (void)copies->device->stream_synchronize(copies->stream[direction]);
  while (copies->first) {
    copy *c = copies->first;
    copies->first = c->next;
    copies->device->event_destroy(c->event);
    free(c);
  }
  for (int direction = 0; direction < 2; direction++) {
    copies->device->event_destroy(copies->edge[direction]);
    copies->device->stream_destroy(copies->stream[direction]);
  }
  free(copies);
}
