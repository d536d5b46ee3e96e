/* phases.c: see phases.h. */
#include "local/cuda/planner/phases.h"

#include <math.h>
#include <string.h>

#include "local/cuda/engines/table.h"
#include "local/cuda/planner/long_lines.h"
#include "local/cuda/planner/parts.h"
#include "local/cuda/planner/preserved_input.h"
#include "local/cuda/planner/slow_reals.h"
#include "local/cuda/planner/trigonometric_phases.h"
#include "local/cuda/tuned/tuned.h"

/* A dimension whose input and output are one array, that of the input or of the output. */
static mfft_dim in_its_place(mfft_dim d, int input) {
  const int64_t stride = input ? d.is : d.os;
  return (mfft_dim){d.n, stride, stride};
}

/* Whether the slowest axis is transformed first, from the input to the output: for dense complex cubes, since memory is
 * faster from one array to another than in place. In single, large planes that are then done in place lose more than that
 * gains (docs/lab/long-axes.md). */
static int slow_moves(const mfft_tuned *tuned, const mfft_fft_spec *s) {
  return s->type == MFFT_FFT_C2C && s->naxes == 3 && !s->wire && !s->filtered && !mfft_fft_pads(s) &&
         (s->precision != MFFT_SINGLE || s->axis[0].n <= tuned->slow_single_most);
}

/* Whether only the first results of an axis are wanted. */
static int crops(const mfft_fft_spec *s) { return mfft_fft_pads(s) && s->direction == MFFT_BACKWARD; }

/* Elements of the slow axis while it is a loop around the others: before it is transformed, or after. */
static int64_t slow_loop(const mfft_fft_spec *s) { return s->given[0] ? s->given[0] : s->axis[0].n; }

/* Bytes that the input spans, without what the transform of the slow axis drops. */
static double input_span(const mfft_fft_spec *s) {
  double last = 0;
  for (int a = 0; a < s->naxes; a++)
    last += (double)((a || !crops(s) ? mfft_complex_extent(s, a) : slow_loop(s)) - 1) * (double)s->axis[a].is;
  for (int l = 0; l < s->nloops; l++) last += (double)(s->loop[l].n - 1) * (double)s->loop[l].is;
  return (last + 1) * (double)mfft_side_bytes(s, 0);
}

/* Whether the slow axis is transformed on the side of the input: before a C2R, and where its results are cropped. */
static int on_input(const mfft_fft_spec *s) { return s->type == MFFT_FFT_C2R || crops(s); }

/* Whether that input must be preserved; and whether its slow axis is then transformed from the input to the workspace, in
 * the same layout: what is cropped, and for dense cubes in double, which are faster by it (docs/lab/long-axes.md). */
static int keeps_input(const mfft_fft_spec *s) { return on_input(s) && !s->destroy_input && !s->in_place; }
static int may_keep(const mfft_tuned *tuned, const mfft_fft_spec *s) {
  if (crops(s)) return 1;
  return s->precision == MFFT_DOUBLE && s->naxes == 3 && !s->wire && input_span(s) <= tuned->parts.most * mfft_spec_bytes(s);
}

/* The slowest axis alone, as complex lines: from the input to the output where it moves, else in place, in the output (or,
 * before a C2R, the input) array. */
static mfft_fft_spec slow_axis(const mfft_fft_spec *s, int moves) {
  mfft_fft_spec x = *s;
  const int input = on_input(s);
  x.type = MFFT_FFT_C2C;
  x.naxes = 1;
  x.given[1] = x.given[2] = 0;
  x.wire = 0; /* it reads what the others left */
  x.scale = s->scale == 1 ? 1 : mfft_scale_share(s, s->axis[0].n);
  for (int a = 1; a < s->naxes; a++)
    x.loop[x.nloops++] = (mfft_dim){mfft_complex_extent(s, a), s->axis[a].is, s->axis[a].os};
  if (moves) return x;
  x.in_place = !keeps_input(s);
  x.axis[0] = in_its_place(x.axis[0], input);
  for (int l = 0; l < x.nloops; l++) x.loop[l] = in_its_place(x.loop[l], input);
  return x;
}

/* The spec of all other axes; the slow axis becomes the innermost loop around them. */
static mfft_fft_spec fast_axes(const mfft_fft_spec *s, int moves) {
  mfft_fft_spec p = *s;
  p.naxes--;
  for (int a = 0; a < p.naxes; a++)
    p.axis[a] = s->axis[a + 1], p.radices[a] = s->radices[a + 1], p.given[a] = s->given[a + 1];
  p.given[p.naxes] = 0;
  p.loop[p.nloops++] = (mfft_dim){slow_loop(s), s->axis[0].is, s->axis[0].os};
  p.scale = s->scale == 1 ? 1 : s->scale / mfft_scale_share(s, s->axis[0].n);
  p.destroy_input |= keeps_input(s); /* it reads the workspace */
  if (!moves) return p;
  p.in_place = 1;
  for (int a = 0; a < p.naxes; a++) p.axis[a] = in_its_place(p.axis[a], 0);
  for (int l = 0; l < p.nloops; l++) p.loop[l] = in_its_place(p.loop[l], 0);
  return p;
}

/* The share of an array that is between the passes of its two fastest axes, and so has to stay in the cache: where the
 * slower of them ends in zeros, or is cropped, only the lines of its given points. */
static double between_share(const mfft_fft_spec *fast) {
  return fast->naxes > 1 && fast->given[0] ? (double)fast->given[0] / (double)fast->axis[0].n : 1;
}

