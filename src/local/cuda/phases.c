/* phases.c: see phases.h. */
#include "local/cuda/phases.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/box.h"
#include "local/cuda/filter.h"
#include "local/cuda/transform.h"

/* ---- Parts ------------------------------------------------------------------------------------------------------------ */

static int64_t side_bytes(const mfft_fft_spec *s, int output) {
  int real = s->type == MFFT_FFT_R2C ? !output : s->type == MFFT_FFT_C2R ? output : 0;
  return (int64_t)mfft_cuda_real_bytes(s->precision) * (real ? 1 : 2);
}

/* Bytes of the complex side, about. */
static double spec_bytes(const mfft_fft_spec *s) {
  double bytes = 2.0 * (double)mfft_cuda_real_bytes(s->precision) / (s->type == MFFT_FFT_C2C ? 1 : 2);
  for (int a = 0; a < s->naxes; a++) bytes *= (double)s->axis[a].n;
  for (int l = 0; l < s->nloops; l++) bytes *= (double)s->loop[l].n;
  return bytes;
}

/* Bytes of both sides: what a pass reads and writes. */
static double moved_bytes(const mfft_fft_spec *s) {
  double bytes = 0;
  for (int output = 0; output < 2; output++) {
    double side = (double)side_bytes(s, output);
    for (int a = 0; a < s->naxes; a++) {
      const int halved = a == s->naxes - 1 && s->type == (output ? MFFT_FFT_R2C : MFFT_FFT_C2R);
      side *= (double)(halved ? s->axis[a].n / 2 + 1 : s->axis[a].n);
    }
    for (int l = 0; l < s->nloops; l++) side *= (double)s->loop[l].n;
    bytes += side;
  }
  return bytes;
}

/* The largest divisor of n that is at most `most`, at least 1. */
static int64_t divisor(int64_t n, int64_t most) {
  if (most >= n) return n;
  for (int64_t d = most; d > 1; d--)
    if (n % d == 0) return d;
  return 1;
}

/* Cuts the loops of `spec`, outermost first, so that a part has about `target` bytes and fits the cache (smaller parts lose
 * more to launches and tails than they gain); the spec becomes that of one part. */
static void cut(mfft_fft_spec *spec, double target, mfft_phase *p) {
  p->parts[0] = p->parts[1] = 1;
  if (spec_bytes(spec) < 4 * target) return;
  mfft_fft_spec whole = *spec;
  int depth = 0;
  for (; depth < 2 && depth < spec->nloops; depth++) {
    double unit = spec_bytes(spec) / (double)spec->loop[depth].n;
    int64_t n = spec->loop[depth].n, most = (int64_t)(target / unit), keep = most < 1 ? 1 : divisor(n, most);
    p->parts[depth] = n / keep;
    p->in_step_bytes[depth] = keep * spec->loop[depth].is * side_bytes(spec, 0);
    p->out_step_bytes[depth] = keep * spec->loop[depth].os * side_bytes(spec, 1);
    for (int s = 0; s < spec->scatter.count; s++)
      p->share_step_bytes[depth][s] = keep * spec->scatter.stride[s][spec->naxes + depth] * side_bytes(spec, 1);
    spec->loop[depth].n = keep;
    if (most >= 1) break;
  }
  double bytes = spec_bytes(spec);
  if (bytes <= 1.3 * target && bytes >= 0.2 * target) return;
  *spec = whole;
  p->parts[0] = p->parts[1] = 1;
}

static int64_t complex_extent(const mfft_fft_spec *s, int axis) {
  return axis == s->naxes - 1 && s->type != MFFT_FFT_C2C ? s->axis[axis].n / 2 + 1 : s->axis[axis].n;
}

