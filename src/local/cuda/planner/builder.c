/* builder.c: one pass and the loops around it; see builder.h. */
#include "local/cuda/planner/builder.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "local/cuda/engines/odd.h"
#include "local/cuda/engines/resident.h"
#include "local/cuda/planner/shape.h"

int64_t mfft_builder_others(const builder *b, int slow, int fast) {
  int64_t count = 1;
  for (int d = 0; d < b->count; d++)
    if (d != slow && d != fast) count *= b->dims[d].n;
  return count;
}

void mfft_builder_use_work(builder *b, mfft_place_id place) {
  int areas = place == MFFT_AT_WORK ? 1 : place == MFFT_AT_WORK2 ? 2 : 0;
  if (areas > b->work_areas) b->work_areas = areas;
}

int mfft_builder_same_memory(const builder *b, mfft_place_id x, mfft_place_id y) {
  return x == y || (b->spec->in_place && x <= MFFT_AT_OUT && y <= MFFT_AT_OUT);
}

/* Whether a pass of n elements, of an axis of `whole`, merges powers of two on tensor cores: half does, single and double
 * where that is asked for.  bfloat16 does by butterflies in single, whose results are rounded once, as they are stored;
 * halves, which tensor cores take, would add 2 to 6 % to that.  But shortest lines lose nothing, and tiles that stay in
 * their place (resident.h) save a pass, and so a rounding, where cuFFT has one more; or they are asked for. */
static int likes_tensor_cores(const mfft_fft_spec *spec, int64_t n, int64_t whole, int strided) {
  if (spec->compute != MFFT_COMPUTE_AUTO) return spec->compute == MFFT_COMPUTE_TENSOR;
  if (spec->precision != MFFT_BFLOAT16) return spec->precision == MFFT_HALF;
  return spec->tile_bytes > 0 || whole < 64 || mfft_resident_known(spec->precision, n, whole, strided);
}

/* By the index of which dimension the results of an axis turn too; -1: of none. */
static int turning(const builder *b, int axis) {
  int d = b->count - 1;
  while (d >= 0 && (d == axis || b->dims[d].turns <= 1)) d--;
  return d;
}

int64_t mfft_builder_circle(const builder *b, int axis, int64_t n, int64_t after) {
  const int d = turning(b, axis);
  const int64_t lines = d < 0 ? after : after * b->dims[d].turns;
  return lines > 1 ? n * lines : 0;
}

/* Angles of 16-bit turns on tensor cores are fractions of 2^32 (kernels/tensor/tensor.cu). */
mfft_engine_id mfft_builder_engine(const builder *b, int axis, int64_t whole, int64_t n, int64_t circle, mfft_place_id src,
                                   mfft_form load, mfft_form store) {
  const int turns = circle == 0 || is_power(circle) || !is_sixteen_bit(b->spec->precision);
  const int complex = load == MFFT_FORM_COMPLEX && store == MFFT_FORM_COMPLEX; /* packed real ends are for butterflies */
  const int strided = mfft_builder_least_stride(b, axis, src, NULL, 0, 1) < b->dims[axis].stride[src];
  if (n < 16 || !is_power(n) || !turns || !complex || !likes_tensor_cores(b->spec, n, whole, strided))
    return MFFT_ENGINE_BUTTERFLY;
  return is_sixteen_bit(b->spec->precision) ? MFFT_ENGINE_TENSOR : MFFT_ENGINE_SPLIT;
}

/* Whether the elements of strided lines begin within cache lines, as in half spectra: a segment then meets one more sector
 * than it is long. */
static int begins_astray(const builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t bytes = complex_bytes(k->precision), in = pass->args.in_stride * bytes, out = pass->args.out_stride * bytes;
  if (is_sixteen_bit(k->precision) || k->twiddle.loop || k->in.map != MFFT_MAP_LINE || k->out.map != MFFT_MAP_LINE) return 0;
  return mfft_in_cache(b->limits) && (in % 128 != 0 || out % 128 != 0);
}

/* Strided halves from memory: two cache lines together are faster in tiles of 64 KB on tensor cores, and slower in larger
 * ones. */
