/* trigonometric_steps.c: see trigonometric_steps.h. */
#include "local/cuda/planner/trigonometric_steps.h"
#include "local/cuda/planner/schedule.h"

#include <math.h>
#include <string.h>

#include "base/cache_line.h"
#include "base/trigonometric.h"
#include "local/cuda/planner/parts.h"

/* ---- Axes ------------------------------------------------------------------------------------------------------------ */

static void add_loop(mfft_trigonometric_axis *x, mfft_dim dim) {
  if (dim.n == 1) return;
  int at = x->loops++;
  for (; at > 0 && x->loop[at - 1].os > dim.os; at--) x->loop[at] = x->loop[at - 1];
  x->loop[at] = dim;
}

/* Loops that together are one. */
static void merge_loops(mfft_trigonometric_axis *x) {
  int joined = 0;
  for (int l = 1; l < x->loops; l++) {
    mfft_dim *inner = &x->loop[joined];
    const mfft_dim outer = x->loop[l];
    if (outer.is == inner->n * inner->is && outer.os == inner->n * inner->os)
      inner->n *= outer.n;
    else
      x->loop[++joined] = outer;
  }
  if (x->loops) x->loops = joined + 1;
}

/* The precision of lines in the workspace: that of the arithmetic, which is single for 16-bit arrays. */
static mfft_precision working_precision(const mfft_fft_spec *s) {
  return s->precision == MFFT_DOUBLE ? MFFT_DOUBLE : MFFT_SINGLE;
}

/* Bytes of an area that holds a line. */
static size_t line_bytes(const mfft_fft_spec *s, const mfft_trigonometric_dft *d, int output) {
  return (size_t)(output ? d->out : d->in) * (size_t)mfft_fft_parts(d->type, output) * mfft_real_bytes(working_precision(s));
}

/* How many lines a piece has: so many that its areas take what a part of an array may take of the L2 cache, and whole
 * segments of memory. */
static int64_t choose_piece(const mfft_fft_spec *s, const mfft_trigonometric_axis *x, const mfft_device_limits *limits) {
  const int64_t target = s->part_bytes > 0 ? s->part_bytes : limits->part_bytes;
  const int64_t unit = x->by_line ? 128 / (int64_t)mfft_real_bytes(s->precision) : 1;
  int64_t piece = target / (int64_t)line_bytes(s, &x->dft, 0) / unit * unit;
  if (piece < unit) piece = unit;
  if (piece >= x->lines) return x->lines;
  const int64_t pieces = (x->lines + piece - 1) / piece, even = (x->lines + pieces - 1) / pieces;
  return (even + unit - 1) / unit * unit;
}

/* The DFT of so many lines in the workspace. */
static mfft_fft_spec dft_of_lines(const mfft_fft_spec *s, const mfft_trigonometric_axis *x, int64_t lines) {
  const mfft_trigonometric_dft *d = &x->dft;
  mfft_fft_spec c = *s; /* how, from the spec */
  const mfft_direction direction = d->type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  c.type = d->type;
  c.direction = direction;
  c.precision = working_precision(s);
  c.scale = x->scale;
  c.naxes = 1;
  c.nloops = 1;
  c.kind[0] = MFFT_DFT;
  c.axis[0] = (mfft_dim){d->length, x->by_line ? x->piece : 1, x->by_line ? x->piece : 1};
  c.loop[0] = (mfft_dim){lines, x->by_line ? 1 : d->in, x->by_line ? 1 : d->out};
  c.in_place = d->type == MFFT_FFT_C2C;
  c.destroy_input = !c.in_place;
  c.radices[0] = NULL;
  return c;
}

/* The DFT of all lines, in the array. */
static mfft_fft_spec dft_of_array(const mfft_fft_spec *s, const mfft_trigonometric_axis *x) {
  mfft_fft_spec c = dft_of_lines(s, x, 1);
  c.precision = s->precision;
  c.trigonometric = x->kind;
  c.axis[0] = (mfft_dim){x->dft.length, x->dim.is, x->dim.os};
  c.nloops = x->loops;
  for (int l = 0; l < x->loops; l++) c.loop[l] = x->loop[x->loops - 1 - l]; /* outer to inner */
  c.in_place = x->in_place;
  c.destroy_input = 0;
  return c;
}

/* The loop along which the two lines of a pair are neighbours: the one of nearest lines with an even count; -1: none. */
static int pair_loop(const mfft_trigonometric_axis *x) {
  for (int l = 0; l < x->loops && mfft_trigonometric_pairs(x->kind); l++)
    if (x->loop[l].n % 2 == 0) return l;
  return -1;
}

