/* convolution_axis.c: see convolution_axis.h. */
#include "plan/convolution_axis.h"

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
  x.convolved = conjugate ? MFFT_CONVOLVED_BY_CONJUGATE : MFFT_CONVOLVED_BY_ARRAY;
  for (int l = 0; l < x.nloops; l++) x.loop[l].is = x.loop[l].os;
  for (int a = 1; a < s->naxes && x.nloops < MFFT_MAX_LOOPS; a++)
    x.loop[x.nloops++] = (mfft_dim){mfft_fft_length(s, a, 1), s->axis[a].os, s->axis[a].os};
  return x;
}

static mfft_status make_parts(mfft_plan plan, const mfft_fft_spec spec[3], mfft_convolution_axis *x) {
  size_t work = 0;
  for (int i = 0; i < 3; i++) {
    MFFT_TRY(plan->backend->fft_create(&spec[i], &x->part[i]));
    if (x->part[i]->work_bytes > work) work = x->part[i]->work_bytes;
  }
  return work ? plan->backend->alloc(work, &x->work) : MFFT_SUCCESS;
}

mfft_status mfft_convolution_axis_create(mfft_plan plan, int conjugate, mfft_convolution_axis *x) {
  const mfft_fft_spec *forward = plan->dist ? NULL : find_spec(plan, MFFT_FORWARD),
                      *backward = plan->dist ? NULL : find_spec(plan, MFFT_BACKWARD);
  const mfft_precision precision = plan->desc.precision;
  if (!plan->backend->convolves || plan->desc.batch != 1 || (precision != MFFT_DOUBLE && precision != MFFT_SINGLE) ||
      !is_plain(forward) || !is_plain(backward) || forward->nloops + forward->naxes - 1 > MFFT_MAX_LOOPS)
    return MFFT_SUCCESS;
  mfft_fft_spec spec[3] = {fast_axes(forward), slow_axis(forward, conjugate), fast_axes(backward)};
  spec[2].destroy_input = 1; /* the spectrum is of the convolution */
  const mfft_status status = make_parts(plan, spec, x);
  if (status != MFFT_SUCCESS) mfft_convolution_axis_destroy(plan, x);
  return status == MFFT_ERR_UNSUPPORTED ? MFFT_SUCCESS : status;
}

mfft_status mfft_convolution_axis_run(mfft_plan plan, const mfft_convolution_axis *x, const void *in, void *spectrum,
                                      const void *kernel, void *out) {
  x->part[1]->filter_tables = kernel;
  MFFT_TRY(x->part[0]->backend->fft_execute(x->part[0], in, spectrum, x->work, plan->stream));
  MFFT_TRY(x->part[1]->backend->fft_execute(x->part[1], spectrum, spectrum, x->work, plan->stream));
  return x->part[2]->backend->fft_execute(x->part[2], spectrum, out, x->work, plan->stream);
}

void mfft_convolution_axis_destroy(mfft_plan plan, mfft_convolution_axis *x) {
  for (int i = 0; i < 3; i++)
    if (x->part[i]) x->part[i]->backend->fft_destroy(x->part[i]);
  if (x->work) plan->backend->free(x->work);
  *x = (mfft_convolution_axis){{NULL}, NULL};
}