static int likes_wide(const builder *b, const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_TENSOR && k->precision == MFFT_HALF && k->chain.n == 256 && !k->twiddle.loop &&
         k->in.map == MFFT_MAP_LINE && k->out.map == MFFT_MAP_LINE && !mfft_in_cache(b->limits);
}

/* Of lines of n elements: whole cache lines as long as two such tiles fit a multiprocessor, the least segment beyond; two
 * cache lines where elements begin astray in a cached part, or wide segments are liked. */
static int wanted_lines(const builder *b, const mfft_pass *pass, int64_t n) {
  const int wide = likes_wide(b, &pass->kernel) || (begins_astray(b, pass) && n * MFFT_WIDE_BYTES <= MFFT_WIDE_TILE_BYTES);
  const int most = wide ? MFFT_WIDE_BYTES : 128;
  const int bytes = b->limits->segment_bytes > most ? b->limits->segment_bytes : most;
  const int full = bytes / complex_bytes(b->spec->precision), least = segment_lines(b);
  const int room = is_sixteen_bit(b->spec->precision) && !wide ? MFFT_WIDE_TILE_BYTES / 2 : MFFT_WIDE_TILE_BYTES;
  return n * full * complex_bytes(b->spec->precision) <= room ? full : least;
}

/* Of lines that are stored to peers: whole segments wherever a block can hold them, for a link is slower than memory. */
static int lines_for_shares(const builder *b, const mfft_kernel *k) {
  int lines = 128 / complex_bytes(k->precision);
  while (lines > 1 && mfft_kernel_longest(k->precision, k->engine != MFFT_ENGINE_BUTTERFLY, b->limits, lines) < k->chain.n)
    lines /= 2;
  return lines;
}

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
    int apart = !last || last->outer || last->mirror || loops[i].outer || loops[i].mirror || loops[i].dim >= 0;
    if (!apart && loops[i].is == last->is * last->n && loops[i].os == last->os * last->n)
      last->n *= loops[i].n;
    else
      loops[joined++] = loops[i];
  }
  if (!joined) loops[joined++] = (loop){.n = 1, .dim = -1};
  return joined;
}

mfft_pass *mfft_builder_new_pass(builder *b, mfft_place_id src, mfft_place_id dst) {
  if (b->schedule->count == MFFT_MAX_PASSES) return NULL;
  mfft_pass *pass = &b->schedule->pass[b->schedule->count++];
  memset(pass, 0, sizeof *pass);
  pass->src = src;
  pass->dst = dst;
  pass->kernel.precision = b->spec->precision;
  for (int m = 0; m < MFFT_MAX_MERGES; m++) pass->args.merge_scale[m] = 1;
  pass->kernel.sign = b->spec->direction == MFFT_FORWARD ? -1 : 1;
  pass->args.scale = 1;
  mfft_builder_use_work(b, src);
  mfft_builder_use_work(b, dst);
  return pass;
}

double mfft_builder_scale(const builder *b, int64_t n, int last) {
  const mfft_fft_spec *s = b->spec;
  if (is_sixteen_bit(s->precision) && s->scale < 1 && b->log_total > 0) return pow(s->scale, log((double)n) / b->log_total);
  return last ? s->scale : 1;
}

mfft_status mfft_builder_loops(builder *b, mfft_pass *pass, int axis, int other, const loop *extra, int extras, int input) {
  loop loops[MAX_DIMS + 2];
  int count = 0;
  const int apart = pass->kernel.scatter.shares && !pass->kernel.scatter.uniform;
  for (int i = 0; i < extras; i++) loops[count++] = extra[i];
  for (int d = 0; d < b->count; d++)
    if (d != axis && d != other)
      loops[count++] = (loop){.n = b->dims[d].n,
                              .is = b->dims[d].stride[pass->src],
                              .os = b->dims[d].stride[pass->dst],
                              .outer = b->dims[d].turns > 1,
                              .dim = apart ? d : -1};
  count = arrange(loops, count, input);
  if (count > MFFT_PASS_LOOPS)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %d loops around an axis, %d are possible", count, MFFT_PASS_LOOPS);
  pass->kernel.loops = count;
  pass->args.lines = 1;
  for (int i = 0; i < count; i++) {
    pass->args.loop_n[i] = (unsigned long long)loops[i].n;
    pass->args.loop_in[i] = loops[i].is;
    pass->args.loop_out[i] = loops[i].os;
    for (int s = 0; s < pass->kernel.scatter.shares; s++)
      pass->args.scatter.loop[s][i] = loops[i].dim >= 0 ? b->spec->scatter.stride[s][loops[i].dim] : loops[i].os;
    pass->args.lines *= loops[i].n;
    if (loops[i].outer == 1) pass->kernel.twiddle.loop = i + 1;
    if (loops[i].outer > 1) pass->kernel.twiddle.second_loop = i + 1, pass->args.outer_step = (unsigned)loops[i].outer;
    if (loops[i].mirror) pass->kernel.mirror = i + 1;
  }
  return MFFT_SUCCESS;
}

