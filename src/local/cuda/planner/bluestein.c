/* bluestein.c: see bluestein.h. */
#include "local/cuda/planner/bluestein.h"

#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/add_pass.h"
#include "local/cuda/planner/convolution_length.h"

/* The spectrum of a chirp takes some 200 bytes of the host for each element while the plan is made (chirp.c). */
enum { MOST_ELEMENTS = 1 << 27 };

/* The longest line that a block holds by register butterflies: of lines side by side, as many as fill a segment. */
static int64_t longest(const mfft_builder *b, int lines) {
  return mfft_engine_general()->longest(b->spec->precision, b->limits, lines);
}

/* The longest contiguous line of a convolution in one block.  In single that is longer than other lines of one pass, since a
 * convolution has three passes else. */
static int64_t longest_alone(const mfft_builder *b) {
  const int64_t room = mfft_butterfly_room(b->spec->precision, b->limits),
                most = mfft_tuned_for(b->limits)->longest_convolution[b->spec->precision], usual = longest(b, 1);
  return most <= usual ? usual : most < room ? most : room;
}

static int is_strided(const mfft_builder *b, int axis, mfft_place_id src, mfft_place_id dst) {
  return mfft_builder_least_stride(b, axis, src, NULL, 0, 1) < b->dims[axis].stride[src] ||
         mfft_builder_least_stride(b, axis, dst, NULL, 0, 0) < b->dims[axis].stride[dst];
}

/* Lines of an axis that may be convolved. */
typedef struct convolved_lines {
  int64_t n;
  int strided, by_rader; /* by_rader: lines that Rader's algorithm takes, of complexes at both ends or pairs of real lines */
  int of_reals;          /* mfft_is_of_reals */
} convolved_lines;

static int is_half(mfft_form form) { return form == MFFT_FORM_HALF_ODD || form == MFFT_FORM_HALF_EVEN; }

/* Whether Rader's algorithm has the forms of a line at both ends: all but those of a real line of odd length alone. */
static int has_forms(const mfft_builder *b, const mfft_axis *x) { return b->pairs || !mfft_is_odd_line(x->load, x->store); }

/* The length of the chain that a trial names for contiguous lines, if these lines can be convolved in it; else 0. */
static int64_t tried_length(const mfft_builder *b, const convolved_lines *x) {
  const mfft_block_trial *trial = &b->spec->block;
  int64_t m = 1;
  for (int i = 0; i < MFFT_TRIAL_MERGES && trial->radix[i]; i++) m *= trial->radix[i];
  if ((trial->n && trial->n != m) || trial->strided == 2 || x->strided) return 0;
  return m >= 2 * x->n - 1 && m <= longest_alone(b) ? m : 0;
}

static void choose_for(const mfft_builder *b, const convolved_lines *x, int lines, mfft_convolution_plan *plan) {
  const int64_t part = longest(b, lines), tried = tried_length(b, x);
  const mfft_convolution_request request = {.precision = b->spec->precision,
                                            .limits = b->limits,
                                            .n = x->n,
                                            .usual = x->strided ? part : longest(b, 1),
                                            .alone = x->strided ? part : longest_alone(b),
                                            .part = part,
                                            .lines = lines,
                                            .by_rader = x->by_rader,
                                            .rows = !x->strided,
                                            .of_reals = x->of_reals};
  if (tried)
    *plan = (mfft_convolution_plan){.m = tried, .parts = 1, .factor = {tried}, .cost = 2 * (double)x->n};
  else
    mfft_convolution_choose(&request, plan);
}

/* Blocks of lines that fill half a segment of memory may have lines twice as long.  Their passes are slower, so they are
 * chosen only where they save a pass. */
