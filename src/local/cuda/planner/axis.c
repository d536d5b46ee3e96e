/* axis.c: see axis.h. */
#include "local/cuda/planner/axis.h"

#include <string.h>

#include "base/primes.h"
#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/add_pass.h"
#include "local/cuda/planner/bluestein.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/radices.h"
#include "local/cuda/planner/spec_bytes.h"
#include "local/cuda/tuned/butterfly_rules.h"

enum { MAX_SPLIT = MFFT_MAX_FACTORS };

/* The whole axis as one pass. */
static mfft_pass_geometry as_one_pass(const mfft_axis *x) {
  return (mfft_pass_geometry){.axis = x->axis,
                              .n = x->n,
                              .before = 1,
                              .after = 1,
                              .src = x->src,
                              .dst = x->dst,
                              .load = x->load,
                              .store = x->store,
                              .last = x->last};
}

mfft_status mfft_axis_add_whole(mfft_builder *b, const mfft_axis *x) {
  const mfft_pass_geometry geometry = as_one_pass(x);
  return mfft_add_pass(b, &geometry);
}

/* The longest line of the family that a pass over the whole axis begins with. */
static int64_t longest(const mfft_builder *b, const mfft_axis *x, int general, int lines) {
  const mfft_pass_geometry whole = as_one_pass(x);
  const mfft_kernel k = {.engine = mfft_choose_engine(b, &whole)};
  const mfft_engine *engine = general ? mfft_engine_general() : mfft_engine_of(&k);
  return engine->longest(b->spec->precision, b->limits, lines);
}

/* Factors of an axis of complexes at both ends, so that each pass holds one line at a time. */
static int choose_complex_factors(const mfft_builder *b, int64_t n, int64_t most, int64_t factor[MAX_SPLIT]) {
  for (int parts = 2; parts <= MAX_SPLIT; parts++) {
    if (!mfft_split_into(n, parts, most, factor)) continue;
    const mfft_tuned_thirds *tuned = &mfft_tuned_for(b->limits)->sixteen_bit_thirds;
    if (is_sixteen_bit(b->spec->precision) && parts == 3 && factor[0] == tuned->outer && factor[2] == tuned->outer)
      factor[0] = tuned->first, factor[2] = tuned->last;
    return parts;
  }
  return 0;
}

/* A thread holds 32 values, so that it has two butterflies only of primes up to this radix. */
enum { MOST_PAIRED_RADIX = 16 };

/* Factors of an axis with a half spectrum at one end. The pass that loads or stores the half spectrum holds two lines where
 * others hold one, so that a butterfly has half as many inputs, and needs even counts of lines and of elements of a line.
 * first: it is the first pass. */
static int choose_half_factors(const mfft_builder *b, int64_t n, int64_t most, int first, int64_t factor[MAX_SPLIT]) {
  const int64_t most_held = mfft_engine_general()->longest(b->spec->precision, b->limits, 2 * segment_lines(b));
  for (int parts = 2; parts <= MAX_SPLIT; parts++) {
    int64_t best = 0;
    for (int64_t f = 4; f <= most_held; f += 4) {
      int64_t rest[MAX_SPLIT], largest;
      if (n % f || n / f % 2 || n / f < 4 || mfft_largest_prime(f) > MOST_PAIRED_RADIX) continue;
      if (!(largest = mfft_split_into(n / f, parts - 1, most, rest))) continue;
      if (largest < 2 * f) largest = 2 * f;
      if (best && largest >= best) continue;
      best = largest;
      memcpy(factor + first, rest, (size_t)(parts - 1) * sizeof *rest);
      factor[first ? 0 : parts - 1] = f;
    }
    if (best) return parts;
  }
  return 0;
}

/* Factors of an axis of several passes; how many, or 0. */
static int choose_factors(const mfft_builder *b, const mfft_axis *x, int general, int64_t factor[MAX_SPLIT]) {
  const int first = x->load == MFFT_FORM_HALF_EVEN, half = first || x->store == MFFT_FORM_HALF_EVEN;
  const int64_t of_block = longest(b, x, general, segment_lines(b)), of_tile = mfft_engines_longest_part(b, x->n);
  const int64_t most = of_tile > of_block ? of_tile : of_block;
  return half ? choose_half_factors(b, x->n, most, first, factor) : choose_complex_factors(b, x->n, most, factor);
}

