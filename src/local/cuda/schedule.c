/* schedule.c: from a transform to its passes.  Pure C: no device is needed to make, print or test a schedule.
 *
 * An axis that fits a block is one pass.  A longer one, n = n_0 n_1 ... n_(m-1), is m passes that together are one global
 * Stockham transform: pass p, with P the product of the lengths before it and R of those after, takes for each r < R and
 * k < P the n_p elements r P + k + j R P, transforms them over j, turns output i by W_(n_p R)^(i r), and writes it to
 * r n_p P + k + i P.  Order is natural at both ends, and the last pass reads and writes the same places, so it may work in
 * place. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/pass.h"

enum { MAX_DIMS = 3 + MFFT_MAX_LOOPS, MAX_SPLIT = 4 };

/* A dimension of the problem: an axis or a loop, and its stride in each place. */
typedef struct dim {
  int64_t n;
  int64_t stride[MFFT_PLACES];
} dim;

typedef struct builder {
  const mfft_fft_spec *spec;
  const mfft_device_limits *limits;
  mfft_schedule *schedule;
  dim dims[MAX_DIMS]; /* [count] axes first */
  int count;
  int64_t work_elements;
  int work_areas;   /* parts of the workspace in use, 0 to 2 */
  double log_total; /* of all lengths, to share out the scale */
} builder;

static int is_sixteen_bit(mfft_precision p) { return p == MFFT_HALF || p == MFFT_BFLOAT16; }
static int complex_bytes(mfft_precision p) { return p == MFFT_DOUBLE ? 16 : p == MFFT_SINGLE ? 8 : 4; }

static int same_memory(const builder *b, mfft_place_id x, mfft_place_id y) {
  return x == y || (b->spec->in_place && x <= MFFT_AT_OUT && y <= MFFT_AT_OUT);
}

static void use_work(builder *b, mfft_place_id place) {
  int areas = place == MFFT_AT_WORK ? 1 : place == MFFT_AT_WORK2 ? 2 : 0;
  if (areas > b->work_areas) b->work_areas = areas;
}

/* Lines that fill the least memory segment when neighbouring lines touch. */
static int segment_lines(const builder *b) { return b->limits->segment_bytes / complex_bytes(b->spec->precision); }

/* Of lines of n elements: whole cache lines as long as two such tiles fit a multiprocessor, the least segment beyond. */
static int wanted_lines(const builder *b, int64_t n) {
  int full = 128 / complex_bytes(b->spec->precision), least = segment_lines(b);
  return n * full * complex_bytes(b->spec->precision) <= (is_sixteen_bit(b->spec->precision) ? 32768 : 65536) ? full : least;
}

/* Powers of two in 16 bits go to the tensor cores; packed real ends stay with the butterflies. */
static int is_tensor(const mfft_fft_spec *spec, int64_t n, mfft_form load, mfft_form store) {
  return is_sixteen_bit(spec->precision) && spec->compute != MFFT_COMPUTE_BUTTERFLY && n >= 16 && (n & (n - 1)) == 0 &&
         load == MFFT_FORM_COMPLEX && store == MFFT_FORM_COMPLEX;
}

static mfft_status check_length(int64_t n) {
  static const int primes[] = {2, 3, 5, 7, 11, 13}; /* [6] */
  int64_t rest = n;
  for (int i = 0; i < 6; i++)
    while (rest % primes[i] == 0) rest /= primes[i];
  if (rest != 1)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: length %lld has the factor %lld; this backend takes lengths made of 2, 3, 5, 7, 11 and 13 "
                     "(mfft_next_fast_length, or backend fftw)",
                     (long long)n, (long long)rest);
  if (n > INT_MAX) return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: length %lld exceeds %d", (long long)n, INT_MAX);
  return MFFT_SUCCESS;
}

/* Splits n into `parts` factors of at most `most`, the largest as small as can be.  Returns that largest, or 0. */
static int64_t split_into(int64_t n, int parts, int64_t most, int64_t factor[MAX_SPLIT]) {
  if (parts == 1) {
    factor[0] = n;
    return n <= most ? n : 0;
  }
  int64_t best = 0;
  for (int64_t f = 1; f <= most && f <= n; f++) {
    if (n % f) continue;
    int64_t rest[MAX_SPLIT], limit = best && best < most ? best : most;
    int64_t largest = split_into(n / f, parts - 1, limit, rest);
    if (!largest) continue;
    if (f > largest) largest = f;
    if (best && largest >= best) continue;
    best = largest;
    factor[0] = f;
    memcpy(factor + 1, rest, (size_t)(parts - 1) * sizeof *rest);
  }
  return best;
}

