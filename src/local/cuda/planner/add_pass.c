/* add_pass.c: one pass of register butterflies or tensor cores, made in steps on a draft. */
#include "local/cuda/planner/add_pass.h"

#include <limits.h>
#include <string.h>

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/tuned/butterfly_rules.h"
#include "local/cuda/tuned/tuned.h"

static const mfft_engine *engine_of(const mfft_pass_draft *d) { return mfft_engine_of(&d->pass->kernel); }

/* ---- Geometry and engine ---------------------------------------------------------------------------------------------- */

static void set_geometry(mfft_pass_draft *d) {
  const mfft_pass_geometry *g = &d->geometry;
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  const int64_t is = d->b->dims[g->axis].stride[g->src], os = d->b->dims[g->axis].stride[g->dst];
  const int pairs = d->b->spec->pairs != 0; /* complexes are pairs of neighbouring reals */
  k->chain.n = (int)g->n;
  k->trigonometric = d->b->spec->trigonometric;
  k->convolved = d->b->spec->convolved;
  k->in.form = g->load;
  k->out.form = g->store;
  k->ends = g->load == MFFT_FORM_HALF_EVEN ? d->b->spec->ends : 0;
  pass->args.in_stride = g->mirrored ? g->before * is : g->after * g->before * is;
  pass->args.out_stride = g->mirrored ? g->after * g->before * os : g->before * os;
  pass->args.in_pair = g->load == MFFT_FORM_LINE_PAIR ? d->b->spec->line_pair[0] : pairs ? 1 : is;
  pass->args.out_pair = g->store == MFFT_FORM_LINE_PAIR ? d->b->spec->line_pair[1] : pairs ? 1 : os;
  k->in.unit = pass->args.in_stride == 1;
  k->out.unit = pass->args.out_stride == 1; /* of the shares of a scattered output, where their strides agree */
  if (g->store == MFFT_FORM_TWO_HALVES) {
    const mfft_builder_dim *rows = &d->b->dims[g->axis - 1];
    const mfft_fft_spec *s = d->b->spec;
    pass->args.mirror = (mfft_pass_mirror){.planes = (unsigned)s->mirrored_planes.n,
                                           .rows = (unsigned)rows->n,
                                           .first = (unsigned)s->mirrored_planes.first,
                                           .plane = s->mirrored_planes.stride,
                                           .row = rows->stride[g->dst]};
  }
  if (g->load == MFFT_FORM_HALF_EVEN || g->store == MFFT_FORM_HALF_EVEN)
    pass->real_length = 2 * (g->bluestein ? g->bluestein_n : d->whole);
}

/* Sets which elements of an axis exist in the input, or are stored, if these are only its first ones. */
static void set_padding(mfft_pass_draft *d) {
  const int64_t given = mfft_builder_given(d->b, d->geometry.axis);
  if (!given) return;
  d->pass->kernel.padded = d->b->spec->convolved                   ? MFFT_PADDED_BOTH
                           : d->b->spec->direction == MFFT_FORWARD ? MFFT_PADDED_IN
                                                                   : MFFT_CROPPED_OUT;
  d->pass->args.given = (unsigned)given;
}

/* Sets the arguments of a pass of Bluestein's algorithm that depend on its axis. */
static void set_bluestein(mfft_pass_draft *d) {
  const mfft_pass_geometry *g = &d->geometry;
  mfft_pass *pass = d->pass;
  if (!g->bluestein) return;
  pass->bluestein = (mfft_bluestein_line){.n = g->bluestein_n, .m = d->whole, .sign = pass->kernel.sign};
  if (g->mirrored && !(g->bluestein & MFFT_BLUESTEIN_SPECTRUM)) pass->kernel.sign = -pass->kernel.sign;
  pass->kernel.bluestein.steps = g->bluestein;
  pass->args.bluestein.n = (unsigned)g->bluestein_n;
  pass->args.bluestein.stored = (unsigned)(g->store == MFFT_FORM_HALF_ODD ? g->bluestein_n / 2 + 1 : g->bluestein_n);
  pass->args.bluestein.step = (unsigned)(g->before * g->after); /* in passes that use it, one of the two is 1 */
  pass->args.bluestein.unit = d->b->dims[g->axis].stride[g->src];
}