/* Makes the phase of a spec.  With `cuttable`, in parts where that helps: where there are passes to keep the data for. */
static mfft_status make_phase(const mfft_device_limits *limits, const mfft_fft_spec *given, int cuttable, mfft_phase *p) {
  mfft_fft_spec spec = *given;
  p->parts[0] = p->parts[1] = 1;
  p->bytes = moved_bytes(given);
  for (int s = 0; s < spec.scatter.count; s++)
    p->share_first_bytes[s] = -mfft_part(complex_extent(&spec, spec.scatter.axis), s, spec.scatter.count) *
                              spec.scatter.stride[s][spec.scatter.axis] * side_bytes(&spec, 1);
  MFFT_TRY(mfft_schedule_make(&spec, limits, &p->schedule));
  if (cuttable && p->schedule.count > 1) {
    cut(&spec, limits->part_bytes, p);
    mfft_device_limits cached = *limits;
    const int in_parts = p->parts[0] * p->parts[1] > 1;
    if (in_parts) cached.segment_bytes = 64;
    MFFT_TRY(mfft_schedule_make(&spec, &cached, &p->schedule));
    if (in_parts) mfft_schedule_in_parts(&spec, &p->schedule);
  }
  if (spec.filtered && !mfft_cuda_fuse_filter(&spec, &p->schedule))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a pass at the end of this transform cannot multiply by a filter");
  return MFFT_SUCCESS;
}

/* ---- Phases ----------------------------------------------------------------------------------------------------------- */

/* The share of the scale that belongs to `n` of all the elements: in 16 bits every axis carries its own, in the others the
 * planes carry it all. */
static double pow_share(const mfft_fft_spec *s, int64_t n) {
  double total = 0;
  if (s->precision == MFFT_DOUBLE || s->precision == MFFT_SINGLE) return 1;
  for (int a = 0; a < s->naxes; a++) total += log((double)s->axis[a].n);
  return pow(s->scale, log((double)n) / total);
}

/* The slowest axis of a 3D transform alone, as complex lines in the output (or, before a C2R, the input) array. */
static mfft_fft_spec slow_axis(const mfft_fft_spec *s) {
  mfft_fft_spec x = *s;
  int input = s->type == MFFT_FFT_C2R;
  x.type = MFFT_FFT_C2C;
  x.naxes = 1;
  x.in_place = 1;
  x.scale = s->scale == 1 ? 1 : pow_share(s, s->axis[0].n);
  x.nloops = 0;
  for (int a = 1; a < 3; a++) {
    int64_t stride = input ? s->axis[a].is : s->axis[a].os;
    x.loop[x.nloops++] = (mfft_dim){complex_extent(s, a), stride, stride};
  }
  for (int l = 0; l < s->nloops; l++) {
    int64_t stride = input ? s->loop[l].is : s->loop[l].os;
    x.loop[x.nloops++] = (mfft_dim){s->loop[l].n, stride, stride};
  }
  int64_t stride = input ? s->axis[0].is : s->axis[0].os;
  x.axis[0] = (mfft_dim){s->axis[0].n, stride, stride};
  x.radices[0] = s->radices[0];
  return x;
}

/* The planes of a 3D transform; the slow axis becomes a loop inside the others. */
static mfft_fft_spec planes(const mfft_fft_spec *s) {
  mfft_fft_spec p = *s;
  p.naxes = 2;
  p.axis[0] = s->axis[1];
  p.axis[1] = s->axis[2];
  p.radices[0] = s->radices[1];
  p.radices[1] = s->radices[2];
  p.loop[p.nloops++] = s->axis[0];
  p.scale = s->scale == 1 ? 1 : s->scale / pow_share(s, s->axis[0].n);
  return p;
}

/* One phase, or for large 3D transforms two: planes in parts that stay in cache, and the axis across them.  The one
 * that meets the filtered array multiplies. */
static mfft_status make_phases(const mfft_device_limits *limits, const mfft_fft_spec *spec, mfft_phases *phases) {
  const double target = limits->part_bytes;
  double unit = spec_bytes(spec);
  for (int l = 0; l < spec->nloops; l++) unit /= (double)spec->loop[l].n;
  int may_split = spec->naxes == 3 && !spec->scatter.count && spec->nloops <= 2 && spec->axis[0].n > 1 &&
                  (spec->type != MFFT_FFT_C2R || spec->destroy_input || spec->in_place);
  if (!may_split || unit <= 1.3 * target || spec_bytes(spec) < 4 * target) {
    phases->count = 1;
    return make_phase(limits, spec, 1, &phases->phase[0]);
  }
  mfft_fft_spec in_plane = planes(spec), across = slow_axis(spec);
  int first = spec->type == MFFT_FFT_C2R; /* the slow axis comes first */
  if (spec->filtered) (first == (spec->filtered == MFFT_FILTER_INPUT) ? &in_plane : &across)->filtered = MFFT_FILTER_NONE;
  phases->count = 2;
  phases->phase[!first].from_out = !first;
  phases->phase[0].to_in = first;
  MFFT_TRY(make_phase(limits, &in_plane, 1, &phases->phase[first]));
  return make_phase(limits, &across, 0, &phases->phase[!first]);
}