typedef struct loop {
  int64_t n, is, os;
  int outer; /* turns between passes: must stay on its own */
} loop;

static int smaller(const loop *x, const loop *y, int input) {
  int64_t a = input ? x->is : x->os, b = input ? y->is : y->os;
  if (a != b) return a < b;
  return x->n < y->n;
}

/* Drops loops of one, sorts them inner to outer by the side whose order matters, joins those that run on into each other. */
static int arrange(loop *loops, int count, int input) {
  int kept = 0;
  for (int i = 0; i < count; i++)
    if (loops[i].n > 1) loops[kept++] = loops[i];
  for (int i = 1; i < kept; i++)
    for (int j = i; j > 0 && smaller(&loops[j], &loops[j - 1], input); j--) {
      loop swap = loops[j];
      loops[j] = loops[j - 1];
      loops[j - 1] = swap;
    }
  int joined = 0;
  for (int i = 0; i < kept; i++) {
    loop *last = joined ? &loops[joined - 1] : NULL;
    if (last && !last->outer && !loops[i].outer && loops[i].is == last->is * last->n && loops[i].os == last->os * last->n)
      last->n *= loops[i].n;
    else
      loops[joined++] = loops[i];
  }
  if (!joined) loops[joined++] = (loop){.n = 1};
  return joined;
}

static mfft_pass *new_pass(builder *b, mfft_place_id src, mfft_place_id dst) {
  if (b->schedule->count == MFFT_MAX_PASSES) return NULL;
  mfft_pass *pass = &b->schedule->pass[b->schedule->count++];
  memset(pass, 0, sizeof *pass);
  pass->src = src;
  pass->dst = dst;
  pass->kernel.precision = b->spec->precision;
  for (int m = 0; m < MFFT_MAX_MERGES; m++) pass->args.merge_scale[m] = 1;
  pass->kernel.sign = b->spec->direction == MFFT_FORWARD ? -1 : 1;
  pass->args.scale = 1;
  use_work(b, src);
  use_work(b, dst);
  return pass;
}

/* The loops of a pass: every dimension but `axis`, and the extra loops of a split axis. */
static mfft_status set_loops(builder *b, mfft_pass *pass, int axis, const loop *extra, int extras, int input) {
  loop loops[MAX_DIMS + 2];
  int count = 0;
  for (int i = 0; i < extras; i++) loops[count++] = extra[i];
  for (int d = 0; d < b->count; d++)
    if (d != axis) loops[count++] = (loop){b->dims[d].n, b->dims[d].stride[pass->src], b->dims[d].stride[pass->dst], 0};
  count = arrange(loops, count, input);
  if (count > MFFT_PASS_LOOPS)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %d loops around an axis, %d are possible", count, MFFT_PASS_LOOPS);
  pass->kernel.loops = count;
  pass->args.lines = 1;
  for (int i = 0; i < count; i++) {
    pass->args.loop_n[i] = (unsigned long long)loops[i].n;
    pass->args.loop_in[i] = loops[i].is;
    pass->args.loop_out[i] = loops[i].os;
    pass->args.lines *= loops[i].n;
    if (loops[i].outer) pass->kernel.outer = i + 1;
  }
  return MFFT_SUCCESS;
}

static int64_t least_stride(const builder *b, int axis, mfft_place_id place, const loop *extra, int extras, int input) {
  int64_t least = INT64_MAX;
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].n > 1 && b->dims[d].stride[place] < least) least = b->dims[d].stride[place];
  for (int i = 0; i < extras; i++) {
    int64_t stride = input ? extra[i].is : extra[i].os;
    if (extra[i].n > 1 && stride < least) least = stride;
  }
  return least;
}

/* A tensor-core pass moves four elements at a time where they are neighbours and everything else is a multiple of four. */
static int fours(const mfft_pass *pass, mfft_map map, int64_t stride, const long long *loop_stride) {
  int first = 0;
  if (map == MFFT_MAP_ELEMENT) {
    if (stride != 1) return 0;
  } else {
    if (loop_stride[0] != 1 || pass->args.loop_n[0] % 4 || stride % 4) return 0;
    first = 1;
  }
  for (int i = first; i < pass->kernel.loops; i++)
    if (pass->args.loop_n[i] > 1 && loop_stride[i] % 4) return 0;
  return 1;
}