int64_t mfft_builder_least_stride(const builder *b, int axis, mfft_place_id place, const loop *extra, int extras,
                                  int input) {
  int64_t least = INT64_MAX;
  for (int d = 0; d < b->count; d++)
    if (d != axis && b->dims[d].n > 1 && b->dims[d].stride[place] < least) least = b->dims[d].stride[place];
  for (int i = 0; i < extras; i++) {
    int64_t stride = input ? extra[i].is : extra[i].os;
    if (extra[i].n > 1 && stride < least) least = stride;
  }
  return least;
}

/* A tensor-core pass moves 16 bytes at a time where their elements are neighbours and everything else is a multiple of 16
 * bytes. */
static int sixteens(const mfft_pass *pass, mfft_map map, int64_t stride, const long long *loop_stride) {
  int first = 0, count = 16 / complex_bytes(pass->kernel.precision);
  if (count == 1) return 0; /* an element is 16 bytes */
  if (map == MFFT_MAP_ELEMENT) {
    if (stride != 1) return 0;
  } else {
    if (loop_stride[0] != 1 || pass->args.loop_n[0] % (unsigned)count || stride % count) return 0;
    first = 1;
  }
  for (int i = first; i < pass->kernel.loops; i++)
    if (pass->args.loop_n[i] > 1 && loop_stride[i] % count) return 0;
  return 1;
}

/* The same of every share of a scattered output; along a line shares must begin at whole sixteens too. */
static int sixteens_out(const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  if (!k->scatter.shares) return sixteens(pass, k->out.map, pass->args.out_stride, pass->args.loop_out);
  if (k->out.map == MFFT_MAP_ELEMENT && (k->chain.n % k->scatter.shares || k->chain.n / k->scatter.shares % 4)) return 0;
  for (int s = 0; s < k->scatter.shares; s++)
    if (!sixteens(pass, k->out.map, pass->args.scatter.stride[s], pass->args.scatter.loop[s])) return 0;
  return 1;
}

static int even_loops(const mfft_pass *pass, const long long *stride) {
  for (int i = 0; i < pass->kernel.loops; i++)
    if (pass->args.loop_n[i] > 1 && stride[i] % 2) return 0;
  return 1;
}

/* How rows of half spectra, which begin anywhere, are stored: by threads that meet parts of sectors (0), or staged, as one
 * by all threads of the block (1), or each from a whole sector on (2).  Measured on an H200. */
static int stages_rows(const builder *b, const mfft_kernel *k) {
  const int plain = !k->scatter.shares && !b->spec->filtered;
  if (plain && k->precision == MFFT_SINGLE && k->chain.n >= 128 && k->chain.n <= 2048) return 2;
  if (plain && k->precision == MFFT_DOUBLE && k->chain.n >= 512 && k->chain.n <= 2048 && !mfft_in_cache(b->limits)) return 2;
  return k->chain.n <= 128;
}

/* What a line of n elements is long in memory, in reals or complexes. */
static int64_t elements_of(mfft_form form, int64_t n) {
  return form == MFFT_FORM_COMPLEX ? n : form == MFFT_FORM_REAL_PAIR ? 2 * n : form == MFFT_FORM_HALF_EVEN ? n + 1 : -1;
}

static int half_width(const mfft_kernel *k) { return k->in.half_width || k->out.half_width; }

