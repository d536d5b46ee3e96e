/* trace.c: see trace.h. */
#include "local/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mfft_inspect.h"

enum { NAME = 64 };

typedef struct span {
  mfft_trace_note note;
  mfft_direction direction;
  int64_t execute;
  int from, to; /* marks */
} span;

struct mfft_trace {
  const mfft_device *device;
  char (*queue)[NAME]; /* [queues] */
  int queues;
  void *origin; /* timer of time 0 */
  void **mark;  /* [capacity] timers, of which `made` exist and `marks` are used */
  int marks, made;
  span *span; /* [span_capacity] of which `spans` are used */
  int64_t spans, span_capacity, executes;
  mfft_direction direction;
};

static const char *const kind_names[MFFT_SPAN_KINDS] = {
    [MFFT_SPAN_FFT] = "fft",       [MFFT_SPAN_COPY] = "copy",         [MFFT_SPAN_CONVERT] = "convert",
    [MFFT_SPAN_RESIZE] = "resize", [MFFT_SPAN_TWIDDLE] = "twiddle",   [MFFT_SPAN_OPEN] = "open",
    [MFFT_SPAN_START] = "start",   [MFFT_SPAN_WAIT] = "wait",         [MFFT_SPAN_FILTER] = "filter",
    [MFFT_SPAN_PEERS] = "peers",   [MFFT_SPAN_HERE] = "here",         [MFFT_SPAN_MESSAGES] = "messages",
    [MFFT_SPAN_UPLOAD] = "upload", [MFFT_SPAN_DOWNLOAD] = "download",
};

const char *mfft_span_kind_name(mfft_span_kind kind) { return (unsigned)kind < MFFT_SPAN_KINDS ? kind_names[kind] : NULL; }

static mfft_status no_memory(void) { return mfft_fail(MFFT_ERR_MEMORY, "no memory for a time line"); }

mfft_status mfft_trace_create(const mfft_device *device, mfft_trace **trace) {
  int queue;
  mfft_trace *t = calloc(1, sizeof *t);
  if (!t) return no_memory();
  t->device = device;
  mfft_status status = device->timer_create(&t->origin);
  if (status == MFFT_SUCCESS) status = mfft_trace_queue(t, &queue, "stream");
  if (status == MFFT_SUCCESS)
    *trace = t;
  else
    mfft_trace_destroy(t);
  return status;
}

void mfft_trace_destroy(mfft_trace *t) {
  if (!t) return;
  for (int i = 0; i < t->made; i++) t->device->timer_destroy(t->mark[i]);
  t->device->timer_destroy(t->origin);
  free(t->mark);
  free(t->queue);
  free(t->span);
  free(t);
}

mfft_status mfft_trace_queue(mfft_trace *t, int *queue, const char *name, ...) {
  if (!t) return MFFT_SUCCESS;
  void *grown = realloc(t->queue, ((size_t)t->queues + 1) * sizeof *t->queue);
  if (!grown) return no_memory();
  t->queue = grown;
  va_list args;
  va_start(args, name);
  vsnprintf(t->queue[t->queues], NAME, name, args);
  va_end(args);
  *queue = t->queues++;
  return MFFT_SUCCESS;
}

mfft_status mfft_trace_reserve(mfft_trace *t, int marks) {
  if (!t || t->marks + marks <= t->made) return MFFT_SUCCESS;
  const int wanted = t->marks + marks;
  void **mark = realloc(t->mark, (size_t)wanted * sizeof *mark);
  if (mark) t->mark = mark;
  span *spans = realloc(t->span, (size_t)(t->spans + marks) * sizeof *spans); /* every span ends with a mark of its own */
  if (spans) t->span = spans, t->span_capacity = t->spans + marks;
  if (!mark || !spans) return no_memory();
  for (; t->made < wanted; t->made++) MFFT_TRY(t->device->timer_create(&t->mark[t->made]));
  return MFFT_SUCCESS;
}

mfft_status mfft_trace_restart(mfft_trace *t, void *stream) {
  if (!t) return MFFT_SUCCESS;
  t->marks = 0;
  t->spans = t->executes = 0;
  MFFT_TRY(t->device->stream_synchronize(stream));
  MFFT_TRY(t->device->timer_record(t->origin, stream));
  return t->device->stream_synchronize(stream);
}

void mfft_trace_execute(mfft_trace *t, mfft_direction direction) {
  if (!t) return;
  t->direction = direction;
  t->executes++;
}

mfft_status mfft_trace_mark(mfft_trace *t, void *stream, int *mark) {
  if (!t) return MFFT_SUCCESS;
  if (t->marks == t->made) MFFT_TRY(mfft_trace_reserve(t, t->made + 64));
  *mark = t->marks++;
  return t->device->timer_record(t->mark[*mark], stream);
}

mfft_status mfft_trace_span(mfft_trace *t, mfft_trace_note note, int from, int to) {
  if (!t) return MFFT_SUCCESS;
  if (t->spans == t->span_capacity) {
    span *grown = realloc(t->span, (size_t)(2 * t->span_capacity + 64) * sizeof *grown);
    if (!grown) return no_memory();
    t->span = grown;
    t->span_capacity = 2 * t->span_capacity + 64;
  }
  t->span[t->spans++] = (span){note, t->direction, t->executes - 1, from, to};
  return MFFT_SUCCESS;
}

int64_t mfft_trace_count(const mfft_trace *t) { return t ? t->spans : 0; }

mfft_status mfft_trace_get(const mfft_trace *t, int64_t i, mfft_span *result) {
  const span *s = &t->span[i];
  mfft_span got = {.queue = s->note.queue,
                   .queue_name = t->queue[s->note.queue],
                   .kind = s->note.kind,
                   .label = s->note.label,
                   .direction = s->direction,
                   .execute = s->execute,
                   .sent_bytes = s->note.sent_bytes};
  MFFT_TRY(t->device->timer_elapsed(t->origin, t->mark[s->from], &got.start_s));
  MFFT_TRY(t->device->timer_elapsed(t->origin, t->mark[s->to], &got.end_s));
  *result = got;
  return MFFT_SUCCESS;
}
