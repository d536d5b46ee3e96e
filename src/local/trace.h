/* trace.h: the time line of executes: when each piece of work ran, and on which queue.
 *
 * A mark is a moment that a queue passes: on a device an event that knows its time, on the host the clock.  A span lies
 * between two marks of one queue; spans of a queue do not overlap.  Queue 0 is the stream of the plan; whoever runs work on
 * queues of its own (dist/p2p.c) names them and adds their spans.
 *
 * All calls accept NULL for a trace that is off and then do nothing. */
#ifndef MFFT_LOCAL_TRACE_H
#define MFFT_LOCAL_TRACE_H

#include "base/status.h"
#include "local/device.h"
#include "mfft_inspect.h"

typedef struct mfft_trace mfft_trace;

mfft_status mfft_trace_create(const mfft_device *device, mfft_trace **trace);
void mfft_trace_destroy(mfft_trace *trace);

/* A queue beside the first, by a name that is copied. */
mfft_status mfft_trace_queue(mfft_trace *trace, int *queue, const char *name, ...) MFFT_PRINTF(3, 4);

/* Creates so many more marks, so that an execute creates none. */
mfft_status mfft_trace_reserve(mfft_trace *trace, int marks);

/* Forgets all spans and counts time from now on.  Waits for the stream. */
mfft_status mfft_trace_restart(mfft_trace *trace, void *stream);

/* Begins an execute: the spans that follow belong to it. */
void mfft_trace_execute(mfft_trace *trace, mfft_direction direction);

/* Leaves a mark on the stream: the moment at which all work queued on it so far is done. */
mfft_status mfft_trace_mark(mfft_trace *trace, void *stream, int *mark);

/* kind and label are kept as pointers. */
typedef struct mfft_trace_note {
  int queue;
  const char *kind, *label;
  int64_t sent_bytes;
} mfft_trace_note;
mfft_status mfft_trace_span(mfft_trace *trace, mfft_trace_note note, int from, int to);

/* The number of spans, and span i.  The caller has waited for their work. */
int64_t mfft_trace_count(const mfft_trace *trace);
mfft_status mfft_trace_get(const mfft_trace *trace, int64_t i, mfft_span *span);

#endif