/* Lines that touch each other are staged as one piece of memory. */
static void stage_as_one(const builder *b, mfft_pass *pass) {
  mfft_kernel *k = &pass->kernel;
  const int able = k->engine == MFFT_ENGINE_BUTTERFLY && k->loops == 1 && !is_power(k->chain.n);
  if (!able || b->spec->filtered || k->scatter.shares || half_width(k) || k->mirror) return;
  if (k->in.staging == MFFT_STAGED && k->in.map == MFFT_MAP_ELEMENT && k->in.unit &&
      pass->args.loop_in[0] == elements_of(k->in.form, k->chain.n))
    k->in.staging = MFFT_STAGED_AS_ONE;
  if (k->out.staging == MFFT_STAGED && k->out.map == MFFT_MAP_ELEMENT && k->out.unit &&
      pass->args.loop_out[0] == elements_of(k->out.form, k->chain.n))
    k->out.staging = MFFT_STAGED_AS_ONE;
}

/* A pass that stores into shares. */
static mfft_status scatter(const builder *b, int axis, int64_t pieces, mfft_pass *pass) {
  const mfft_scatter *to = &b->spec->scatter;
  mfft_kernel *k = &pass->kernel;
  if (pass->dst != MFFT_AT_SHARES) return MFFT_SUCCESS;
  const int complex = k->out.form == MFFT_FORM_COMPLEX || k->out.form == MFFT_FORM_HALF_EVEN;
  const int able = k->engine == MFFT_ENGINE_BUTTERFLY || (k->engine == MFFT_ENGINE_TENSOR && k->chain.n >= 64);
  if (axis != to->axis || pieces > 1 || !complex || !able || to->count > MFFT_PASS_SHARES)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the last pass of this transform cannot store into %d shares", to->count);
  k->scatter.shares = to->count;
  k->scatter.uniform = 1;
  for (int s = 0; s < to->count; s++) {
    k->scatter.uniform &= memcmp(to->stride[s], to->stride[0], (size_t)b->count * sizeof **to->stride) == 0;
    pass->args.scatter.stride[s] = to->stride[s][axis];
  }
  return MFFT_SUCCESS;
}