static int even_loops(const mfft_pass *pass, const long long *stride) {
  for (int i = 0; i < pass->kernel.loops; i++)
    if (pass->args.loop_n[i] > 1 && stride[i] % 2) return 0;
  return 1;
}

/* One pass of length n over `axis`, part of a split axis with P elements before and R after (1 and 1 for a whole axis). */
static mfft_status add_pass(builder *b, int axis, int64_t n, int64_t before, int64_t after, mfft_place_id src,
                            mfft_place_id dst, mfft_form load, mfft_form store, int last) {
  mfft_pass *pass = new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_kernel *k = &pass->kernel;
  int64_t is = b->dims[axis].stride[src], os = b->dims[axis].stride[dst];
  int64_t pair_in = load == MFFT_FORM_REAL_PAIR ? 2 : 1, pair_out = store == MFFT_FORM_REAL_PAIR ? 2 : 1;
  k->n = (int)n;
  k->load = load;
  k->store = store;
  pass->args.in_stride = after * before * is;
  pass->args.out_stride = before * os;
  pass->args.in_pair = is;
  pass->args.out_pair = os;
  loop extra[2] = {{before, pair_in * is, pair_out * os, 0},
                   {after, pair_in * before * is, pair_out * n * before * os, after > 1}};
  pass->outer_length = after > 1 ? n * after : 0;

  int64_t near_in = least_stride(b, axis, src, extra, 2, 1), near_out = least_stride(b, axis, dst, extra, 2, 0);
  k->map_in = near_in < pass->args.in_stride ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  k->map_out = near_out < pass->args.out_stride ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  k->map_mid = k->map_out;
  MFFT_TRY(set_loops(b, pass, axis, extra, 2, k->map_in == MFFT_MAP_LINE));
  int by_line = k->map_in == MFFT_MAP_LINE || k->map_out == MFFT_MAP_LINE;

  k->unit_in = pass->args.in_stride == 1;
  k->unit_out = pass->args.out_stride == 1;
  int tiny = n <= (k->precision == MFFT_DOUBLE   ? 15
                   : k->precision == MFFT_SINGLE ? 24
                                                 : 32); /* lines too short for a direct access */
  k->staged_in = load == MFFT_FORM_HALF_EVEN || (k->map_in == MFFT_MAP_ELEMENT && tiny && load != MFFT_FORM_HALF_ODD);
  k->staged_out = store == MFFT_FORM_HALF_EVEN || (k->map_out == MFFT_MAP_ELEMENT && tiny && store != MFFT_FORM_HALF_ODD);
  if (load == MFFT_FORM_REAL_PAIR && is == 1 && even_loops(pass, pass->args.loop_in))
    pass->vector_in = complex_bytes(k->precision);
  if (store == MFFT_FORM_REAL_PAIR && os == 1 && even_loops(pass, pass->args.loop_out))
    pass->vector_out = complex_bytes(k->precision);
  if (load == MFFT_FORM_HALF_EVEN || store == MFFT_FORM_HALF_EVEN) pass->real_length = 2 * n;

  if (is_tensor(b->spec, n, load, store)) {
    k->engine = MFFT_ENGINE_TENSOR;
    k->staged_in = k->map_in == MFFT_MAP_ELEMENT && n < 64;
    k->staged_out = k->map_out == MFFT_MAP_ELEMENT && n < 64;
    pass->vector_in = fours(pass, k->map_in, pass->args.in_stride, pass->args.loop_in) ? 16 : 0;
    pass->vector_out = fours(pass, k->map_out, pass->args.out_stride, pass->args.loop_out) ? 16 : 0;
    k->vector = (pass->vector_in ? 1 : 0) | (pass->vector_out ? 2 : 0) | (pass->args.loop_n[0] % 4 == 0 ? 4 : 0);
  }
  if (b->spec->scale != 1) {
    if (is_sixteen_bit(k->precision) && b->spec->scale < 1 && b->log_total > 0)
      pass->args.scale = pow(b->spec->scale, log((double)n) / b->log_total); /* a share each: nothing overflows on the way */
    else if (last)
      pass->args.scale = b->spec->scale;
    k->scaled = pass->args.scale != 1;
  }
  MFFT_TRY(mfft_kernel_shape(k, b->limits, by_line ? wanted_lines(b, n) : 1, pass->args.lines));
  if (k->engine == MFFT_ENGINE_TENSOR && k->scaled) {
    double whole = pass->args.scale;
    for (int m = 0; m < k->merges; m++) {
      double share = pow(whole, log((double)k->radix[m]) / log((double)n));
      if (m < k->merges - 1)
        pass->args.merge_scale[m] = (float)share;
      else
        pass->args.scale = share;
    }
  }
  if (k->merges == 1 && k->map_in != k->map_out) k->staged_out = 1, k->map_mid = k->map_in;
  MFFT_TRY(mfft_kernel_shape(k, b->limits, by_line ? wanted_lines(b, n) : 1, pass->args.lines));
  pass->blocks = (pass->args.lines + k->lines - 1) / k->lines;
  k->wide = pass->args.lines > (long long)UINT_MAX - k->lines;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld lines of %lld elements need %lld blocks, more than one launch takes",
                     (long long)pass->args.lines, (long long)n, (long long)pass->blocks);
  return MFFT_SUCCESS;
}

