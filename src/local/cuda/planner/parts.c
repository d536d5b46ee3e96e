/* parts.c: see parts.h. */
#include "local/cuda/planner/parts.h"

#include <math.h>

#include "base/box.h"
#include "local/cuda/planner/filter_fusion.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/schedule.h"

/* The largest divisor of n that is a multiple of `unit` and at most `most`; where there is none, the least that is more.
 * Where n is no multiple of the unit: the largest divisor from the unit to `most`, or n. */
static int64_t divisor(int64_t n, int64_t most, int64_t unit) {
  const int64_t step = n % unit ? 1 : unit;
  if (most >= n) return n;
  for (int64_t d = most / step * step; d >= unit; d -= step)
    if (n % d == 0) return d;
  return n % unit ? n : unit;
}

/* Lines that fill a segment of memory, if those of a loop are neighbours. */
static int64_t segment(const mfft_fft_spec *s, int loop) {
  const int adjacent = s->loop[loop].is == 1 || s->loop[loop].os == 1;
  return adjacent ? MFFT_CACHE_LINE_BYTES / mfft_side_bytes(s, s->type == MFFT_FFT_R2C) : 1;
}

/* The least number of indices of a loop that a part has: neighbours that fill a segment, and two real lines that are
 * transformed together (bluestein.h). */
static int64_t unit_of(const mfft_fft_spec *s, int loop) {
  const int64_t neighbours = segment(s, loop), n = s->axis[0].n;
  const int pairs = s->type != MFFT_FFT_C2C && s->naxes == 1 && n % 2 && mfft_rest_of_length(n) > 1;
  return pairs && neighbours < 2 && s->loop[loop].n > 1 ? 2 : neighbours;
}

/* Elements from one index of a loop to the next in an array of the ends of half spectra. */
static int64_t ends_stride(const mfft_fft_spec *s, int loop) {
  int64_t stride = 2;
  for (int a = 0; a < s->naxes - 1; a++) stride *= s->axis[a].n;
  for (int l = loop + 1; l < s->nloops; l++) stride *= s->loop[l].n;
  return stride;
}

/* The least number of indices of a loop that a part has if parts are unequal: where rows of neighbours do not begin at a
 * segment, each part accesses one segment more. */
static int64_t least_of_unequal(const mfft_fft_spec *s, int loop) {
  enum { LEAST_SEGMENTS = 4 };
  const int64_t neighbours = segment(s, loop);
  return neighbours > 1 && s->loop[loop].n % neighbours ? LEAST_SEGMENTS * neighbours : 1;
}

static int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

/* A division of n indices of a loop: `keep` to a part, and `rest` in the last one; 0: as in the others. */
typedef struct division {
  int64_t keep, rest;
} division;

/* Parts of at most `most` indices, multiples of `unit`.  If equal parts would have more than that, or fewer by more than an
 * eighth than almost equal shares of as few parts as can be, there are such shares, if they have `least` indices and more;
 * least 0: they are not allowed. */
static division divide(int64_t n, int64_t most, int64_t unit, int64_t least) {
  const int64_t equal = divisor(n, most < 1 ? 1 : most, unit), count = most < unit ? 0 : ceil_div(n, most / unit * unit);
  if (!least || !count || n <= most) return (division){equal, 0};
  int64_t keep = ceil_div(ceil_div(n, count), unit) * unit;
  if (keep < least || (equal <= most && 8 * equal >= 7 * keep)) return (division){equal, 0};
  for (int64_t fewer = keep; 4 * fewer >= 3 * keep; fewer -= unit) /* a last part of few lines has other kernels */
    if (n % fewer == 0 || 2 * (n % fewer) >= fewer) {
      keep = fewer;
      break;
    }
  return (division){keep, n % keep};
}

/* Cuts the loops of `spec`, outermost first, into parts of about `target` bytes that consist of whole segments of memory;
 * the spec becomes that of one part.  Smaller parts lose more to launches, and to multiprocessors that are idle at the end
 * of a launch, than they gain.  If no division suits, the spec is unchanged and the phase has one part.  *last: the spec of
 * the last part where that has fewer lines, which is so only if `uneven`. */