mfft_engine_id mfft_choose_engine(const mfft_builder *b, const mfft_pass_geometry *g) {
  const int64_t stride = b->dims[g->axis].stride[g->src];
  const mfft_pass_request request = {.spec = b->spec,
                                     .limits = b->limits,
                                     .whole = g->before * g->n * g->after,
                                     .n = g->n,
                                     .twiddle_order = mfft_builder_twiddle_order(b, g->axis, g->n, g->after),
                                     .strided = mfft_builder_least_stride(b, g->axis, g->src, NULL, 0, 1) < stride,
                                     .bluestein = g->bluestein,
                                     .given = mfft_builder_given(b, g->axis) != 0,
                                     .load = g->load,
                                     .store = g->store};
  return mfft_engine_for(&request);
}

/* Sets the strides of the shares, if the pass stores into a scattered output; fails if its engine cannot. */
static mfft_status scatter(mfft_pass_draft *d) {
  const mfft_builder *b = d->b;
  const mfft_scatter *to = &b->spec->scatter;
  const mfft_pass_geometry *g = &d->geometry;
  mfft_kernel *k = &d->pass->kernel;
  if (g->dst != MFFT_AT_SHARES) return MFFT_SUCCESS;
  const int complex = g->store == MFFT_FORM_COMPLEX || g->store == MFFT_FORM_HALF_EVEN,
            least = engine_of(d)->least_scattered;
  const int able = least && g->n >= least && g->axis == to->axis && g->before * g->after == 1 && !g->bluestein;
  if (!able || !complex || to->count > MFFT_PASS_SHARES)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the last pass of this transform cannot store into %d shares", to->count);
  k->scatter.shares = to->count;
  k->scatter.uniform = 1;
  for (int s = 0; s < to->count; s++) {
    k->scatter.uniform &= memcmp(to->stride[s], to->stride[0], (size_t)b->count * sizeof **to->stride) == 0;
    d->pass->args.scatter.stride[s] = to->stride[s][g->axis];
  }
  return MFFT_SUCCESS;
}

/* Lets a pass convert from or to elements of half the width, if the input or the shares have them; fails if its engine
 * cannot. */
static mfft_status set_width(mfft_pass_draft *d) {
  const int wire = d->b->spec->wire;
  mfft_kernel *k = &d->pass->kernel;
  k->in.half_width = wire & MFFT_WIRED_INPUT && d->pass->src == MFFT_AT_IN;
  k->out.half_width = wire & MFFT_WIRED_SHARES && d->pass->dst == MFFT_AT_SHARES;
  const int able = k->in.form == MFFT_FORM_COMPLEX || k->in.form == MFFT_FORM_HALF_EVEN || !k->in.half_width;
  if ((!k->in.half_width && !k->out.half_width) || (able && engine_of(d)->half_width)) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a pass at the end of this transform cannot convert to half the width");
}

/* ---- Loops and thread maps ------------------------------------------------------------------------------------------- */