/* The half-spectrum packing of a real axis that takes several passes: k and n - k of every line. */
static mfft_status add_real_pass(builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load,
                                 mfft_form store) {
  mfft_pass *pass = new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_kernel *k = &pass->kernel;
  k->engine = MFFT_ENGINE_REAL;
  k->n = (int)n;
  k->load = load;
  k->store = store;
  k->merges = 1;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->radix[i] = 1;
  k->lines = 1;
  k->threads = 256;
  k->min_blocks = 1;
  pass->args.in_stride = b->dims[axis].stride[src];
  pass->args.out_stride = b->dims[axis].stride[dst];
  MFFT_TRY(set_loops(b, pass, axis, NULL, 0, 1));
  if (load == MFFT_FORM_HALF_EVEN || store == MFFT_FORM_HALF_EVEN) pass->real_length = 2 * n;
  k->wide = 1;
  int64_t chunks = (n / 2 + 1 + k->threads - 1) / k->threads;
  pass->blocks = chunks * pass->args.lines;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  return MFFT_SUCCESS;
}

/* Whether a block can hold a line, or as many as fill a memory segment where lines are strided. */
static int fits_one_pass(const builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, int tensor) {
  int strided = least_stride(b, axis, src, NULL, 0, 1) < b->dims[axis].stride[src] ||
                least_stride(b, axis, dst, NULL, 0, 0) < b->dims[axis].stride[dst];
  return n <= mfft_kernel_longest(b->spec->precision, tensor, b->limits, strided ? segment_lines(b) : 1);
}

/* All passes of one axis of n complex elements, from src to dst. */
static mfft_status add_axis(builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load,
                            mfft_form store, int last) {
  int whole_only = load == MFFT_FORM_HALF_EVEN || store == MFFT_FORM_HALF_EVEN || load == MFFT_FORM_HALF_ODD ||
                   store == MFFT_FORM_HALF_ODD;
  mfft_precision p = b->spec->precision;
  int tensor = is_tensor(b->spec, n, load, store);
  if (fits_one_pass(b, axis, n, src, dst, tensor)) return add_pass(b, axis, n, 1, 1, src, dst, load, store, last);
  if (whole_only) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: a real line of %lld elements was not split", (long long)n);

  int64_t factor[MAX_SPLIT], most = mfft_kernel_longest(p, tensor, b->limits, segment_lines(b));
  int parts = 2;
  while (parts <= MAX_SPLIT && !split_into(n, parts, most, factor)) parts++;
  if (parts > MAX_SPLIT)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: length %lld does not split into %d factors of at most %lld", (long long)n,
                     MAX_SPLIT, (long long)most);

  /* Where the data rests between passes.  The destination can hold it if it is complex; the last pass may then be in place.
   */
  mfft_place_id at[MAX_SPLIT + 1];
  int use_dst = store == MFFT_FORM_COMPLEX && dst != MFFT_AT_WORK2;
  for (int in_place = use_dst; in_place >= 0; in_place--) {
    at[0] = src;
    at[parts] = dst;
    for (int i = parts - 1; i >= 1; i--) {
      mfft_place_id next = at[i + 1];
      if (use_dst) {
        mfft_place_id other = dst == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
        at[i] = i == parts - 1 ? (in_place ? dst : other) : (next == dst ? other : dst);
      } else {
        at[i] = next == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
      }
    }
    if (!use_dst && at[1] == src)
      for (int i = 1; i < parts; i++) at[i] = at[i] == MFFT_AT_WORK ? MFFT_AT_WORK2 : MFFT_AT_WORK;
    if (!same_memory(b, at[1], at[0])) break;
  }
  int64_t before = 1;
  for (int i = 0; i < parts; i++) {
    int64_t after = n / before / factor[i];
    MFFT_TRY(add_pass(b, axis, factor[i], before, after, at[i], at[i + 1], i == 0 ? load : MFFT_FORM_COMPLEX,
                      i == parts - 1 ? store : MFFT_FORM_COMPLEX, last && i == parts - 1));
    before *= factor[i];
  }
  return MFFT_SUCCESS;
}