static void choose(const mfft_builder *b, const convolved_lines *x, mfft_convolution_plan *plan) {
  mfft_convolution_plan halved;
  choose_for(b, x, segment_lines(b), plan);
  if ((plan->m && plan->parts == 1) || segment_lines(b) < 2) return;
  choose_for(b, x, segment_lines(b) / 2, &halved);
  halved.cost *= mfft_tuned_for(b->limits)->cost.half_segments;
  halved.half_segments = 1;
  if (halved.m && (!plan->m || halved.cost < plan->cost)) *plan = halved;
}

/* ---- Pairs of real lines ---------------------------------------------------------------------------------------------- */

/* The dimension whose neighbours become pairs of real lines: one of an even count, else that of the largest, whose last pair
 * has one line; -1: the axis has no real lines of odd length, or one alone, unless that is a part of several. */
static int dimension_of_pairs(const mfft_builder *b, const mfft_axis *x) {
  int best = -1;
  for (int d = 0; d < b->count && mfft_is_odd_line(x->load, x->store); d++) {
    const int64_t n = b->dims[d].n, most = best < 0 ? 0 : b->dims[best].n;
    if (d == x->axis || (n < 2 && !b->spec->in_pairs)) continue;
    const int even = n % 2 == 0, best_is_even = best >= 0 && most % 2 == 0;
    if (even == best_is_even ? n > most : even) best = d;
  }
  return best;
}

/* Makes a dimension count pairs of neighbours. */
static void pair_up(mfft_builder *b, int dimension) {
  mfft_builder_dim *lines = &b->dims[dimension];
  b->pairs = dimension + 1;
  b->real_lines = lines->n;
  lines->n = (lines->n + 1) / 2;
  for (int i = 0; i < MFFT_PLACES; i++) lines->stride[i] *= 2;
}

/* ---- Convolutions ----------------------------------------------------------------------------------------------------- */

/* The steps of Bluestein's algorithm that pass i of `count` does, as mfft_bluestein_step. */
static int steps_of(int i, int count) {
  return (i == 0 ? MFFT_BLUESTEIN_LOAD : MFFT_BLUESTEIN_WIDE_IN) |
         (i == count - 1 ? MFFT_BLUESTEIN_STORE : MFFT_BLUESTEIN_WIDE_OUT) | (i == count / 2 ? MFFT_BLUESTEIN_SPECTRUM : 0);
}

/* The place to which a pass writes: the middle pass works in place, the others alternate between two parts of the workspace.
 */
static mfft_place_id place_behind(int i, int count, mfft_place_id from) {
  if (i == count / 2) return from;
  return from == MFFT_AT_PADDED ? MFFT_AT_PADDED2 : MFFT_AT_PADDED;
}

/* Whether the last of `count` passes leaves the spectra of pairs of real lines, which one more pass separates: elements k
 * and n - k of a pair are in different blocks. */
static int separates(const mfft_builder *b, const mfft_axis *x, int count) {
  return b->pairs && count > 1 && x->store == MFFT_FORM_HALF_ODD;
}
static mfft_status add_separation(mfft_builder *b, const mfft_axis *x, mfft_place_id src) {
  const mfft_pass_geometry pass = {.axis = x->axis,
                                   .n = x->n,
                                   .src = src,
                                   .dst = x->dst,
                                   .store = MFFT_FORM_HALF_ODD,
                                   .bluestein = MFFT_BLUESTEIN_WIDE_IN,
                                   .bluestein_n = x->n};
  return mfft_engines_add_packing(b, &pass);
}