/* The loops over the lines of a split axis: those before and after this pass's elements. */
static void split_axis(mfft_pass_draft *d) {
  const mfft_builder *b = d->b;
  const mfft_pass_geometry *g = &d->geometry;
  const int64_t is = b->dims[g->axis].stride[g->src], os = b->dims[g->axis].stride[g->dst];
  const int64_t pair_in = g->load == MFFT_FORM_REAL_PAIR ? 2 : 1, pair_out = g->store == MFFT_FORM_REAL_PAIR ? 2 : 1;
  const int loop = mfft_builder_twiddled(b, g->axis);
  const int64_t twiddled = loop < 0 ? 1 : b->dims[loop].twiddled;
  d->pass->kernel.twiddle.part = loop >= 0 && b->dims[loop].n < twiddled;
  const int64_t near = g->before, far = g->n * g->before; /* of two lines, by the indices after: where it reads and writes */
  const int mirrored = g->mirrored, steps = g->bluestein;
  d->extra[0] = (mfft_builder_loop){.n = g->before,
                                    .is = pair_in * is,
                                    .os = pair_out * os,
                                    .outer = mirrored && g->before > 1,
                                    .mirror = g->store == MFFT_FORM_HALF_EVEN && g->before > 1,
                                    .along = steps & MFFT_BLUESTEIN_SPECTRUM && g->before > 1,
                                    .dim = -1};
  d->extra[1] = (mfft_builder_loop){.n = g->after,
                                    .is = pair_in * (mirrored ? far : near) * is,
                                    .os = pair_out * (mirrored ? near : far) * os,
                                    .outer = g->after > 1 && !mirrored ? twiddled : 0,
                                    .mirror = g->load == MFFT_FORM_HALF_EVEN && g->after > 1,
                                    .along = steps & (MFFT_BLUESTEIN_LOAD | MFFT_BLUESTEIN_STORE) && g->after > 1,
                                    .dim = -1};
  for (int i = 0; i < 2; i++)
    if (d->extra[i].mirror) d->extra[i].n /= 2; /* lines come in pairs */
}

/* Chooses maps by which neighbouring threads access neighbouring addresses, and then the loops. */
static mfft_status set_maps_and_loops(mfft_pass_draft *d) {
  const mfft_pass_geometry *g = &d->geometry;
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  split_axis(d);
  const int64_t near_in = mfft_builder_least_stride(d->b, g->axis, g->src, d->extra, 2, 1),
                near_out = mfft_builder_least_stride(d->b, g->axis, g->dst, d->extra, 2, 0);
  k->in.map = near_in < pass->args.in_stride ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  k->out.map = near_out < pass->args.out_stride ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  k->map_mid = k->out.map;
  d->strided = k->in.map == MFFT_MAP_LINE || k->out.map == MFFT_MAP_LINE;
  return mfft_builder_loops(d->b, pass, g->axis, g->axis, d->extra, 2, k->in.map == MFFT_MAP_LINE);
}

/* ---- Lines ----------------------------------------------------------------------------------------------------------- */

/* Whether segments of strided lines are not aligned to cache lines, as in half spectra: each then touches one sector more
 * than its length. */
static int begins_astray(const mfft_builder *b, const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  const int64_t bytes = complex_bytes(k->precision), in = pass->args.in_stride * bytes, out = pass->args.out_stride * bytes;
  if (is_sixteen_bit(k->precision) || k->twiddle.loop || k->in.map != MFFT_MAP_LINE || k->out.map != MFFT_MAP_LINE) return 0;
  return mfft_in_cache(b->limits) && (in % MFFT_CACHE_LINE_BYTES != 0 || out % MFFT_CACHE_LINE_BYTES != 0);
}

/* Bytes of a segment of neighbouring lines of n elements: a cache line while two such tiles fit a multiprocessor, else the
 * device's least segment; two cache lines where segments of a cached part are not aligned, or the engine is faster with
 * them. */
static int segment_of(const mfft_pass_draft *d, int64_t n) {
  const mfft_builder *b = d->b;
  const mfft_engine *engine = engine_of(d);
  const mfft_tuned *tuned = mfft_tuned_for(b->limits);
  const int wide = (engine->prefers_wide && engine->prefers_wide(&d->pass->kernel, b->limits)) ||
                   (begins_astray(b, d->pass) && n * tuned->wide_bytes <= tuned->wide_tile_bytes);
  const int most = wide ? tuned->wide_bytes : MFFT_CACHE_LINE_BYTES, element = complex_bytes(b->spec->precision);
  const int bytes = b->limits->segment_bytes > most ? b->limits->segment_bytes : most, full = bytes / element;
  const int room = is_sixteen_bit(b->spec->precision) && !wide ? tuned->wide_tile_bytes / 2 : tuned->wide_tile_bytes;
  const int of_reals = d->pass->kernel.trigonometric && d->pass->kernel.in.form != MFFT_FORM_LINE_PAIR;
  if (of_reals && 2 * n * full * element <= room) return 2 * full;
  return n * full * element <= room ? full : segment_lines(b);
}

