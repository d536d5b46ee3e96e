/* slow_axis.c: see slow_axis.h. */
#include "plan/slow_axis.h"

#include <string.h>

/* The spec of a program that is one transform from the input to the output; NULL: it is something else. */
static const mfft_fft_spec *find_spec(mfft_plan plan, mfft_direction direction) {
  const mfft_program *program = &plan->program[direction];
  return program->count == 1 && program->stage[0].kind == MFFT_STAGE_FFT ? mfft_plan_spec_of(plan, &program->stage[0])
                                                                         : NULL;
}

static int is_plain(const mfft_fft_spec *s) {
  return s && s->type != MFFT_FFT_R2R && s->naxes > 1 && s->nloops + s->naxes - 1 <= MFFT_MAX_LOOPS && !s->scatter.count &&
         !s->wire && !s->scrambled && !s->radices[0] && !s->radices[1] && !s->radices[2] && s->axis[0].n > 1 &&
         !mfft_fft_has_kinds(s);
}

/* All axes but the slowest, which is a loop of the points that are given. */
static mfft_fft_spec fast_axes(const mfft_fft_spec *s) {
  mfft_fft_spec p = *s;
  const mfft_dim slow = s->axis[0];
  p.naxes--;
  for (int a = 0; a < p.naxes; a++) {
    p.axis[a] = s->axis[a + 1];
    p.given[a] = s->given[a + 1];
  }
  p.given[p.naxes] = 0;
  for (int l = p.nloops++; l > 0; l--) p.loop[l] = p.loop[l - 1];
  p.loop[0] = (mfft_dim){s->given[0] ? s->given[0] : slow.n, slow.is, slow.os};
  return p;
}

/* The slowest axis of the spectrum, in place in its array. */
static mfft_fft_spec slow_axis(const mfft_fft_spec *s, mfft_convolved factors) {
  mfft_fft_spec x = *s;
  x.type = MFFT_FFT_C2C;
  x.naxes = 1;
  x.axis[0].is = s->axis[0].os;
  x.given[1] = x.given[2] = 0;
  x.scale = 1;
  x.in_place = 1;
  x.convolved = factors;
  for (int l = 0; l < x.nloops; l++) x.loop[l].is = x.loop[l].os;
  for (int a = 1; a < s->naxes; a++) x.loop[x.nloops++] = (mfft_dim){mfft_fft_length(s, a, 1), s->axis[a].os, s->axis[a].os};
  return x;
}

int mfft_slow_axis_specs(mfft_plan plan, mfft_convolved factors, mfft_fft_spec spec[3]) {
  const mfft_fft_spec *forward = find_spec(plan, MFFT_FORWARD), *backward = find_spec(plan, MFFT_BACKWARD);
  const mfft_precision precision = plan->desc.precision;
  if (!plan->backend->convolves || plan->desc.batch != 1 || (precision != MFFT_DOUBLE && precision != MFFT_SINGLE) ||
      !is_plain(forward) || !is_plain(backward))
    return 0;
  const int by_filter = factors == MFFT_CONVOLVED_BY_FILTER;
  if (forward->filtered || backward->filtered != (by_filter ? MFFT_FILTER_INPUT : MFFT_FILTER_NONE)) return 0;
  spec[0] = fast_axes(forward);
  spec[1] = slow_axis(forward, factors);
  spec[2] = fast_axes(backward);
  if (by_filter) {
    spec[1].filtered = MFFT_FILTER_BETWEEN;
    spec[1].filter = backward->filter;
  }
  spec[2].filtered = MFFT_FILTER_NONE;
  memset(&spec[2].filter, 0, sizeof spec[2].filter);
  spec[2].destroy_input = !spec[2].in_place; /* the caller needs no spectrum */
  return 1;
}