/* Large transforms of several axes as two phases: the fast axes, in parts of planes that stay in the L2 cache, and the slow
 * axis across them, in parts too where it takes several passes. The phase that loads or stores the filtered array multiplies
 * by the filter. */
static mfft_status try_axes(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases) {
  const mfft_tuned *tuned = mfft_tuned_for(limits);
  const double target = mfft_part_target(spec, limits);
  double unit = mfft_spec_bytes(spec);
  for (int l = 0; l < spec->nloops; l++) unit /= (double)spec->loop[l].n;
  int may_split = spec->naxes > (spec->part_bytes < 0 ? 2 : 1) && !spec->scatter.count && spec->nloops <= 2 &&
                  spec->axis[0].n > 1 && (!keeps_input(spec) || may_keep(tuned, spec));
  if (!may_split || unit <= mfft_part_most(spec, limits) || mfft_spec_bytes(spec) < tuned->parts.worth * target)
    return MFFT_SUCCESS;
  const int moves = slow_moves(tuned, spec), first = moves || on_input(spec); /* the slow axis comes first */
  mfft_fft_spec fast = fast_axes(spec, moves), slow = slow_axis(spec, moves);
  if (spec->filtered) (first == (spec->filtered == MFFT_FILTER_INPUT) ? &fast : &slow)->filtered = MFFT_FILTER_NONE;
  mfft_phase *of_fast = &phases->phase[first], *of_slow = &phases->phase[!first];
  const mfft_device_limits wide = mfft_limits_of_slow_axis(limits, &slow);
  MFFT_TRY(mfft_phase_make(&wide, &slow, spec->part_bytes < 0 ? 0 : mfft_part_target(spec, limits), of_slow));
  if (spec->naxes == 2 && !mfft_in_parts(of_slow)) return MFFT_SUCCESS;
  const double share = between_share(&fast);
  MFFT_TRY(mfft_phase_make(limits, &fast, target / share, of_fast));
  if (share < 1 && !mfft_in_parts(of_fast)) MFFT_TRY(mfft_phase_make(limits, &fast, target, of_fast));
  of_fast->share = (double)slow_loop(spec) / (double)spec->axis[0].n;
  of_fast->bytes /= of_fast->share;
  if (moves)
    of_fast->src = MFFT_AT_OUT;
  else if (keeps_input(spec))
    of_slow->dst = of_fast->src = MFFT_AT_WORK;
  else
    of_slow->src = of_slow->dst = first ? MFFT_AT_IN : MFFT_AT_OUT;
  phases->count = 2;
  return MFFT_SUCCESS;
}

/* Makes two phases if a phase can then run in parts that stay in the L2 cache; else one. */
static mfft_status make_phases(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases) {
  if (!mfft_fft_pads(spec) && !spec->convolved) MFFT_TRY(mfft_lines_try(limits, spec, phases));
  if (!phases->count) MFFT_TRY(mfft_preserved_input_try(limits, spec, phases));
  if (!phases->count) MFFT_TRY(mfft_slow_reals_try(limits, spec, phases));
  if (!phases->count) MFFT_TRY(try_axes(limits, spec, phases));
  if (phases->count) return MFFT_SUCCESS;
  phases->count = 1;
  return mfft_phase_make(limits, spec, mfft_part_target(spec, limits), &phases->phase[0]);
}

int mfft_phases_on_tensor_cores(const mfft_phases *phases) {
  for (int i = 0; i < phases->count; i++)
    for (int k = 0; k < phases->phase[i].schedule.count; k++)
      if (mfft_engine_of(&phases->phase[i].schedule.pass[k].kernel)->on_tensor_cores) return 1;
  return 0;
}

/* A plan that asks for tensor cores by name must have a pass on them. */
static mfft_status check_compute(const mfft_phases *phases, const mfft_fft_spec *spec) {
  if (spec->compute != MFFT_COMPUTE_TENSOR || mfft_phases_on_tensor_cores(phases)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "compute is MFFT_COMPUTE_TENSOR and no axis of this transform can be done on tensor cores: they take "
                   "complex lines of 2^4, 2^5, ... elements; use MFFT_COMPUTE_AUTO");
}

mfft_status mfft_phases_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_phases *phases) {
  memset(phases, 0, sizeof *phases);
  phases->tuned = mfft_tuned_for(limits);
  if (mfft_fft_has_kinds(spec)) return mfft_trigonometric_phases(spec, limits, phases);
  MFFT_TRY(make_phases(limits, spec, phases));
  MFFT_TRY(check_compute(phases, spec));
  double between = (double)phases->ends_bytes; /* bytes of the workspace */
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    const int64_t parts = p->parts[0] * p->parts[1];
    const size_t bytes =
        p->schedule.work_bytes * (size_t)(parts > 1 ? 2 : 1); /* streams, each with a workspace of its own */
    if (bytes > phases->work_bytes) phases->work_bytes = bytes;
    if (p->src == MFFT_AT_WORK)
      between = crops(spec) ? input_span(spec) : fmax(mfft_spec_bytes(spec), on_input(spec) ? input_span(spec) : 0);
    phases->launches += p->rows < 2 ? parts * p->schedule.count : 0;
    phases->streams |= parts > 1 || p->beside;
  }
  phases->between_offset_bytes = phases->work_bytes;
  phases->work_bytes += (size_t)between;
  phases->bytes = mfft_spec_bytes(spec);
  return MFFT_SUCCESS;
}