/* Bytes of a segment of lines that are stored to peers: whole segments wherever a block can hold them, since a link is
 * slower than memory. */
static int segment_of_shares(const mfft_pass_draft *d) {
  const mfft_kernel *k = &d->pass->kernel;
  int lines = MFFT_CACHE_LINE_BYTES / complex_bytes(k->precision);
  while (lines > 1 && engine_of(d)->longest(k->precision, d->b->limits, lines) < k->chain.n) lines /= 2;
  return lines;
}

/* Neighbouring lines of a block.  A segment is halved while there are fewer blocks than multiprocessors (on tensor cores a
 * share of them), down to a least segment: all lines together are then few enough for the L2 cache.  In 16 bits longer lines
 * may take half of that, if half of the multiprocessors would else be idle. */
static int share_segment(const mfft_pass_draft *d, int lines) {
  const mfft_tuned_segments *tuned = &mfft_tuned_for(d->b->limits)->segments;
  const mfft_pass *pass = d->pass;
  const int element = complex_bytes(pass->kernel.precision),
            wanted = mfft_block_trial_covers(d) ? d->b->spec->block.segment : 0, sms = d->b->limits->sms;
  const mfft_engine *engine = engine_of(d);
  if (!engine->half_segments) return lines;
  if (wanted) return wanted < element ? 1 : wanted / element;
  const int few = engine->on_tensor_cores ? sms / tuned->tensor_few : sms;
  while (lines * element > tuned->least_bytes && pass->args.lines / lines < few) lines /= 2;
  const int narrow = engine->narrow_segments && is_sixteen_bit(pass->kernel.precision),
            shorter = lines > 1 && lines * element == tuned->least_bytes && pass->kernel.chain.n >= tuned->narrow_least;
  return narrow && shorter && 2 * (pass->args.lines / lines) < sms ? lines / 2 : lines;
}

/* Sets how many neighbouring lines a block has at least; fails if a block cannot hold a line of the radices that the user
 * names. */
static mfft_status set_lines(mfft_pass_draft *d) {
  const mfft_kernel *k = &d->pass->kernel;
  const int64_t n = d->geometry.n, elements = k->mirror ? 2 * n : n, /* for each line of threads */
      held = mfft_is_odd_line(k->in.form, k->out.form) ? mfft_held_of_odd(n) : elements;
  d->lines = !d->strided ? 1 : k->scatter.shares ? segment_of_shares(d) : share_segment(d, segment_of(d, elements));
  const int shortens = is_sixteen_bit(k->precision) || !k->mirror;
  const int butterflies = k->engine == MFFT_ENGINE_BUTTERFLY || k->engine == MFFT_ENGINE_ODD;
  const int halves = d->strided && butterflies && shortens; /* as mfft_axis_fits_one_pass expects */
  if (!k->named && !k->trigonometric && !k->padded && !k->convolved && !halves) return MFFT_SUCCESS;
  while (d->lines > 1 && engine_of(d)->longest(k->precision, d->b->limits, d->lines) < held)
    d->lines /= 2; /* a block may hold fewer lines of so many elements than a segment: by radices of the user, of reals, in
                      16 bits, in single */
  if (engine_of(d)->longest(k->precision, d->b->limits, d->lines) < held)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: a pass of %lld elements, as radices name it, does not fit a block; begin another with a + where "
                     "there is a comma",
                     (long long)d->geometry.n);
  return MFFT_SUCCESS;
}

/* ---- Ends, scale, shape, launch -------------------------------------------------------------------------------------- */