/* A pass at an end that has half the width. */
static mfft_status wire(const builder *b, mfft_pass *pass) {
  mfft_kernel *k = &pass->kernel;
  k->in.half_width = b->spec->wire & MFFT_WIRED_INPUT && pass->src == MFFT_AT_IN;
  k->out.half_width = b->spec->wire & MFFT_WIRED_SHARES && pass->dst == MFFT_AT_SHARES;
  const int able = k->in.form == MFFT_FORM_COMPLEX || k->in.form == MFFT_FORM_HALF_EVEN || !k->in.half_width;
  if (!half_width(k) || (able && k->engine == MFFT_ENGINE_BUTTERFLY)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a pass at the end of this transform cannot convert to half the width");
}

static int on_tensor_cores(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_TENSOR || k->engine == MFFT_ENGINE_RESIDENT;
}

/* Of a pass of an axis of `whole` elements. */
static mfft_status shape(const builder *b, mfft_pass *pass, int64_t whole, int lines) {
  mfft_kernel *k = &pass->kernel;
  if (k->engine == MFFT_ENGINE_RESIDENT) return mfft_resident_shape(b, k, whole);
  const int moves = !mfft_builder_same_memory(b, pass->src, pass->dst);
  const mfft_measured *fastest =
      b->spec->filtered ? NULL : mfft_measured_find(k, b->limits, b->spec, pass->args.lines, whole, moves);
  if (fastest) return mfft_measured_take(k, b->limits, fastest);
  MFFT_TRY(mfft_kernel_shape(k, b->limits, lines, pass->args.lines));
  if (!b->spec->filtered && !half_width(k) && mfft_fetches(k, b->limits))
    k->hints.prefetch = b->limits->sms, k->in.last_use = 1;
  return MFFT_SUCCESS;
}

static int64_t blocks_of(const builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t blocks = (pass->args.lines + k->chain.lines - 1) / k->chain.lines,
                most = (int64_t)k->tile.min_blocks * b->limits->sms;
  if (k->engine == MFFT_ENGINE_RESIDENT) return mfft_resident_blocks(b, pass);
  return k->tile.persistent && blocks > most ? most : blocks;
}

/* Lines of which C2R is closer to the truth by cuFFT otherwise, and such as have faster chains with it (measured.c). */
static const struct {
  mfft_precision precision;
  int n;
  mfft_exact exact;
} closer[] = {
    {MFFT_DOUBLE, 40, MFFT_EXACT_COPRIME}, {MFFT_DOUBLE, 70, MFFT_EXACT_COPRIME}, {MFFT_DOUBLE, 75, MFFT_EXACT_PARTS},
    {MFFT_DOUBLE, 80, MFFT_EXACT_PARTS},   {MFFT_DOUBLE, 90, MFFT_EXACT_PARTS},   {MFFT_DOUBLE, 135, MFFT_EXACT_PARTS},
    {MFFT_DOUBLE, 110, MFFT_EXACT_PARTS},  {MFFT_DOUBLE, 150, MFFT_EXACT_PARTS},  {MFFT_DOUBLE, 105, MFFT_EXACT_PARTS},
    {MFFT_DOUBLE, 125, MFFT_EXACT_PARTS},  {MFFT_DOUBLE, 160, MFFT_EXACT_PARTS},  {MFFT_DOUBLE, 192, MFFT_EXACT_PARTS},
    {MFFT_DOUBLE, 500, MFFT_EXACT_PARTS},  {MFFT_SINGLE, 44, MFFT_EXACT_COPRIME}, {MFFT_SINGLE, 45, MFFT_EXACT_PARTS},
    {MFFT_SINGLE, 180, MFFT_EXACT_PARTS}};

/* Half spectra of short lines, where cuFFT is closest to the truth: numbers rounded once, which costs time where a line has
 * few threads and so is left to few of those, or all roots loaded. */
static mfft_exact exactness(const builder *b, const mfft_kernel *k) {
  const int from = k->in.form == MFFT_FORM_HALF_EVEN, to = k->out.form == MFFT_FORM_HALF_EVEN;
  const int wide = k->precision == MFFT_DOUBLE, power = is_power(k->chain.n);
  if ((!wide && k->precision != MFFT_SINGLE) || b->spec->naxes > 1 || !(from || to) || k->mirror) return MFFT_EXACT_NOT;
  if (k->chain.n <= 16) return wide || k->chain.n == 16 ? MFFT_EXACT_ONCE : MFFT_EXACT_NOT;
  if (power && !wide) return MFFT_EXACT_NOT;
  const int apart = k->in.map != MFFT_MAP_ELEMENT || k->out.map != MFFT_MAP_ELEMENT;
  for (size_t i = 0; from && !b->named && i < sizeof closer / sizeof *closer; i++)
    if (closer[i].precision == k->precision && closer[i].n == k->chain.n &&
        !(apart && closer[i].exact == MFFT_EXACT_COPRIME))
      return closer[i].exact;
  if (from && k->chain.n >= 32 && k->chain.n <= (power ? 256 : 480)) return MFFT_EXACT_ONCE;
  return k->chain.n <= (power ? 512 : 1024) ? MFFT_EXACT_ROOTS : MFFT_EXACT_NOT;
}

/* Lines up to this are too short for a direct access, or best had whole by a thread (shape.c). */
static int shortest(const mfft_kernel *k) {
  if (mfft_has_whole_lines(k) || k->exact == MFFT_EXACT_COPRIME) return k->chain.n;
  return k->precision == MFFT_DOUBLE ? (k->exact == MFFT_EXACT_ONCE ? 16 : 15) : k->precision == MFFT_SINGLE ? 24 : 32;
}

mfft_status mfft_builder_add_pass(builder *b, int axis, int64_t n, int64_t before, int64_t after, mfft_place_id src,
                                  mfft_place_id dst, mfft_form load, mfft_form store, int last) {
  mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_kernel *k = &pass->kernel;
  int64_t is = b->dims[axis].stride[src], os = b->dims[axis].stride[dst];
  int64_t pair_in = load == MFFT_FORM_REAL_PAIR ? 2 : 1, pair_out = store == MFFT_FORM_REAL_PAIR ? 2 : 1;
  const int64_t apart_in = b->spec->pairs ? 1 : is, apart_out = b->spec->pairs ? 1 : os; /* the reals of a pair */
  k->chain.n = (int)n;
  k->in.form = load;
  k->out.form = store;
  pass->outer_length = mfft_builder_circle(b, axis, n, after);
  k->engine = mfft_builder_engine(b, axis, n * before * after, n, pass->outer_length, src, load, store);
  const int tensor = k->engine != MFFT_ENGINE_BUTTERFLY, odd = mfft_is_odd_line(load, store);
  if (odd) k->engine = MFFT_ENGINE_ODD;
  MFFT_TRY(scatter(b, axis, before * after, pass));
  MFFT_TRY(wire(b, pass));
  pass->args.in_stride = after * before * is;
  pass->args.out_stride = before * os;
  pass->args.in_pair = apart_in;
  pass->args.out_pair = apart_out;
  int half_in = load == MFFT_FORM_HALF_EVEN, half_out = store == MFFT_FORM_HALF_EVEN;
  const int by = turning(b, axis);
  const int64_t turned = by < 0 ? 1 : b->dims[by].turns;
  k->twiddle.part = by >= 0 && b->dims[by].n < turned;
  loop extra[2] = {
      {before, pair_in * is, pair_out * os, 0, half_out && before > 1, -1},
      {after, pair_in * before * is, pair_out * n * before * os, after > 1 ? turned : 0, half_in && after > 1, -1}};
  for (int i = 0; i < 2; i++)
    if (extra[i].mirror) extra[i].n /= 2; /* lines come in pairs */

  int64_t near_in = mfft_builder_least_stride(b, axis, src, extra, 2, 1),
          near_out = mfft_builder_least_stride(b, axis, dst, extra, 2, 0);
  k->in.map = near_in < pass->args.in_stride ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  k->out.map = near_out < pass->args.out_stride ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  k->map_mid = k->out.map;
  MFFT_TRY(mfft_builder_loops(b, pass, axis, axis, extra, 2, k->in.map == MFFT_MAP_LINE));
  int by_line = k->in.map == MFFT_MAP_LINE || k->out.map == MFFT_MAP_LINE;

  k->in.unit = pass->args.in_stride == 1;
  k->out.unit = pass->args.out_stride == 1; /* of shares, where they are alike */
  k->exact = odd ? mfft_odd_exact(k) : exactness(b, k);
  const int tiny = (odd ? mfft_odd_whole(k) : n <= shortest(k)) && !k->mirror;
  k->in.staging = k->in.map == MFFT_MAP_ELEMENT && tiny;
  k->out.staging = k->out.map == MFFT_MAP_ELEMENT && tiny;
  if (half_out && !k->mirror && k->out.map == MFFT_MAP_ELEMENT && !tiny) k->out.staging = stages_rows(b, k);
  if (load == MFFT_FORM_REAL_PAIR && apart_in == 1 && even_loops(pass, pass->args.loop_in))
    pass->vector_in = complex_bytes(k->precision);
  if (store == MFFT_FORM_REAL_PAIR && apart_out == 1 && even_loops(pass, pass->args.loop_out))
    pass->vector_out = complex_bytes(k->precision);
  if (half_in || half_out) pass->real_length = 2 * before * n * after;

  if (tensor) {
    int staged = n < 64 && k->engine == MFFT_ENGINE_SPLIT;
    k->in.staging = k->in.map == MFFT_MAP_ELEMENT && staged;
    k->out.staging = k->out.map == MFFT_MAP_ELEMENT && staged;
    pass->vector_in = sixteens(pass, k->in.map, pass->args.in_stride, pass->args.loop_in) ? 16 : 0;
    pass->vector_out = sixteens_out(pass) ? 16 : 0;
    if (n < 64 && k->engine == MFFT_ENGINE_TENSOR) { /* fewer than four columns: neighbours are lines */
      int touch = k->in.map == MFFT_MAP_ELEMENT && k->in.unit && k->out.map == MFFT_MAP_ELEMENT && k->out.unit;
      if (b->named && b->named_merges > 1) touch = 0;
      k->tile.rows_touch = touch;
      if (!touch && k->in.map == MFFT_MAP_ELEMENT) pass->vector_in = 0;
      if (!touch && k->out.map == MFFT_MAP_ELEMENT) pass->vector_out = 0;
      k->in.map = k->map_mid = k->out.map = MFFT_MAP_LINE;
    }
    k->tile.lines_in_fours = pass->args.loop_n[0] % 4 == 0;
  }
  k->in.wide = pass->vector_in != 0;
  k->out.wide = pass->vector_out != 0;
  pass->args.scale = mfft_builder_scale(b, n, last);
  k->scaled = pass->args.scale != 1;
  if (b->named) {
    k->named = 1;
    k->chain.merges = b->named_merges;
    memcpy(k->chain.radix, b->named, (size_t)k->chain.merges * sizeof *k->chain.radix);
  }
  int64_t held = k->mirror ? 2 * n : n; /* for each line of threads */
  int lines = !by_line ? 1 : k->scatter.shares ? lines_for_shares(b, k) : wanted_lines(b, pass, held);
  while (k->named && lines > 1 && mfft_kernel_longest(k->precision, tensor, b->limits, lines) < held)
    lines /= 2; /* a segment that is less than it should be, as the user wants the pass so long */
  if (k->named && mfft_kernel_longest(k->precision, tensor, b->limits, lines) < held)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: a pass of %lld elements, as radices name it, does not fit a block; begin another with a + where "
                     "there is a comma",
                     (long long)n);
  if (!k->scatter.shares && mfft_resident_suits(b, pass, n * before * after)) k->engine = MFFT_ENGINE_RESIDENT;
  MFFT_TRY(shape(b, pass, n * before * after, lines));
  if (on_tensor_cores(k) && k->scaled && k->precision == MFFT_HALF) { /* a share of it for each merge */
    double whole = pass->args.scale;
    for (int m = 0; m < k->chain.merges; m++) {
      double share = pow(whole, log((double)k->chain.radix[m]) / log((double)n));
      if (m < k->chain.merges - 1)
        pass->args.merge_scale[m] = (float)share;
      else
        pass->args.scale = share;
    }
  }
  if (odd && mfft_odd_stages(k)) k->out.staging = 1;
  if (odd && !mfft_in_cache(b->limits)) k->hints.prefetch = mfft_odd_fetches(k) * b->limits->sms;
  if (k->chain.merges == 1 && k->in.map != k->out.map) k->out.staging = 1, k->map_mid = k->in.map;
  MFFT_TRY(shape(b, pass, n * before * after, lines));
  stage_as_one(b, pass);
  pass->blocks = blocks_of(b, pass);
  k->wide_counts = pass->args.lines > (long long)UINT_MAX - k->chain.lines * (k->tile.persistent ? pass->blocks : 1);
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld lines of %lld elements need %lld blocks, more than one launch takes",
                     (long long)pass->args.lines, (long long)n, (long long)pass->blocks);
  return MFFT_SUCCESS;
}

