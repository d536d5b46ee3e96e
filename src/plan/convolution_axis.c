/* convolution_axis.c: see convolution_axis.h. */
#include "plan/convolution_axis.h"

#include <string.h>

#include "plan/plan.h"

/* The spec of a program that is one transform from the input to the output; NULL: it is something else. */
static const mfft_fft_spec *find_spec(mfft_plan plan, mfft_direction direction) {
  const mfft_program *program = &plan->program[direction];
  if (program->count != 1 || program->stage[0].kind != MFFT_STAGE_FFT) return NULL;
  for (int i = 0; i < plan->nffts; i++)
    if (plan->fft[i] == program->stage[0].fft) return &plan->spec[i];
  return NULL;
}

static int is_plain(const mfft_fft_spec *s) {
  return s && s->naxes > 1 && s->nloops < MFFT_MAX_LOOPS && !s->in_place && !s->filtered && !s->scatter.count && !s->wire &&
         !s->scrambled && !s->radices[0] && s->axis[0].n > 1;
}

/* All axes but the slowest, which is a loop of the points that are given. */
static mfft_fft_spec fast_axes(const mfft_fft_spec *s) {
  mfft_fft_spec p = *s;
  const mfft_dim slow = s->axis[0];
  p.naxes--;
  for (int a = 0; a < p.naxes; a++) {
    p.axis[a] = s->axis[a + 1];
    p.kind[a] = s->kind[a + 1];
    p.given[a] = s->given[a + 1];
    p.radices[a] = s->radices[a + 1];
  }
  p.given[p.naxes] = 0;
  for (int l = p.nloops++; l > 0; l--) p.loop[l] = p.loop[l - 1];
  p.loop[0] = (mfft_dim){s->given[0] ? s->given[0] : slow.n, slow.is, slow.os};
  return p;
}

/* The slowest axis of the spectrum, in place in its array. */
static mfft_fft_spec slow_axis(const mfft_fft_spec *s, int conjugate) {
  mfft_fft_spec x = *s;
  x.type = MFFT_FFT_C2C;
  x.naxes = 1;
  x.axis[0].is = s->axis[0].os;
  x.given[1] = x.given[2] = 0;
  x.scale = 1;
  x.in_place = 1;
  x.convolved = 1 + conjugate;
  for (int l = 0; l < x.nloops; l++) x.loop[l].is = x.loop[l].os;
  for (int a = 1; a < s->naxes && x.nloops < MFFT_MAX_LOOPS; a++)
    x.loop[x.nloops++] = (mfft_dim){mfft_fft_length(s, a, 1), s->axis[a].os, s->axis[a].os};
  return x;
}

static mfft_status make_parts(mfft_convolution c, const mfft_fft_spec spec[3]) {
  const mfft_backend *backend = c->plan->backend;
  size_t work = 0;
  for (int i = 0; i < 3; i++) {
    MFFT_TRY(backend->fft_create(&spec[i], &c->part[i]));
    if (c->part[i]->work_bytes > work) work = c->part[i]->work_bytes;
  }
  return work ? backend->alloc(work, &c->work) : MFFT_SUCCESS;
}

mfft_status mfft_convolution_axis_create(mfft_convolution c) {
  mfft_plan plan = c->plan;
  const mfft_fft_spec *forward = plan->dist ? NULL : find_spec(plan, MFFT_FORWARD),
                      *backward = plan->dist ? NULL : find_spec(plan, MFFT_BACKWARD);
  const mfft_precision precision = plan->desc.precision;
  if (!plan->backend->convolves || plan->desc.batch != 1 || (precision != MFFT_DOUBLE && precision != MFFT_SINGLE) ||
      c->kind != MFFT_KERNEL_SPECTRUM || !is_plain(forward) || !is_plain(backward) ||
      forward->nloops + forward->naxes - 1 > MFFT_MAX_LOOPS)
    return MFFT_SUCCESS;
  mfft_fft_spec spec[3] = {fast_axes(forward), slow_axis(forward, c->conjugate), fast_axes(backward)};
  spec[2].destroy_input = 1; /* the spectrum is of the convolution */
  const mfft_status status = make_parts(c, spec);
  if (status != MFFT_SUCCESS) mfft_convolution_axis_destroy(c);
  return status == MFFT_ERR_UNSUPPORTED ? MFFT_SUCCESS : status;
}

mfft_status mfft_convolution_axis_run(mfft_convolution c, const void *in, void *out) {
  void *const stream = c->plan->stream;
  c->part[1]->filter_tables = c->kernel;
  MFFT_TRY(c->part[0]->backend->fft_execute(c->part[0], in, c->spectrum, c->work, stream));
  MFFT_TRY(c->part[1]->backend->fft_execute(c->part[1], c->spectrum, c->spectrum, c->work, stream));
  return c->part[2]->backend->fft_execute(c->part[2], c->spectrum, out, c->work, stream);
}

void mfft_convolution_axis_destroy(mfft_convolution c) {
  for (int i = 0; i < 3; i++) {
    if (c->part[i]) c->part[i]->backend->fft_destroy(c->part[i]);
    c->part[i] = NULL;
  }
  if (c->work) c->plan->backend->free(c->work);
  c->work = NULL;
}
