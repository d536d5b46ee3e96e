/* program.c: runs a program. */
#include "plan/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "mfft_inspect.h"

mfft_stage *mfft_program_add(mfft_program *program, mfft_stage_kind kind, const char *label, ...) {
  if (program->count == program->capacity) {
    int capacity = program->capacity ? 2 * program->capacity : 16;
    mfft_stage *grown = realloc(program->stage, (size_t)capacity * sizeof *grown);
    if (!grown) return NULL;
    program->stage = grown;
    program->capacity = capacity;
  }
  mfft_stage *stage = &program->stage[program->count++];
  memset(stage, 0, sizeof *stage);
  stage->kind = kind;
  va_list args;
  va_start(args, label);
  vsnprintf(stage->label, sizeof stage->label, label, args);
  va_end(args);
  return stage;
}

/* The arguments of an execute that all stages need. */
typedef struct run {
  const mfft_program *program;
  const mfft_backend *backend;
  mfft_precision precision;
  void *const *buffer; /* [MFFT_BUFFER_COUNT] */
  void *stream;
} run;

/* Address of a place.  A buffer that this rank does not need is NULL, to which C allows no addition, not even of 0. */
static void *at(const run *r, mfft_place place) {
  char *buffer = r->buffer[place.buffer];
  return buffer ? buffer + place.offset_bytes : NULL;
}

static mfft_status run_fft(const mfft_stage *s, const run *r) {
  if (s->factors.buffer == MFFT_BUFFER_FACTORS) s->fft->factors = at(r, s->factors);
  if (s->transfer)
    return r->backend->fft_scatter(s->fft, at(r, s->in), at(r, s->out), s->transfer->share, r->buffer[MFFT_BUFFER_SCRATCH],
                                   r->stream);
  if (s->shares) {
    void *share[MFFT_MAX_SHARES]; /* [peer] */
    for (int i = 0; i < s->shares; i++) share[i] = at(r, s->share[i]);
    return r->backend->fft_scatter(s->fft, at(r, s->in), at(r, s->out), share, r->buffer[MFFT_BUFFER_SCRATCH], r->stream);
  }
  return s->fft->backend->fft_execute(s->fft, at(r, s->in), at(r, s->out), r->buffer[MFFT_BUFFER_SCRATCH], r->stream);
}

static mfft_status run_copy(const mfft_stage *s, const run *r) {
  return r->backend->copy(s->blocks, s->nblocks, s->element_bytes, at(r, s->in), at(r, s->out), r->stream);
}

static mfft_status run_convert(const mfft_stage *s, const run *r) {
  int components = (int)(s->element_bytes / (int64_t)mfft_real_bytes(r->precision));
  return r->backend->convert(s->blocks, s->nblocks, r->precision, components, s->packs, at(r, s->in), at(r, s->out),
                             r->stream);
}

static mfft_status run_resize(const mfft_stage *s, const run *r) {
  return r->backend->resize(s->blocks, s->nblocks, r->precision, s->packs, at(r, s->in), at(r, s->out), r->stream);
}

static mfft_status run_twiddle(const mfft_stage *s, const run *r) {
  const mfft_twiddle_args *t = &s->twiddle;
  return r->backend->twiddle(r->precision, t->direction, t->n, t->row0, t->col0, t->length, at(r, s->out), r->stream);
}

static mfft_status run_filter(const mfft_stage *s, const run *r) {
  const void *in = at(r, s->in);
  void *out = at(r, s->out);
  if (r->program->filter_idle && in == out) return MFFT_SUCCESS;
  return r->backend->filter(r->precision, &s->filter, r->program->filter_tables, in, out, r->stream);
}

static mfft_status run_open(const mfft_stage *s, const run *r) { return s->transfer->open(s->transfer, r->stream); }

static mfft_status run_start(const mfft_stage *s, const run *r) {
  const mfft_ends ends = {{at(r, s->in), at(r, s->send)}, {at(r, s->out), at(r, s->recv)}};
  return s->transfer->start(s->transfer, &ends, r->stream);
}

static mfft_status run_wait(const mfft_stage *s, const run *r) { return s->transfer->wait(s->transfer, r->stream); }

/* For each kind of stage: its function, and the kind of its span in time lines. */
static const struct {
  mfft_status (*run)(const mfft_stage *stage, const run *r);
  mfft_span_kind span;
} kinds[MFFT_STAGE_KINDS] = {
    [MFFT_STAGE_FFT] = {run_fft, MFFT_SPAN_FFT},
    [MFFT_STAGE_COPY] = {run_copy, MFFT_SPAN_COPY},
    [MFFT_STAGE_CONVERT] = {run_convert, MFFT_SPAN_CONVERT},
    [MFFT_STAGE_RESIZE] = {run_resize, MFFT_SPAN_RESIZE},
    [MFFT_STAGE_TWIDDLE] = {run_twiddle, MFFT_SPAN_TWIDDLE},
    [MFFT_STAGE_OPEN] = {run_open, MFFT_SPAN_OPEN},
    [MFFT_STAGE_START] = {run_start, MFFT_SPAN_START},
    [MFFT_STAGE_WAIT] = {run_wait, MFFT_SPAN_WAIT},
    [MFFT_STAGE_FILTER] = {run_filter, MFFT_SPAN_FILTER},
};