/* The DFT of all lines, in the array, in pairs. */
static mfft_fft_spec dft_of_pairs(const mfft_fft_spec *s, const mfft_trigonometric_axis *x, int l) {
  mfft_fft_spec c = dft_of_array(s, x);
  mfft_dim *loop = &c.loop[x->loops - 1 - l];
  const int64_t n = x->dim.n;
  c.direction = x->dft.type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  c.type = MFFT_FFT_C2C;
  c.axis[0].n = n;
  c.line_pair[0] = loop->is;
  c.line_pair[1] = loop->os;
  *loop = (mfft_dim){loop->n / 2, 2 * loop->is, 2 * loop->os};
  return c;
}

/* Whether that is one pass. */
static int is_one_pass(const mfft_fft_spec *spec, const mfft_device_limits *limits) {
  mfft_schedule schedule;
  return mfft_schedule_make(spec, limits, &schedule) == MFFT_SUCCESS && schedule.count == 1;
}

static void make_axis(const mfft_fft_spec *s, const mfft_device_limits *limits, mfft_trigonometric_axis *x) {
  merge_loops(x);
  x->dft = mfft_trigonometric_dft_of(x->kind, x->dim.n);
  x->lines = 1;
  for (int l = 0; l < x->loops; l++) x->lines *= x->loop[l].n;
  if (x->lines == 0) return;
  if (x->loops <= MFFT_MAX_LOOPS) {
    const int l = pair_loop(x);
    if (l >= 0) {
      x->spec[0] = dft_of_pairs(s, x, l);
      x->fused = is_one_pass(&x->spec[0], limits);
      if (x->fused) return;
    }
    x->spec[0] = dft_of_array(s, x);
    x->fused = is_one_pass(&x->spec[0], limits);
    if (x->fused) return;
  }
  x->by_line = x->loops && x->loop[0].os < x->dim.os;
  x->piece = choose_piece(s, x, limits);
  for (int output = 0; output < 2; output++)
    x->area_bytes[output] = mfft_whole_lines((size_t)x->piece * line_bytes(s, &x->dft, output));
  if (x->dft.type == MFFT_FFT_C2C) x->area_bytes[1] = 0;
  x->spec[0] = dft_of_lines(s, x, x->piece);
  x->spec[1] = dft_of_lines(s, x, x->lines % x->piece);
}

/* ---- Steps ----------------------------------------------------------------------------------------------------------- */

/* The DFTs of a spec, with the other axes as loops. */
static void take_dfts(const mfft_fft_spec *s, mfft_fft_spec *c) {
  *c = *s;
  c->naxes = 0;
  for (int a = 0; a < s->naxes; a++) {
    if (s->kind[a] != MFFT_DFT) {
      if (s->axis[a].n > 1) c->loop[c->nloops++] = s->axis[a];
      continue;
    }
    c->kind[c->naxes] = MFFT_DFT;
    c->radices[c->naxes] = s->radices[a];
    c->axis[c->naxes++] = s->axis[a];
  }
  for (int a = c->naxes; a < 3; a++) c->kind[a] = MFFT_DFT, c->radices[a] = NULL;
}

/* One axis with all others as loops, in numbers of the output, or of both sides if it is `alone`. */
static void take_axis(const mfft_fft_spec *s, int axis, int alone, mfft_trigonometric_axis *x) {
  const int parts = mfft_fft_parts(s->type, 1);
  memset(x, 0, sizeof *x);
  x->kind = s->kind[axis];
  x->in_place = !alone || s->in_place;
  if (parts > 1) add_loop(x, (mfft_dim){parts, 1, 1});
  for (int d = 0; d < s->naxes + s->nloops; d++) {
    mfft_dim dim = d < s->naxes ? s->axis[d] : s->loop[d - s->naxes];
    if (d < s->naxes) dim.n = mfft_fft_length(s, d, 1);
    dim.is = parts * (alone ? dim.is : dim.os);
    dim.os *= parts;
    if (d == axis)
      x->dim = dim;
    else
      add_loop(x, dim);
  }
}

/* Divides the scale among the steps.  In 16 bits each axis has a share by the logarithm of its length, by which it makes
 * numbers grow, since numbers between the steps must not overflow; otherwise the last step has all of it. */
