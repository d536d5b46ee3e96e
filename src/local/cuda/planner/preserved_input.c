/* preserved_input.c: see preserved_input.h. */
#include "local/cuda/planner/preserved_input.h"

#include "local/cuda/planner/parts.h"

/* Whether one array is more than the cache holds: smaller ones run with their workspace in it, a part of the batch at a
 * time. */
static int is_large(const mfft_fft_spec *s, const mfft_device_limits *limits) {
  double arrays = 1;
  for (int l = 0; l < s->nloops; l++) arrays *= (double)s->loop[l].n;
  return s->preserved_between > 0 ||
         mfft_spec_bytes(s) / arrays >
             (arrays > 1 ? mfft_part_most(s, limits) : mfft_part_target(s, limits) / mfft_tuned_for(limits)->parts.share);
}

/* Whether rows of the output are dense, have space for complexes, and lie in the order of the axes and loops, which is that
 * of the ends. */
static int rows_in_order(const mfft_fft_spec *s) {
  int64_t extent = s->axis[s->naxes - 1].n;
  if (s->axis[s->naxes - 1].os != 1 || extent % 2 || extent < 4) return 0;
  for (int i = s->naxes - 2; i >= -s->nloops; i--) {
    const mfft_dim *d = i >= 0 ? &s->axis[i] : &s->loop[s->nloops + i];
    if (d->n == 1) continue;
    if (d->os < extent || d->os % 2) return 0;
    extent = d->os * d->n;
  }
  return 1;
}

static int suits(const mfft_fft_spec *s, const mfft_device_limits *limits) {
  const int preserves = s->type == MFFT_FFT_C2R && !s->in_place && !s->destroy_input && s->preserved_between >= 0;
  const int plain = !s->scatter.count && !s->wire && !s->filtered && !mfft_fft_pads(s) && mfft_real_bytes(s->precision) > 2;
  return preserves && plain && s->naxes > 1 && s->nloops <= 2 && s->axis[0].n > 1 && is_large(s, limits) && rows_in_order(s);
}

/* A dimension of the rows of the output, whose distances count complexes there. */
static mfft_dim of_rows(mfft_dim d) { return (mfft_dim){d.n, d.is, d.os / 2}; }

/* The ends, as complex lines from the input to an array of pairs. */
static mfft_fft_spec ends_of(const mfft_fft_spec *s) {
  mfft_fft_spec x = *s;
  int64_t stride = 2;
  x.type = MFFT_FFT_C2C;
  x.scale = 1;
  x.naxes = s->naxes - 1;
  for (int a = x.naxes - 1; a >= 0; a--) x.axis[a].os = stride, stride *= x.axis[a].n;
  for (int l = x.nloops - 1; l >= 0; l--) x.loop[l].os = stride, stride *= x.loop[l].n;
  x.loop[x.nloops++] = (mfft_dim){2, s->axis[x.naxes].n / 2 * s->axis[x.naxes].is, 1};
  return x;
}

/* The slow axis of the other elements, from the input to the output. */
static mfft_fft_spec slow_of(const mfft_fft_spec *s, int ends) {
  const mfft_dim *last = &s->axis[s->naxes - 1];
  mfft_fft_spec x = *s;
  x.type = MFFT_FFT_C2C;
  x.scale = 1;
  x.naxes = 1;
  x.axis[0] = of_rows(s->axis[0]);
  for (int l = 0; l < s->nloops; l++) x.loop[l] = of_rows(s->loop[l]);
  for (int a = 1; a < s->naxes - 1; a++) x.loop[x.nloops++] = of_rows(s->axis[a]);
  x.loop[x.nloops++] = (mfft_dim){last->n / 2 + 1 - ends, last->is, 1};
  return x;
}

/* The other axes, within the output. */
static mfft_fft_spec fast_of(const mfft_fft_spec *s, int ends) {
  mfft_fft_spec x = *s;
  x.ends = ends;
  x.in_place = 1;
  x.naxes--;
  for (int a = 0; a < x.naxes; a++) x.axis[a] = s->axis[a + 1], x.radices[a] = s->radices[a + 1];
  x.loop[x.nloops++] = s->axis[0];
  for (int a = 0; a < x.naxes - 1; a++) x.axis[a].is = x.axis[a].os / 2;
  for (int l = 0; l < x.nloops; l++) x.loop[l].is = x.loop[l].os / 2;
  x.axis[x.naxes - 1].is = 1;
  return x;
}

/* Whether the last pass takes whole rows, with their ends. */
static int takes_rows(const mfft_schedule *schedule) {
  const mfft_kernel *k = &schedule->pass[schedule->count - 1].kernel;
  return k->engine == MFFT_ENGINE_BUTTERFLY && k->ends && !k->mirror && k->out.form == MFFT_FORM_REAL_PAIR;
}

/* Adds the phases of the rows, without as many ends; *added becomes 0 where rows are not one pass. */
static mfft_status add_rows(const mfft_device_limits *limits, const mfft_fft_spec *spec, int ends, mfft_phases *phases,
                            int *added) {
  const mfft_fft_spec of_slow = slow_of(spec, ends), of_fast = fast_of(spec, ends);
  const mfft_device_limits wide = mfft_limits_of_slow_axis(limits, &of_slow);
  mfft_phase *slow = &phases->phase[phases->count++], *fast = &phases->phase[phases->count++];
  *added =
      mfft_phase_make(limits, &of_fast, mfft_part_target(spec, limits), fast) == MFFT_SUCCESS && takes_rows(&fast->schedule);
  if (!*added) return MFFT_SUCCESS;
  MFFT_TRY(mfft_phase_make(&wide, &of_slow, spec->part_bytes < 0 ? 0 : mfft_part_target(spec, limits), slow));
  slow->joins = phases->phase[0].beside;
  slow->rows = fast->rows = ends;
  slow->src_first_bytes = (ends - 1) * spec->axis[spec->naxes - 1].is * mfft_side_bytes(spec, 0);
  slow->dst = fast->src = MFFT_AT_ROWS;
  return MFFT_SUCCESS;
}

mfft_status mfft_preserved_input_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases) {
  mfft_phase *ends = &phases->phase[0];
  int added = 1;
  if (!suits(spec, limits)) return MFFT_SUCCESS;
  const mfft_fft_spec of_ends = ends_of(spec);
  MFFT_TRY(mfft_phase_make(limits, &of_ends, 0, ends));
  ends->dst = MFFT_AT_WORK;
  ends->beside = !ends->schedule.work_bytes; /* else both phases would use one workspace */
  phases->count = 1;
  for (int without = 1; without <= 2 && added; without++) MFFT_TRY(add_rows(limits, spec, without, phases, &added));
  if (!added) {
    phases->count = 0;
    return MFFT_SUCCESS;
  }
  phases->ends_bytes = 2 * (size_t)mfft_side_bytes(spec, 0);
  for (int a = 0; a < spec->naxes - 1; a++) phases->ends_bytes *= (size_t)spec->axis[a].n;
  for (int l = 0; l < spec->nloops; l++) phases->ends_bytes *= (size_t)spec->loop[l].n;
  return MFFT_SUCCESS;
}