static void cut(const mfft_tuned_parts *tuned, mfft_fft_spec *spec, double target, int uneven, mfft_phase *p,
                mfft_fft_spec *last) {
  p->parts[0] = p->parts[1] = 1;
  p->uneven = 0;
  if (mfft_spec_bytes(spec) < tuned->worth * target) return;
  mfft_fft_spec whole = *spec;
  double room = 0; /* most bytes of a part */
  for (int depth = 0; depth < 2 && depth < spec->nloops; depth++) {
    const int64_t n = spec->loop[depth].n, most = (int64_t)(target / mfft_spec_bytes(spec) * (double)n);
    const division d = divide(n, most, unit_of(spec, depth), uneven ? least_of_unequal(spec, depth) : 0);
    room = (segment(spec, depth) > 1 ? tuned->most : tuned->whole) * target;
    const int64_t keep = d.keep;
    p->parts[depth] = ceil_div(n, keep);
    p->in_step_bytes[depth] = keep * spec->loop[depth].is * mfft_side_bytes(spec, 0);
    p->out_step_bytes[depth] = keep * spec->loop[depth].os * mfft_side_bytes(spec, 1);
    p->ends_step_bytes[depth] = spec->ends ? keep * ends_stride(spec, depth) * mfft_side_bytes(spec, 0) : 0;
    p->twiddle_step[depth] = spec->twiddle_loop == depth + 1 || spec->mirrored_planes.n ? keep : 0;
    for (int s = 0; s < spec->scatter.count; s++)
      p->share_step_bytes[depth][s] = keep * spec->scatter.stride[s][spec->naxes + depth] * mfft_share_bytes(spec);
    spec->loop[depth].n = keep;
    if (d.rest) {
      p->uneven = depth + 1;
      *last = *spec;
      last->loop[depth].n = d.rest;
      last->in_pairs = 1;
      last->rest.here = d.rest, last->rest.usual = keep;
    }
    if (most >= 1) break;
  }
  double bytes = mfft_spec_bytes(spec);
  if (bytes <= room && bytes >= tuned->least * target) return;
  *spec = whole;
  p->parts[0] = p->parts[1] = 1;
  p->uneven = 0;
}

mfft_device_limits mfft_limits_of_slow_axis(const mfft_device_limits *limits, const mfft_fft_spec *slow) {
  const mfft_tuned *tuned = mfft_tuned_for(limits);
  mfft_device_limits wide = *limits;
  if (slow->axis[0].n * tuned->wide_bytes <= tuned->wide_tile_bytes && mfft_real_bytes(slow->precision) > 2)
    wide.segment_bytes = tuned->wide_bytes;
  return wide;
}

double mfft_part_target(const mfft_fft_spec *s, const mfft_device_limits *limits) {
  return s->part_bytes > 0 ? (double)s->part_bytes : (double)limits->part_bytes * mfft_tuned_for(limits)->parts.share;
}

double mfft_part_most(const mfft_fft_spec *s, const mfft_device_limits *limits) {
  const mfft_tuned_parts *tuned = &mfft_tuned_for(limits)->parts;
  return mfft_part_target(s, limits) * (s->naxes > 2 ? tuned->most : tuned->whole);
}

/* Makes the passes of the last part, with fewer lines.  They must merge these as the other parts do, so that equal lines
 * have equal results in all of them.  Returns whether they do. */
static int make_rest(const mfft_device_limits *cached, const mfft_fft_spec *last, mfft_phase *p) {
  mfft_schedule rest;
  if (mfft_schedule_make(last, cached, &rest) != MFFT_SUCCESS) return 0;
  mfft_schedule_in_parts(&mfft_tuned_for(cached)->parts, last, &rest);
  if (rest.count != p->schedule.count || rest.count > MFFT_MAX_REST_PASSES) return 0;
  if (last->filtered && !mfft_filter_fuse(last, &rest)) return 0;
  for (int i = 0; i < rest.count; i++) {
    const mfft_kernel *a = &rest.pass[i].kernel, *b = &p->schedule.pass[i].kernel;
    if (a->engine != b->engine || a->chain.n != b->chain.n || !mfft_same_merges(a, b)) return 0;
    p->rest[i] = rest.pass[i];
  }
  return 1;
}

