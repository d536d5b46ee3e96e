/* slow_reals.c: see slow_reals.h. */
#include "local/cuda/planner/slow_reals.h"

#include "base/primes.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/parts.h"

enum { AXES = 3 };

/* Whether the dimensions are in order, slow to fast, with contiguous rows, and a row of the output has space for the given
 * points as complexes. */
static int in_order(const mfft_fft_spec *s) {
  const mfft_dim *x = s->axis;
  return x[2].os == 1 && x[1].os >= x[2].n / 2 + 1 && x[1].os >= mfft_fft_length(s, 2, 0) && x[0].os >= x[1].n * x[1].os &&
         x[2].is == 1 && x[1].is > 1 && x[0].is > x[1].is;
}

/* Whether what is between the phases is less than with the rows first, by the share that pays for shorter rows. */
static int moves_less(const mfft_fft_spec *s) {
  double rows_first = (double)s->axis[0].n * (double)s->axis[1].n * (double)s->axis[2].n, slow_first = rows_first;
  if (s->given[0]) rows_first *= (double)s->given[0] / (double)s->axis[0].n;
  for (int a = 1; a < AXES; a++)
    if (s->given[a]) slow_first *= (double)s->given[a] / (double)s->axis[a].n;
  return 4 * slow_first <= 3 * rows_first;
}

static int suits(const mfft_device_limits *limits, const mfft_fft_spec *s) {
  const size_t least = (size_t)mfft_tuned_for(limits)->parts.slow_real_bytes;
  if (s->type != MFFT_FFT_R2C || s->naxes != AXES || !mfft_fft_pads(s) || s->in_place || s->part_bytes < 0) return 0;
  if (s->scatter.count || s->wire || s->filtered || s->compute == MFFT_COMPUTE_TENSOR ||
      mfft_real_bytes(s->precision) < least)
    return 0;
  for (int a = 0; a < AXES; a++)
    if (s->radices[a] || s->axis[a].n < 4 || mfft_rest_of_length(s->axis[a].n) > 1) return 0;
  for (int l = 0; l < s->nloops; l++)
    if (s->loop[l].n != 1) return 0;
  return s->axis[0].n % 2 == 0 && s->axis[2].n % 2 == 0 && in_order(s) && moves_less(s);
}

/* The slow axis: reals from the input, with the given points of the other axes as loops, to half a spectrum in the output.
 */
static mfft_fft_spec slow_axis(const mfft_fft_spec *s) {
  mfft_fft_spec x = *s;
  x.naxes = 1;
  x.nloops = 0;
  for (int a = 1; a < AXES; a++) {
    x.loop[x.nloops++] = (mfft_dim){mfft_fft_length(s, a, 0), s->axis[a].is, s->axis[a].os};
    x.given[a] = 0;
  }
  return x;
}

/* The transform of `count` planes of that half spectrum from plane `first` on, in place. */
static mfft_fft_spec planes_of(const mfft_fft_spec *s, int64_t first, int64_t count) {
  mfft_fft_spec x = *s;
  x.type = MFFT_FFT_C2C;
  x.scale = 1;
  x.in_place = 1;
  x.naxes = AXES - 1;
  for (int a = 0; a < x.naxes; a++) {
    x.axis[a] = (mfft_dim){s->axis[a + 1].n, s->axis[a + 1].os, s->axis[a + 1].os};
    x.given[a] = s->given[a + 1] ? s->given[a + 1] : s->axis[a + 1].n;
  }
  x.given[x.naxes] = 0;
  x.nloops = 1;
  x.loop[0] = (mfft_dim){count, s->axis[0].os, s->axis[0].os};
  x.mirrored_planes.n = s->axis[0].n;
  x.mirrored_planes.stride = s->axis[0].os;
  x.mirrored_planes.first = first;
  return x;
}

/* Whether a phase could be made; a transform of several passes an axis takes another order. */
static int make(const mfft_device_limits *limits, const mfft_fft_spec *spec, double target, int passes, mfft_phase *p) {
  return mfft_phase_make(limits, spec, target, p) == MFFT_SUCCESS && p->schedule.count == passes && !p->schedule.work_bytes;
}

mfft_status mfft_slow_reals_try(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases) {
  mfft_phase *slow = &phases->phase[0], *last = &phases->phase[1], *planes = &phases->phase[2];
  const double target = mfft_part_target(spec, limits);
  if (!suits(limits, spec) || mfft_spec_bytes(spec) < mfft_tuned_for(limits)->parts.worth * target) return MFFT_SUCCESS;
  const int64_t half = spec->axis[0].n / 2;
  const mfft_fft_spec of_slow = slow_axis(spec), of_last = planes_of(spec, half, 1), of_planes = planes_of(spec, 0, half);
  const double share = (double)of_planes.given[1] / (double)of_planes.axis[1].n; /* of a plane, between its axes */
  if (!make(limits, &of_slow, 0, 1, slow) || !make(limits, &of_last, 0, AXES - 1, last) ||
      !make(limits, &of_planes, target / share, AXES - 1, planes) || !mfft_in_parts(planes))
    return MFFT_SUCCESS;
  last->src = last->dst = planes->src = planes->dst = MFFT_AT_OUT;
  last->src_first_bytes = last->dst_first_bytes = half * spec->axis[0].os * mfft_side_bytes(spec, 1);
  last->beside = 1;
  planes->joins = 1;
  phases->count = 3;
  return MFFT_SUCCESS;
}