/* A plan that asks for tensor cores by name must have a pass on them. */
static mfft_status check_compute(const mfft_phases *phases, const mfft_fft_spec *spec) {
  if (spec->compute != MFFT_COMPUTE_TENSOR) return MFFT_SUCCESS;
  for (int i = 0; i < phases->count; i++)
    for (int k = 0; k < phases->phase[i].schedule.count; k++) {
      mfft_engine engine = phases->phase[i].schedule.pass[k].kernel.engine;
      if (engine == MFFT_ENGINE_TENSOR || engine == MFFT_ENGINE_SPLIT || engine == MFFT_ENGINE_RESIDENT) return MFFT_SUCCESS;
    }
  return mfft_fail(MFFT_ERR_UNSUPPORTED,
                   "compute is MFFT_COMPUTE_TENSOR and no axis of this transform can be done on tensor cores: they take "
                   "complex lines of 2^4, 2^5, ... elements; use MFFT_COMPUTE_AUTO");
}

mfft_status mfft_phases_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_phases *phases) {
  memset(phases, 0, sizeof *phases);
  MFFT_TRY(make_phases(limits, spec, phases));
  MFFT_TRY(check_compute(phases, spec));
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    const int64_t parts = p->parts[0] * p->parts[1];
    const size_t bytes =
        p->schedule.work_bytes * (size_t)(parts > 1 ? 2 : 1); /* streams, each with a workspace of its own */
    if (bytes > phases->work_bytes) phases->work_bytes = bytes;
    phases->launches += parts * p->schedule.count;
    phases->streams |= parts > 1;
  }
  phases->bytes = spec_bytes(spec);
  return MFFT_SUCCESS;
}

/* ---- What a transform should take ------------------------------------------------------------------------------------- */

/* Measured on one H200 (docs/performance.md), but resident tiles, which are taken for other tensor cores' passes: bytes that
 * a copy reads and writes in a second; how much longer than a copy a pass of an engine takes; what a pass takes that finds
 * its data in the cache and leaves it there; and a launch. */
static const double copy_speed = 4.2e12, in_cache = 0.84, launch_seconds = 2e-6;
static const double pass_cost[MFFT_ENGINES] = {
    [MFFT_ENGINE_BUTTERFLY] = 1.03, [MFFT_ENGINE_TENSOR] = 1.3, [MFFT_ENGINE_SPLIT] = 1.5,
    [MFFT_ENGINE_CLUSTER] = 1.5,    [MFFT_ENGINE_REAL] = 1.05,  [MFFT_ENGINE_RESIDENT] = 1.3};

static void add_estimate(const mfft_phases *phases, int *passes, double *bytes, double *seconds) {
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    const int in_parts = p->parts[0] * p->parts[1] > 1;
    for (int k = 0; k < p->schedule.count; k++) {
      const double time = p->bytes * pass_cost[p->schedule.pass[k].kernel.engine] / copy_speed;
      *seconds += in_parts && k > 0 ? in_cache * time : time;
      *bytes += p->bytes;
      *passes += 1;
    }
  }
  *seconds = fmax(*seconds, launch_seconds * (double)phases->launches);
}

void mfft_phases_print(const mfft_phases *phases, char *text, size_t size) {
  int passes = 0;
  double bytes = 0, seconds = 0;
  size_t used = (size_t)snprintf(text, size, "cuda: ");
  for (int i = 0; i < phases->count && used < size; i++) {
    const mfft_phase *p = &phases->phase[i];
    int64_t parts = p->parts[0] * p->parts[1];
    if (i) used += (size_t)snprintf(text + used, size - used, ", then ");
    if (parts > 1 && used < size) used += (size_t)snprintf(text + used, size - used, "%lld parts of ", (long long)parts);
    if (used < size) mfft_schedule_print(&p->schedule, text + used, size - used);
    used += strlen(text + (used < size ? used : size ? size - 1 : 0));
  }
  add_estimate(phases, &passes, &bytes, &seconds);
  if (used < size)
    snprintf(text + used, size - used, "; %d pass%s, %.3g MB, about %.3g ms on an H200", passes, passes == 1 ? "" : "es",
             1e-6 * bytes, 1e3 * seconds);
}