double *mfft_timing_of(mfft_timing *timing, mfft_span_kind kind) {
  double *const seconds[MFFT_SPAN_KINDS] = {
      [MFFT_SPAN_FFT] = &timing->fft,        [MFFT_SPAN_COPY] = &timing->copy,     [MFFT_SPAN_CONVERT] = &timing->copy,
      [MFFT_SPAN_RESIZE] = &timing->copy,    [MFFT_SPAN_TWIDDLE] = &timing->fft,   [MFFT_SPAN_OPEN] = &timing->exchange,
      [MFFT_SPAN_START] = &timing->exchange, [MFFT_SPAN_WAIT] = &timing->exchange, [MFFT_SPAN_FILTER] = &timing->fft};
  return seconds[kind];
}

/* Adds the spans of a stage between two marks of the stream.  Messages of a transfer are shown on its own queue. */
static mfft_status note(mfft_trace *trace, const mfft_stage *s, int from, int to) {
  mfft_transfer *t = s->transfer;
  MFFT_TRY(mfft_trace_span(trace, (mfft_trace_note){.kind = kinds[s->kind].span, .label = s->label}, from, to));
  if (s->kind == (t && t->open ? MFFT_STAGE_OPEN : MFFT_STAGE_START)) t->started = to;
  if (s->kind != MFFT_STAGE_WAIT || t->own_queues) return MFFT_SUCCESS;
  return mfft_trace_span(
      trace, (mfft_trace_note){t->queue[MFFT_QUEUE_MESSAGES], MFFT_SPAN_MESSAGES, s->label, t->sent_bytes}, t->started, to);
}

static const char *const queues[MFFT_TRANSFER_QUEUES] = {
    [MFFT_QUEUE_PEERS] = "to peers", [MFFT_QUEUE_HERE] = "on this rank", [MFFT_QUEUE_MESSAGES] = "messages"};

int mfft_stage_begins_exchange(const mfft_stage *stage) { return stage->kind == MFFT_STAGE_START && stage->chunk == 0; }

/* Copies of host arrays have one row of the time line in either direction of the link. */
static mfft_status trace_host_copy(mfft_trace *trace, const char *direction, const mfft_stage *s, int *marks) {
  const char *copy = s->in.buffer == MFFT_BUFFER_HOST_SRC ? "uploads" : "downloads";
  mfft_transfer *t = s->transfer;
  *marks += 2;
  t->trace = trace;
  return mfft_trace_queue(trace, &t->queue[MFFT_QUEUE_HERE], "%s, %s", direction, copy);
}

mfft_status mfft_program_trace(const mfft_program *program, const char *direction, mfft_trace *trace, int *marks) {
  *marks += 1;
  for (int i = 0, exchange = -1; i < program->count; i++) {
    const mfft_stage *s = &program->stage[i];
    *marks += 1;
    if (s->kind != MFFT_STAGE_START) continue;
    mfft_transfer *t = s->transfer;
    if (s->chunk < 0) {
      MFFT_TRY(trace_host_copy(trace, direction, s, marks));
      continue;
    }
    exchange += mfft_stage_begins_exchange(s);
    *marks += t->own_queues ? 8 : 0;
    t->trace = trace;
    for (int q = 0; q < MFFT_TRANSFER_QUEUES; q++)
      if (t->own_queues || q == MFFT_QUEUE_MESSAGES)
        MFFT_TRY(mfft_trace_queue(trace, &t->queue[q], "%s exchange %d, %s: %s", direction, exchange, s->label, queues[q]));
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_program_run(const mfft_program *program, const mfft_backend *backend, mfft_precision precision,
                             void *const buffer[MFFT_BUFFER_COUNT], void *stream, mfft_timing *timing, mfft_trace *trace) {
  run r = {program, backend, precision, buffer, stream};
  double begin = mfft_now(), before = begin;
  int mark[2] = {0, 0}; /* marks before and after a stage */
  MFFT_TRY(mfft_trace_mark(trace, stream, &mark[0]));
  for (int i = 0; i < program->count; i++) {
    const mfft_stage *stage = &program->stage[i];
    if (backend->device) backend->device->range_begin(stage->label);
    mfft_status status = kinds[stage->kind].run(stage, &r);
    if (backend->device) backend->device->range_end();
    if (trace && status == MFFT_SUCCESS) {
      status = mfft_trace_mark(trace, stream, &mark[1]);
      if (status == MFFT_SUCCESS) status = note(trace, stage, mark[0], mark[1]);
      mark[0] = mark[1];
    }
    if (status != MFFT_SUCCESS) return mfft_fail_context(status, "stage %d (%s)", i, stage->label);
    double after = mfft_now();
    *mfft_timing_of(timing, kinds[stage->kind].span) += after - before;
    before = after;
    if (stage->kind == MFFT_STAGE_START) timing->sent_bytes += stage->transfer->sent_bytes;
  }
  timing->total += before - begin;
  timing->executes++;
  return MFFT_SUCCESS;
}

void mfft_program_free(mfft_program *program) {
  for (int i = 0; i < program->count; i++) free(program->stage[i].blocks);
  free(program->stage);
  memset(program, 0, sizeof *program);
}