mfft_status mfft_builder_add_real_pass(builder *b, int axis, int64_t n, mfft_place_id src, mfft_place_id dst, mfft_form load,
                                       mfft_form store) {
  mfft_pass *pass = mfft_builder_new_pass(b, src, dst);
  if (!pass) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: more than %d passes", MFFT_MAX_PASSES);
  mfft_kernel *k = &pass->kernel;
  if (b->spec->wire && (src == MFFT_AT_IN || dst == MFFT_AT_SHARES))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the packing of half spectra cannot convert to half the width");
  k->engine = MFFT_ENGINE_REAL;
  k->chain.n = (int)n;
  k->in.form = load;
  k->out.form = store;
  k->chain.merges = 1;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  k->chain.lines = 1;
  k->chain.threads = 256;
  k->tile.min_blocks = 1;
  pass->args.in_stride = b->dims[axis].stride[src];
  pass->args.out_stride = b->dims[axis].stride[dst];
  MFFT_TRY(mfft_builder_loops(b, pass, axis, axis, NULL, 0, 1));
  if (load == MFFT_FORM_HALF_EVEN || store == MFFT_FORM_HALF_EVEN) pass->real_length = 2 * n;
  k->wide_counts = 1;
  int64_t chunks = (n / 2 + 1 + k->chain.threads - 1) / k->chain.threads;
  pass->blocks = chunks * pass->args.lines;
  if (pass->blocks > INT_MAX)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: %lld blocks, more than one launch takes", (long long)pass->blocks);
  return MFFT_SUCCESS;
}