static void set_ends(mfft_pass_draft *d) {
  engine_of(d)->ends(d);
  d->pass->kernel.in.wide = d->pass->vector_in != 0;
  d->pass->kernel.out.wide = d->pass->vector_out != 0;
}

/* Of the passes of Bluestein's algorithm only the last one multiplies by a scale: padded lines between them have the
 * precision of the arithmetic, which does not overflow. */
static void set_scale(mfft_pass_draft *d) {
  const mfft_pass_geometry *g = &d->geometry;
  if (!g->bluestein)
    d->pass->args.scale = mfft_builder_scale(d->b, g->n, g->last);
  else if (g->bluestein & (MFFT_BLUESTEIN_STORE | MFFT_BLUESTEIN_RADER))
    d->pass->args.scale = mfft_builder_scale(d->b, g->bluestein_n, g->last);
  d->pass->kernel.scaled = d->pass->args.scale != 1;
}

static void take_names(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  if (!d->b->named) return;
  k->named = 1;
  k->chain.merges = d->b->named_merges;
  memcpy(k->chain.radix, d->b->named, (size_t)k->chain.merges * sizeof *k->chain.radix);
}

/* Shapes the pass twice, as staging follows from the shape, and shared memory from staging. */
static mfft_status set_shape(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  if (!d->geometry.bluestein && !k->padded && !k->convolved) k->engine = mfft_engine_final(d);
  const mfft_engine *engine = engine_of(d);
  MFFT_TRY(engine->shape(d));
  if (k->chain.merges == 1 && k->in.map != k->out.map) k->out.staging = MFFT_STAGED, k->map_mid = k->in.map;
  if (engine->adjust) engine->adjust(d);
  MFFT_TRY(engine->shape(d));
  if (k->trigonometric || k->padded) k->hints.prefetch = 0; /* its elements are not those of memory */
  if (!engine->on_tensor_cores) mfft_block_trial_hints(d);
  return MFFT_SUCCESS;
}

static mfft_status set_launch(mfft_pass_draft *d) {
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  const int64_t all = (pass->args.lines + k->chain.lines - 1) / k->chain.lines,
                most = (int64_t)k->tile.min_blocks * d->b->limits->sms;
  const mfft_engine *engine = engine_of(d);
  pass->blocks = engine->blocks ? engine->blocks(d->b, pass) : k->tile.persistent && all > most ? most : all;
  k->wide_counts = pass->args.lines > (long long)UINT_MAX - k->chain.lines * (k->tile.persistent ? pass->blocks : 1);
  if (pass->blocks > INT_MAX)
    return mfft_fail(
        MFFT_ERR_UNSUPPORTED,
        "cuda: %lld lines of %lld elements need %lld blocks, and one launch takes %d; use smaller arrays or more ranks",
        (long long)pass->args.lines, (long long)d->geometry.n, (long long)pass->blocks, INT_MAX);
  return MFFT_SUCCESS;
}

mfft_status mfft_add_pass(mfft_builder *b, const mfft_pass_geometry *geometry) {
  mfft_pass_draft d = {.b = b, .geometry = *geometry, .whole = geometry->before * geometry->n * geometry->after};
  MFFT_TRY(mfft_builder_new_pass(b, geometry->src, geometry->dst, &d.pass));
  set_geometry(&d);
  set_padding(&d);
  set_bluestein(&d);
  d.pass->twiddle_order = geometry->mirrored ? (geometry->before > 1 ? geometry->n * geometry->before : 0)
                                             : mfft_builder_twiddle_order(b, geometry->axis, geometry->n, geometry->after);
  d.pass->kernel.engine = mfft_choose_engine(b, geometry);
  MFFT_TRY(scatter(&d));
  MFFT_TRY(set_width(&d));
  MFFT_TRY(set_maps_and_loops(&d));
  set_ends(&d);
  set_scale(&d);
  take_names(&d);
  MFFT_TRY(set_lines(&d));
  MFFT_TRY(set_shape(&d));
  return set_launch(&d);
}