/* Complexes that one pass holds of a line. */
static int64_t held_as(const mfft_axis *x) { return mfft_is_odd_line(x->load, x->store) ? mfft_held_of_odd(x->n) : x->n; }

/* Whether adjacent elements in memory are of different lines, on one side. */
static int is_strided_on(const mfft_builder *b, const mfft_axis *x, mfft_place_id place, int input) {
  return mfft_builder_least_stride(b, x->axis, place, NULL, 0, input) < b->dims[x->axis].stride[place];
}
static int is_strided(const mfft_builder *b, const mfft_axis *x) {
  return is_strided_on(b, x, x->src, 1) || is_strided_on(b, x, x->dst, 0);
}

/* Whether the axis is contiguous lines of complex doubles, or of an odd number of doubles, longer than other kinds, that a
 * block of its own still holds.  Complex lines so few that half of the multiprocessors would have none take two passes. */
static int is_long_double_line(const mfft_builder *b, const mfft_axis *x, int strided) {
  const int complex = x->load == MFFT_FORM_COMPLEX && x->store == MFFT_FORM_COMPLEX;
  const int many = complex && 2 * mfft_builder_others(b, x->axis, x->axis) > b->limits->sms;
  return b->spec->precision == MFFT_DOUBLE && !strided && (many || mfft_is_odd_line(x->load, x->store)) &&
         x->dst != MFFT_AT_SHARES && held_as(x) <= mfft_butterfly_longest_doubles() &&
         held_as(x) <= mfft_butterfly_room(MFFT_DOUBLE, b->limits) && mfft_largest_prime(x->n) <= 13;
}

/* Whether one pass of half segments takes less time than two passes of whole ones: in 16 bits, and of complexes in single
 * and double, where butterflies do it.  What the cache holds has short segments anyway. */
static int takes_half_segments(const mfft_builder *b, const mfft_axis *x) {
  const int complex = x->load == MFFT_FORM_COMPLEX && x->store == MFFT_FORM_COMPLEX;
  const int measured = is_sixteen_bit(b->spec->precision) || complex;
  return measured && b->spec->compute != MFFT_COMPUTE_TENSOR && !mfft_in_cache(b->limits) &&
         mfft_spec_bytes(b->spec) > b->limits->part_bytes;
}

/* Neighbouring lines that a block of one pass over the axis must hold at least. */
static int least_lines(const mfft_builder *b, const mfft_axis *x) {
  const mfft_tuned_segments *tuned = &mfft_tuned_for(b->limits)->segments;
  const int least = x->dst == MFFT_AT_SHARES    ? tuned->share_bytes
                    : takes_half_segments(b, x) ? tuned->half_bytes
                                                : b->limits->segment_bytes;
  return least / complex_bytes(b->spec->precision);
}

int mfft_axis_fits_one_pass(const mfft_builder *b, const mfft_axis *x, int general) {
  const int64_t n = held_as(x);
  const int strided_in = is_strided_on(b, x, x->src, 1), strided = is_strided(b, x);
  return n <= longest(b, x, general, strided ? least_lines(b, x) : 1) || is_long_double_line(b, x, strided) ||
         (x->dst != MFFT_AT_SHARES && strided == strided_in && mfft_engines_hold(b, n, n, strided));
}

int mfft_axis_fits_sectors(const mfft_builder *b, const mfft_axis *x) {
  const int of_line = (x->load == MFFT_FORM_LINE_PAIR ? 2 : 1) * (int)mfft_real_bytes(b->spec->precision);
  return held_as(x) <= longest(b, x, 1, is_strided(b, x) ? MFFT_SECTOR_BYTES / of_line : 1);
}

int mfft_axis_packs(const mfft_builder *b, const mfft_axis *x) {
  int64_t factor[MAX_SPLIT];
  const int in_pairs = x->n < MFFT_LARGEST_RADIX_PRIME + 1 || mfft_least_prime(x->n, 2) <= MOST_PAIRED_RADIX;
  if (mfft_rest_of_length(x->n) > 1) return !b->spec->radices[x->axis] && mfft_bluestein_packs(b, x);
  if (!in_pairs) return 0;
  return b->spec->radices[x->axis] || mfft_axis_fits_one_pass(b, x, 1) || choose_factors(b, x, 1, factor);
}

