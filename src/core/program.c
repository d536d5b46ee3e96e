/* program.c: walking the list. */
#include "core/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* What a stage needs to run besides itself. */
typedef struct run {
  const mfft_program *program;
  const mfft_backend *backend;
  mfft_precision precision;
  void *const *buffer; /* [MFFT_BUFFER_COUNT] */
  void *stream;
} run;

static void *at(const run *r, mfft_place place) { return (char *)r->buffer[place.buffer] + place.offset_bytes; }

static mfft_status run_fft(const mfft_stage *s, const run *r) {
  return r->backend->fft_execute(s->fft, at(r, s->in), at(r, s->out), r->buffer[MFFT_BUFFER_SCRATCH], r->stream);
}

static mfft_status run_copy(const mfft_stage *s, const run *r) {
  return r->backend->copy(s->blocks, s->nblocks, s->element_bytes, at(r, s->in), at(r, s->out), r->stream);
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

static mfft_status run_start(const mfft_stage *s, const run *r) {
  const mfft_ends ends = {{at(r, s->in), at(r, s->send)}, {at(r, s->out), at(r, s->recv)}};
  return s->transfer->start(s->transfer, &ends, r->stream);
}

static mfft_status run_wait(const mfft_stage *s, const run *r) { return s->transfer->wait(s->transfer, r->stream); }

/* What each kind of stage does, and the entry of mfft_timing that its seconds go to. */
static const struct {
  mfft_status (*run)(const mfft_stage *stage, const run *r);
  size_t clock;
} kinds[MFFT_STAGE_KINDS] = {
    [MFFT_STAGE_FFT] = {run_fft, offsetof(mfft_timing, fft)},
    [MFFT_STAGE_COPY] = {run_copy, offsetof(mfft_timing, copy)},
    [MFFT_STAGE_TWIDDLE] = {run_twiddle, offsetof(mfft_timing, fft)},
    [MFFT_STAGE_START] = {run_start, offsetof(mfft_timing, exchange)},
    [MFFT_STAGE_WAIT] = {run_wait, offsetof(mfft_timing, exchange)},
    [MFFT_STAGE_FILTER] = {run_filter, offsetof(mfft_timing, fft)},
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

mfft_status mfft_program_run(const mfft_program *program, const mfft_backend *backend, mfft_precision precision,
                             void *const buffer[MFFT_BUFFER_COUNT], void *stream, mfft_timing *timing) {
  run r = {program, backend, precision, buffer, stream};
  double begin = now(), before = begin;
  for (int i = 0; i < program->count; i++) {
    const mfft_stage *stage = &program->stage[i];
    mfft_status status = kinds[stage->kind].run(stage, &r);
    if (status != MFFT_SUCCESS) return mfft_fail_context(status, "stage %d (%s)", i, stage->label);
    double after = now();
    *(double *)((char *)timing + kinds[stage->kind].clock) += after - before;
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