static void share_scale(const mfft_fft_spec *s, mfft_trigonometric_steps *steps) {
  const int all_last = s->precision == MFFT_DOUBLE || s->precision == MFFT_SINGLE;
  double total = 0;
  for (int a = 0; a < s->naxes; a++) total += log((double)mfft_axis_points(s->kind[a], s->axis[a].n));
  double left = 1;
  for (int i = 0; i < steps->axes; i++) {
    mfft_trigonometric_axis *x = &steps->axis[i];
    const double share = log((double)mfft_axis_points(x->kind, x->dim.n)) / total;
    x->scale = all_last ? 1 : pow(s->scale, share);
    left *= x->scale;
  }
  if (!steps->has_dfts || all_last)
    steps->axis[steps->axes - 1].scale *= s->scale / left;
  else
    steps->dfts.scale = s->scale / left;
  if (all_last) steps->dfts.scale = 1;
}

/* The first `most` axes of cosines or sines, the fastest first. */
static void take_axes(const mfft_fft_spec *s, int most, mfft_trigonometric_steps *steps) {
  int count = 0;
  for (int a = s->naxes - 1; a >= 0 && count < most; a--) {
    if (s->kind[a] == MFFT_DFT) continue;
    const double scale = steps->axis[count].scale;
    take_axis(s, a, !steps->has_dfts && !count, &steps->axis[count]);
    steps->axis[count++].scale = scale;
  }
  if (count > steps->axes) steps->axes = count;
}

/* The dimension that is cut into parts, and the group of axes that run part by part: the batch for all axes, or the axis
 * that runs last for the others. */
typedef struct cut {
  mfft_dim *dim;
  int axes;
} cut;

static cut choose_cut(mfft_fft_spec *s, const mfft_trigonometric_steps *steps) {
  mfft_dim *outermost = NULL;
  int at = 0, last = 0;
  while (s->kind[last] == MFFT_DFT) last++;
  for (int d = 0; d < s->naxes + s->nloops; d++) {
    mfft_dim *dim = d < s->naxes ? &s->axis[d] : &s->loop[d - s->naxes];
    if (dim->n == 1 || (outermost && outermost->os >= dim->os)) continue;
    outermost = dim;
    at = d;
  }
  return (cut){outermost, !outermost ? 0 : at >= s->naxes ? steps->axes : at == last ? steps->axes - 1 : 0};
}

/* Lets axes of one part follow each other while it is in the cache, where they are fused and parts have a good size. */
static void try_group(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_trigonometric_steps *steps) {
  const mfft_tuned_parts *tuned = &mfft_tuned_for(limits)->parts;
  const double target = mfft_part_target(spec, limits);
  const int parts = mfft_fft_parts(spec->type, 1), bytes = (int)mfft_real_bytes(spec->precision);
  mfft_fft_spec s = *spec;
  const cut of = choose_cut(&s, steps);
  double all = bytes * (double)steps->axis[0].dim.n * (double)steps->axis[0].lines;
  if (of.axes < 2 || spec->part_bytes < 0 || all < tuned->worth * target) return;
  const int64_t whole = of.dim->n;
  int64_t keep = (int64_t)(target / (all / (double)whole));
  if (keep >= whole) return;
  while (keep > 1 && whole % keep) keep--;
  if (keep < 1 || (double)keep * all / (double)whole < tuned->least * target) return;
  mfft_trigonometric_steps grouped = *steps;
  const mfft_device_limits cached = mfft_limits_in_cache(limits);
  of.dim->n = keep;
  take_axes(&s, of.axes, &grouped);
  for (int i = 0; i < of.axes; i++) {
    make_axis(&s, &cached, &grouped.axis[i]);
    if (!grouped.axis[i].fused) return;
  }
  grouped.grouped = of.axes;
  grouped.parts = whole / keep;
  grouped.out_step_bytes = keep * of.dim->os * parts * bytes;
  grouped.in_step_bytes = steps->has_dfts ? grouped.out_step_bytes : keep * of.dim->is * parts * bytes;
  *steps = grouped;
}

mfft_status mfft_trigonometric_plan(const mfft_fft_spec *s, const mfft_device_limits *limits,
                                    mfft_trigonometric_steps *steps) {
  memset(steps, 0, sizeof *steps);
  for (int a = 0; a < s->naxes; a++)
    if (s->kind[a] != MFFT_DFT && s->radices[a])
      return mfft_fail(MFFT_ERR_UNSUPPORTED,
                       "cuda: radices of an axis of %s, which DFTs of other lengths compute; give radices to DFT axes alone",
                       mfft_trigonometric_of[s->kind[a]].name);
  take_dfts(s, &steps->dfts);
  steps->has_dfts = steps->dfts.naxes > 0;
  take_axes(s, 3, steps);
  share_scale(s, steps);
  for (int i = 0; i < steps->axes; i++) make_axis(s, limits, &steps->axis[i]);
  try_group(s, limits, steps);
  return MFFT_SUCCESS;
}