/* Whether the pass of named radices that meets a half spectrum can hold its lines in pairs; see choose_factors. */
static mfft_status check_named(const mfft_radices *named, mfft_form load, mfft_form store) {
  const int first = load == MFFT_FORM_HALF_EVEN, meets = first ? 0 : named->passes - 1;
  int64_t others = 1;
  if (named->passes == 1 || (!first && store != MFFT_FORM_HALF_EVEN)) return MFFT_SUCCESS;
  for (int i = 0; i < named->passes; i++) others *= i == meets ? 1 : named->n[i];
  if (named->n[meets] % 4 == 0 && others % 2 == 0 && others >= 4) return MFFT_SUCCESS;
  return mfft_fail(
      MFFT_ERR_UNSUPPORTED,
      "cuda: the %s pass of a real axis of several passes wants a length that is a multiple of 4, beside others of "
      "an even product; radices give it %lld beside %lld",
      first ? "first" : "last", (long long)named->n[meets], (long long)others);
}

/* The passes that an axis takes, and their lengths; 0 where it cannot be. */
static int choose_passes(const mfft_builder *b, const mfft_axis *x, int64_t factor[MAX_SPLIT]) {
  factor[0] = x->n;
  return mfft_axis_fits_one_pass(b, x, 0) ? 1 : choose_factors(b, x, 0, factor);
}

static mfft_status add_passes(mfft_builder *b, const mfft_axis *x, int parts, const int64_t factor[MAX_SPLIT],
                              const mfft_radices *named) {
  mfft_place_id at[MAX_SPLIT + 1];
  mfft_axis_places(b, x, parts, at);
  int64_t before = 1;
  for (int i = 0; i < parts; i++) {
    const int first = i == 0, last = i == parts - 1;
    const mfft_pass_geometry geometry = {.axis = x->axis,
                                         .n = factor[i],
                                         .before = before,
                                         .after = x->n / before / factor[i],
                                         .src = at[i],
                                         .dst = at[i + 1],
                                         .load = first ? x->load : MFFT_FORM_COMPLEX,
                                         .store = last ? x->store : MFFT_FORM_COMPLEX,
                                         .last = x->last && last};
    b->named = named->passes ? named->radix[i] : NULL;
    b->named_merges = named->merges[i];
    MFFT_TRY(mfft_add_pass(b, &geometry));
    before *= factor[i];
  }
  b->named = NULL;
  return MFFT_SUCCESS;
}

mfft_status mfft_axis_try_columns(mfft_builder *b, const mfft_axis *x, int *added) {
  const mfft_pair_request columns = {MFFT_PAIR_COLUMNS, x->axis, x->axis, x->src, x->dst, x->last};
  *added = 0;
  const int complex = x->load == MFFT_FORM_COMPLEX && x->store == MFFT_FORM_COMPLEX;
  if (!complex && x->load != MFFT_FORM_LINE_PAIR) return MFFT_SUCCESS;
  return mfft_engines_try_pair(b, &columns, added);
}

/* An axis of which a part is given or wanted: one pass of butterflies. */
static mfft_status add_pruned(mfft_builder *b, const mfft_axis *x, const mfft_radices *named) {
  const int64_t factor[MAX_SPLIT] = {x->n};
  if (mfft_rest_of_length(x->n) == 1 && named->passes <= 1 && mfft_axis_fits_sectors(b, x))
    return add_passes(b, x, 1, factor, named);
  return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a part of an axis of %lld elements, which is no single pass of butterflies",
                   (long long)x->n);
}

mfft_status mfft_axis_add(mfft_builder *b, const mfft_axis *x) {
  mfft_radices named;
  int64_t factor[MAX_SPLIT];
  int added;
  MFFT_TRY(mfft_radices_read(b->spec->radices[x->axis], x->n, &named));
  if (mfft_builder_given(b, x->axis)) return add_pruned(b, x, &named);
  if (named.passes) {
    MFFT_TRY(check_named(&named, x->load, x->store));
    return add_passes(b, x, named.passes, named.n, &named);
  }
  if (mfft_rest_of_length(x->n) > 1) return mfft_bluestein_add(b, x);
  MFFT_TRY(mfft_axis_try_columns(b, x, &added));
  if (added) return MFFT_SUCCESS;
  const int parts = choose_passes(b, x, factor);
  if (!parts)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: length %lld does not split into %d factors that a block can hold",
                     (long long)x->n, MAX_SPLIT);
  return add_passes(b, x, parts, factor, &named);
}