/* The real axis, forward.  Even lengths are packed two reals in a complex; odd ones run with zero imaginary parts. */
static mfft_status add_real_to_half(builder *b, int axis, int64_t n) {
  if (n % 2 == 0) {
    if (fits_one_pass(b, axis, n / 2, MFFT_AT_IN, MFFT_AT_OUT, 0))
      return add_axis(b, axis, n / 2, MFFT_AT_IN, MFFT_AT_OUT, MFFT_FORM_REAL_PAIR, MFFT_FORM_HALF_EVEN, 1);
    MFFT_TRY(add_axis(b, axis, n / 2, MFFT_AT_IN, MFFT_AT_OUT, MFFT_FORM_REAL_PAIR, MFFT_FORM_COMPLEX, 1));
    return add_real_pass(b, axis, n / 2, MFFT_AT_OUT, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_HALF_EVEN);
  }
  MFFT_TRY(add_axis(b, axis, n, MFFT_AT_IN, MFFT_AT_WORK, MFFT_FORM_REAL, MFFT_FORM_COMPLEX, 1));
  return add_real_pass(b, axis, n, MFFT_AT_WORK, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_HALF_ODD);
}

static mfft_status add_half_to_real(builder *b, int axis, int64_t n, mfft_place_id src) {
  int keep = src == MFFT_AT_IN && !b->spec->destroy_input && !b->spec->in_place;
  if (n % 2 == 0) {
    if (fits_one_pass(b, axis, n / 2, src, MFFT_AT_OUT, 0))
      return add_axis(b, axis, n / 2, src, MFFT_AT_OUT, MFFT_FORM_HALF_EVEN, MFFT_FORM_REAL_PAIR, 1);
    mfft_place_id packed = keep ? MFFT_AT_WORK : src;
    MFFT_TRY(add_real_pass(b, axis, n / 2, src, packed, MFFT_FORM_HALF_EVEN, MFFT_FORM_COMPLEX));
    return add_axis(b, axis, n / 2, packed, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_REAL_PAIR, 1);
  }
  MFFT_TRY(add_real_pass(b, axis, n, src, MFFT_AT_WORK, MFFT_FORM_HALF_ODD, MFFT_FORM_COMPLEX));
  return add_axis(b, axis, n, MFFT_AT_WORK, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_REAL, 1);
}

/* Dense strides for the workspace, in the order of the complex side, with `whole` elements on the last axis. */
static void lay_out_work(builder *b, mfft_place_id complex_side, int last_axis, int64_t whole) {
  int order[MAX_DIMS];
  for (int d = 0; d < b->count; d++) {
    int at = d;
    order[d] = d;
    while (at > 0 && b->dims[order[at]].stride[complex_side] < b->dims[order[at - 1]].stride[complex_side]) {
      int swap = order[at];
      order[at] = order[at - 1];
      order[at - 1] = swap;
      at--;
    }
  }
  int64_t stride = 1;
  for (int i = 0; i < b->count; i++) {
    dim *d = &b->dims[order[i]];
    d->stride[MFFT_AT_WORK] = d->stride[MFFT_AT_WORK2] = stride;
    stride *= order[i] == last_axis ? whole : d->n;
  }
  b->work_elements = stride;
}