/* Cuts a phase of several passes into parts, where it then still has several. */
static mfft_status try_parts(const mfft_device_limits *limits, mfft_fft_spec *spec, double target, mfft_phase *p) {
  const mfft_device_limits cached = mfft_limits_in_cache(limits);
  const mfft_tuned_parts *tuned = &mfft_tuned_for(limits)->parts;
  const mfft_fft_spec whole = *spec;
  mfft_fft_spec last;
  for (int uneven = 1; uneven >= 0; uneven--) {
    *spec = whole;
    cut(tuned, spec, target, uneven, p, &last);
    if (!mfft_in_parts(p)) continue;
    MFFT_TRY(mfft_schedule_make(spec, &cached, &p->schedule));
    if (p->schedule.count < 2) break;
    mfft_schedule_in_parts(tuned, spec, &p->schedule);
    if (!p->uneven || make_rest(&cached, &last, p)) return MFFT_SUCCESS;
  }
  *spec = whole;
  p->parts[0] = p->parts[1] = 1;
  p->uneven = 0;
  return mfft_schedule_make(spec, limits, &p->schedule);
}

/* The schedule of an array that the cache holds, by sectors of the cache instead of lines of memory where that saves a pass:
 * a block then holds longer columns, fewer of them side by side. */
static mfft_status try_sectors(const mfft_device_limits *limits, const mfft_fft_spec *spec, double target, mfft_phase *p) {
  const mfft_device_limits cached = mfft_limits_in_cache(limits);
  mfft_schedule by_sectors;
  if (mfft_in_parts(p) || mfft_tuned_for(limits)->parts.share * mfft_spec_bytes(spec) > target) return MFFT_SUCCESS;
  MFFT_TRY(mfft_schedule_make(spec, &cached, &by_sectors));
  if (by_sectors.count < p->schedule.count) p->schedule = by_sectors;
  return MFFT_SUCCESS;
}

/* Bytes of the array over those of its padded lines (bluestein.h), which the cache holds in its place; 1 if padded lines are
 * not longer. */
static double padding_share(const mfft_fft_spec *spec, const mfft_schedule *schedule) {
  const double bytes = mfft_spec_bytes(spec),
               padded = (double)(schedule->padded_offset_bytes[1] - schedule->padded_offset_bytes[0]);
  return padded > bytes ? bytes / padded : 1;
}

mfft_status mfft_phase_make(const mfft_device_limits *limits, const mfft_fft_spec *given, double target, mfft_phase *p) {
  mfft_fft_spec spec = *given;
  *p = (mfft_phase){.src = MFFT_AT_IN, .dst = MFFT_AT_OUT, .parts = {1, 1}, .bytes = mfft_moved_bytes(given), .share = 1};
  for (int s = 0; s < spec.scatter.count; s++)
    p->share_first_bytes[s] = -mfft_part(mfft_complex_extent(&spec, spec.scatter.axis), s, spec.scatter.count) *
                              spec.scatter.stride[s][spec.scatter.axis] * mfft_share_bytes(&spec);
  MFFT_TRY(mfft_schedule_make(&spec, limits, &p->schedule));
  if (target > 0 && p->schedule.count > 1) {
    const double room = target * padding_share(given, &p->schedule);
    MFFT_TRY(try_parts(limits, &spec, room, p));
    MFFT_TRY(try_sectors(limits, &spec, room, p));
  }
  if (spec.filtered && !mfft_filter_fuse(&spec, &p->schedule))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a pass at the end of this transform cannot multiply by a filter");
  return MFFT_SUCCESS;
}

double mfft_scale_share(const mfft_fft_spec *s, int64_t n) {
  double total = 0;
  if (s->precision == MFFT_DOUBLE || s->precision == MFFT_SINGLE) return 1;
  for (int a = 0; a < s->naxes; a++) total += log((double)s->axis[a].n);
  return pow(s->scale, log((double)n) / total);
}