/* Pass i of `count`, from one place to another.  *before: the product of the lengths before it. */
static mfft_status add_pass(mfft_builder *b, const mfft_axis *x, const mfft_convolution_plan *plan, int i, mfft_place_id src,
                            mfft_place_id dst, int64_t *before) {
  const int count = 2 * plan->parts - 1, mirrored = !plan->rader && i >= count / 2, part = mirrored ? count - 1 - i : i,
            last = i == count - 1, leaves = last && separates(b, x, count);
  if (i > count / 2) *before /= plan->factor[part];
  const mfft_pass_geometry pass = {
      .axis = x->axis,
      .n = plan->factor[part],
      .before = *before,
      .after = plan->m / *before / plan->factor[part],
      .src = src,
      .dst = dst,
      .load = i == 0 ? x->load : MFFT_FORM_COMPLEX,
      .store = last && !leaves ? x->store : MFFT_FORM_COMPLEX,
      .last = x->last,
      .bluestein = (plan->rader ? MFFT_BLUESTEIN_RADER : steps_of(i, count)) | (leaves ? MFFT_BLUESTEIN_WIDE_OUT : 0),
      .bluestein_n = x->n,
      .mirrored = mirrored};
  if (!mirrored) *before *= plan->factor[part];
  return mfft_add_pass(b, &pass);
}

/* The passes of the forward transform, of which the last is one with the first of the inverse one, and those of the latter.
 */
static mfft_status add_convolution(mfft_builder *b, const mfft_axis *x, const mfft_convolution_plan *plan) {
  const int count = 2 * plan->parts - 1;
  const mfft_device_limits *limits = b->limits;
  mfft_device_limits halved = *limits;
  mfft_status status = MFFT_SUCCESS;
  mfft_place_id at = x->src;
  int64_t before = 1;
  halved.segment_bytes /= 2;
  if (plan->half_segments) b->limits = &halved;
  if (count > 1) {
    const int64_t elements = mfft_builder_lay_out(b, x->src, x->axis, plan->m, MFFT_AT_PADDED, MFFT_AT_PADDED2);
    if (elements > b->padded_elements) b->padded_elements = elements;
  }
  for (int i = 0; i < count && status == MFFT_SUCCESS; i++) {
    const mfft_place_id to = i == count - 1 && !separates(b, x, count) ? x->dst : place_behind(i, count, at);
    status = add_pass(b, x, plan, i, at, to, &before);
    at = to;
  }
  if (status == MFFT_SUCCESS && separates(b, x, count)) status = add_separation(b, x, at);
  b->limits = limits;
  return status;
}

/* A length n = s p: passes over s, and a convolution of the lines of p elements. */
typedef struct split_length {
  int64_t p, factor[MFFT_MAX_FACTORS]; /* [parts] of s */
  int parts;                           /* 0: the length is not split */
  mfft_convolution_plan lines;
} split_length;

/* Splits off all factors that butterflies have, where that moves fewer bytes than the convolution of whole lines.  Half
 * spectra are loaded and stored by whole lines alone. */
static void choose_split(const mfft_builder *b, const mfft_axis *x, const mfft_convolution_plan *whole,
                         split_length *split) {
  const int64_t p = mfft_rest_of_length(x->n), s = x->n / p, most = longest(b, segment_lines(b));
  const int halves = is_half(x->load) || is_half(x->store);
  *split = (split_length){.p = p};
  if (s == 1 || halves || p > MOST_ELEMENTS) return;
  const convolved_lines lines = {.n = p, .strided = 1, .by_rader = 1};
  choose(b, &lines, &split->lines);
  for (int parts = 1; split->lines.m && parts < MFFT_MAX_FACTORS; parts++) {
    const double cost = (double)s * split->lines.cost + 2 * (double)x->n * parts;
    if (whole->m && cost >= whole->cost) return;
    split->parts = mfft_split_into(s, parts, most, split->factor) ? parts : 0;
    if (split->parts) return;
  }
}