static mfft_status build(builder *b) {
  const mfft_fft_spec *spec = b->spec;
  int last = spec->naxes - 1;
  int64_t n = spec->axis[last].n, halved = n / 2 + 1;
  for (int i = 0; i < spec->naxes; i++) {
    MFFT_TRY(check_length(spec->axis[i].n));
    b->dims[b->count++] = (dim){spec->axis[i].n, {spec->axis[i].is, spec->axis[i].os}};
    int packed = i == last && spec->type != MFFT_FFT_C2C && n % 2 == 0;
    b->log_total += log((double)(packed ? n / 2 : spec->axis[i].n));
  }
  for (int i = 0; i < spec->nloops; i++) b->dims[b->count++] = (dim){spec->loop[i].n, {spec->loop[i].is, spec->loop[i].os}};
  lay_out_work(b, spec->type == MFFT_FFT_C2R ? MFFT_AT_IN : MFFT_AT_OUT, last,
               spec->type == MFFT_FFT_C2C ? n
               : n % 2                    ? n
                                          : halved);

  mfft_place_id at = MFFT_AT_IN;
  int left = 0; /* axes still to be done; the last one carries the scale */
  for (int i = 0; i < spec->naxes; i++) left += spec->axis[i].n > 1;
  if (spec->type == MFFT_FFT_C2C) {
    for (int a = last; a >= 0; a--) {
      if (spec->axis[a].n == 1 && !(a == 0 && at == MFFT_AT_IN)) continue;
      MFFT_TRY(add_axis(b, a, spec->axis[a].n, at, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_COMPLEX, --left <= 0));
      at = MFFT_AT_OUT;
    }
    return MFFT_SUCCESS;
  }
  if (spec->type == MFFT_FFT_R2C) {
    MFFT_TRY(add_real_to_half(b, last, n));
    b->dims[last].n = halved;
    for (int a = last - 1; a >= 0; a--)
      if (spec->axis[a].n > 1)
        MFFT_TRY(add_axis(b, a, spec->axis[a].n, MFFT_AT_OUT, MFFT_AT_OUT, MFFT_FORM_COMPLEX, MFFT_FORM_COMPLEX, 0));
    return MFFT_SUCCESS;
  }
  b->dims[last].n = halved;
  for (int a = 0; a < last; a++) {
    if (spec->axis[a].n == 1) continue;
    mfft_place_id to = spec->in_place || spec->destroy_input ? MFFT_AT_IN : MFFT_AT_WORK;
    MFFT_TRY(add_axis(b, a, spec->axis[a].n, at, to, MFFT_FORM_COMPLEX, MFFT_FORM_COMPLEX, 0));
    at = to;
  }
  b->dims[last].n = n;
  return add_half_to_real(b, last, n, at);
}

mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule) {
  memset(schedule, 0, sizeof *schedule);
  builder b = {.spec = spec, .limits = limits, .schedule = schedule};
  MFFT_TRY(build(&b));
  size_t area = ((size_t)b.work_elements * (size_t)complex_bytes(spec->precision) + 255) / 256 * 256;
  schedule->work_bytes = area * (size_t)b.work_areas;
  schedule->work2_offset_bytes = area;
  return MFFT_SUCCESS;
}

void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size) {
  static const char *const engine[] = {"", "tensor ", "pack ", "", ""}; /* [MFFT_ENGINES] */
  size_t used = 0;
  if (size) text[0] = '\0';
  for (int i = 0; i < schedule->count && used < size; i++) {
    const mfft_pass *pass = &schedule->pass[i];
    const mfft_kernel *k = &pass->kernel;
    int wrote = snprintf(text + used, size - used, "%s%s%d", i ? " + " : "", engine[k->engine], k->n);
    if (wrote < 0) return;
    used += (size_t)wrote;
    for (int m = 0; m < k->merges && k->engine < MFFT_ENGINE_REAL && used < size; m++)
      used += (size_t)snprintf(text + used, size - used, "%s%d", m ? "," : " (", k->radix[m]);
    if (used < size && k->engine < MFFT_ENGINE_REAL)
      used += (size_t)snprintf(text + used, size - used, "; %d x %d%s%s%s)", k->lines, k->threads,
                               k->map_in == MFFT_MAP_LINE ? " strided" : "", k->outer ? " turned" : "",
                               k->staged_in || k->staged_out ? " staged" : "");
  }
}
