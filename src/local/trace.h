/* trace.h: the time line of executes: when each piece of work ran, and on which queue.
 *
 * A mark is a moment that a queue reaches: on a device an event with a time stamp, on the host the clock.  A span lies
 * between two marks of one queue; spans of a queue do not overlap.  Queue 0 is the stream of the plan.  Modules with
 * queues of their own (dist/p2p.c) name them and add their spans.
 *
 * All calls accept NULL, a trace that is off, and then do nothing. */
#ifndef MFFT_LOCAL_TRACE_H
#define MFFT_LOCAL_TRACE_H

#include "base/status.h"
#include "local/device.h"
#include "mfft_inspect.h"

typedef struct mfft_trace mfft_trace;

mfft_status mfft_trace_create(const mfft_device *device, mfft_trace **trace);
void mfft_trace_destroy(mfft_trace *trace);

/* Adds a queue; the name is copied. */
mfft_status mfft_trace_queue(mfft_trace *trace, int *queue, const char *name, ...) MFFT_PRINTF(3, 4);

/* Creates `marks` more marks in advance: an execute then creates none. */
mfft_status mfft_trace_reserve(mfft_trace *trace, int marks);

/* Deletes all spans and starts the time at 0.  Waits for the stream. */
mfft_status mfft_trace_restart(mfft_trace *trace, void *stream);

/* Begins an execute, to which later spans belong. */
void mfft_trace_execute(mfft_trace *trace, mfft_direction direction);

/* Records a mark on the stream: the moment at which all work queued so far is done. */
mfft_status mfft_trace_mark(mfft_trace *trace, void *stream, int *mark);

/* The pointer label is stored, not the text. */
typedef struct mfft_trace_note {
  int queue;
  mfft_span_kind kind;
  const char *label;
  int64_t sent_bytes;
} mfft_trace_note;
mfft_status mfft_trace_span(mfft_trace *trace, mfft_trace_note note, int from, int to);

/* The number of spans, and span i, whose work the caller has waited for. */
int64_t mfft_trace_count(const mfft_trace *trace);
mfft_status mfft_trace_get(const mfft_trace *trace, int64_t i, mfft_span *span);

#endif