/* Adds the convolutions of the s lines of p elements of a split axis, whose elements are s apart. */
static mfft_status add_lines(mfft_builder *b, const mfft_axis *x, const split_length *split, mfft_place_id src) {
  const mfft_builder_dim axis = b->dims[x->axis];
  const int64_t s = x->n / split->p;
  mfft_builder_dim *of_lines = &b->dims[x->axis], *beside = &b->dims[b->count];
  *beside = (mfft_builder_dim){.n = s};
  for (int i = 0; i < MFFT_PLACES; i++) beside->stride[i] = axis.stride[i], of_lines->stride[i] *= s;
  if (x->store == MFFT_FORM_REAL_PAIR) beside->stride[x->dst] *= 2;
  b->count++;
  const mfft_axis lines = {.axis = x->axis, .n = split->p, .src = src, .dst = x->dst, .store = x->store, .last = x->last};
  const mfft_status status = add_convolution(b, &lines, &split->lines);
  b->count--;
  b->dims[x->axis] = axis;
  if (status == MFFT_SUCCESS && x->store == MFFT_FORM_REAL_PAIR && !b->spec->pairs)
    b->schedule->pass[b->schedule->count - 1].args.out_pair = axis.stride[x->dst];
  return status;
}

static mfft_status add_split(mfft_builder *b, const mfft_axis *x, const split_length *split) {
  mfft_place_id at[MFFT_MAX_FACTORS + 1];
  int64_t before = 1;
  mfft_axis_places(b, x, split->parts + 1, at);
  for (int i = 0; i < split->parts; i++) {
    const mfft_pass_geometry pass = {.axis = x->axis,
                                     .n = split->factor[i],
                                     .before = before,
                                     .after = x->n / before / split->factor[i],
                                     .src = at[i],
                                     .dst = at[i + 1],
                                     .load = i ? MFFT_FORM_COMPLEX : x->load,
                                     .store = MFFT_FORM_COMPLEX};
    MFFT_TRY(mfft_add_pass(b, &pass));
    before *= split->factor[i];
  }
  return add_lines(b, x, split, at[split->parts]);
}

static mfft_status add_axis(mfft_builder *b, const mfft_axis *x) {
  mfft_convolution_plan whole = {0};
  split_length split;
  const convolved_lines lines = {.n = x->n,
                                 .strided = is_strided(b, x->axis, x->src, x->dst),
                                 .by_rader = has_forms(b, x),
                                 .of_reals = mfft_is_of_reals(b->pairs, x->load, x->store)};
  if (x->n <= MOST_ELEMENTS) choose(b, &lines, &whole);
  choose_split(b, x, &whole, &split);
  if (split.parts) return add_split(b, x, &split);
  if (whole.m) return add_convolution(b, x, &whole);
  return mfft_fail(
      MFFT_ERR_UNSUPPORTED,
      "cuda: length %lld has prime factors beyond %d whose product is longer than the %d that a convolution is done "
      "for (mfft_next_fast_length has lengths without)",
      (long long)x->n, MFFT_LARGEST_RADIX_PRIME, MOST_ELEMENTS);
}

int mfft_bluestein_packs(const mfft_builder *b, const mfft_axis *x) {
  mfft_convolution_plan plan;
  const convolved_lines lines = {.n = x->n, .strided = is_strided(b, x->axis, x->src, x->dst), .by_rader = 1, .of_reals = 1};
  if (b->spec->ends || x->n > MOST_ELEMENTS) return 0;
  choose(b, &lines, &plan);
  return plan.m && plan.parts == 1;
}

/* Whether half spectra are stored by a pass that separates pairs, whose neighbouring threads have neighbouring elements of a
 * line, while neighbours in memory are elements of different lines. */
static int separates_columns(const mfft_builder *b, const mfft_axis *x) {
  mfft_convolution_plan plan;
  if (x->store != MFFT_FORM_HALF_ODD || !is_strided(b, x->axis, x->src, x->dst)) return 0;
  const convolved_lines lines = {.n = x->n, .strided = 1};
  choose(b, &lines, &plan);
  return plan.parts > 1;
}

mfft_status mfft_bluestein_add(mfft_builder *b, const mfft_axis *x) {
  const int pairs = dimension_of_pairs(b, x);
  if (pairs < 0 || separates_columns(b, x)) return add_axis(b, x);
  const mfft_builder_dim lines = b->dims[pairs];
  pair_up(b, pairs);
  const mfft_status status = add_axis(b, x);
  b->dims[pairs] = lines;
  b->pairs = 0;
  return status;
}
