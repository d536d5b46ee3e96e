/* butterfly.c: the engine of register butterflies: how a block is shaped.  butterfly_ends.c sets how it loads and stores. */
#include "local/cuda/engines/butterfly.h"

#include <math.h>

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/butterfly_ends.h"
#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/chain_order.h"
#include "local/cuda/engines/measured.h"
#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/engines/occupancy.h"
#include "local/cuda/tuned/butterfly_rules.h"
#include "local/cuda/tuned/filter_rules.h"
#include "local/cuda/tuned/odd_rules.h"
#include "local/cuda/tuned/strided_rules.h"

/* Elements that the registers of a block of 1024 threads can hold with enough registers left for the computation. */
static int64_t block_elements(mfft_precision precision) { return is_double(precision) ? 8192 : 16384; }

int64_t mfft_butterfly_room(mfft_precision precision, const mfft_device_limits *limits) {
  const int64_t slot = is_double(precision) ? 16 : 8;
  return (limits->shared_bytes - 8192) * 16 / 17 / slot; /* gaps, and steps between passes */
}

int64_t mfft_butterfly_longest(mfft_precision precision, const mfft_device_limits *limits, int lines) {
  const int64_t room = mfft_butterfly_room(precision, limits);
  int64_t elements = block_elements(precision);
  if (room < elements) elements = room;
  return elements / lines;
}

/* Bounds the registers for two or three blocks of a multiprocessor where these hardly need more: by their usual number one
 * block fits, which leaves more to the compiler than the threads are worth that wait for memory. */
static void bound_for_more(mfft_kernel *k, const mfft_device_limits *limits) {
  enum { MOST = 3 };
  const int values = mfft_chain_values(k), cached = mfft_in_cache(limits);
  if (k->hints.few_blocks) return;
  for (int blocks = MOST; blocks > 1 && k->tile.min_blocks == 1; blocks--)
    if (mfft_registers_of(k, limits, blocks) >= mfft_butterfly_enough_registers(k, values, blocks, cached))
      k->tile.min_blocks = blocks;
}

/* Bounds the blocks of a multiprocessor to those that leave a seventh of its shared memory to the L1 cache: each asks for so
 * much that one more would not fit.  CUDA reserves 1024 bytes for each block beside those that it asks for. */
static void leave_cache(mfft_kernel *k, const mfft_device_limits *limits) {
  enum { RESERVED = 1024, ALIGNMENT = 16 };
  const int all = limits->sm_shared_bytes, most = all / 7 * 6, blocks = most / (k->tile.shared_bytes + RESERVED);
  const int room = (all / (blocks + 1) / ALIGNMENT + 1) * ALIGNMENT; /* of a block, so that blocks + 1 do not fit */
  if (blocks < 1 || blocks * room > most || room - RESERVED > limits->shared_bytes) return;
  if (room - RESERVED > k->tile.shared_bytes) k->tile.shared_bytes = room - RESERVED;
  if (k->tile.min_blocks > blocks) k->tile.min_blocks = blocks;
}

mfft_status mfft_butterfly_fit(mfft_kernel *k, const mfft_device_limits *limits) {
  k->hints.shared_twiddles = 0;
  mfft_chain_memory_by_banks(k);
  if (k->tile.shared_bytes > limits->shared_bytes)
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: a block of %d lines of %d elements needs %d bytes of shared memory, %d exist", k->chain.lines,
                     k->chain.n, k->tile.shared_bytes, limits->shared_bytes);
  mfft_bound_blocks(k, limits, mfft_butterfly_registers(k, mfft_chain_values(k)));
  if (mfft_butterfly_leaves_cache(k)) leave_cache(k, limits);
  bound_for_more(k, limits);
  k->tile.compact = mfft_butterfly_compact(k);
  const int blocks = mfft_butterfly_bound(k);
  if (blocks) k->tile.compact = 0, k->tile.min_blocks = blocks;
  k->hints.early = mfft_butterfly_is_early(k);
  k->hints.products = mfft_butterfly_products(k);
  k->hints.sole_line = mfft_butterfly_has_sole_line(k);
  mfft_chain_share_twiddles(k, limits, mfft_butterfly_shares_twiddles(k));
  return MFFT_SUCCESS;
}

mfft_status mfft_butterfly_take(mfft_kernel *k, const mfft_device_limits *limits, const mfft_bounded_chain *measured) {
  mfft_chain_take(k, &measured->chain);
  MFFT_TRY(mfft_butterfly_fit(k, limits));
  if (measured->blocks && mfft_registers_of(k, limits, measured->blocks)) /* if so many can run on this device */
    k->tile.compact = 0, k->tile.min_blocks = measured->blocks;
  return MFFT_SUCCESS;
}

void mfft_butterfly_fit_more(mfft_kernel *k, const mfft_device_limits *limits, int enough) {
  enum { MOST = 4 };
  for (int blocks = MOST; blocks > k->tile.min_blocks; blocks--)
    if (mfft_registers_of(k, limits, blocks) >= enough) k->tile.compact = 0, k->tile.min_blocks = blocks;
}

/* A real line that a thread holds whole is one butterfly of real_butterfly.cuh, which has all lengths but powers of two. */
static int one_butterfly(const mfft_kernel *k) {
  return k->chain.threads == 1 && !k->named && !k->mirror && mfft_paired_merge(k, k->chain.merges) >= 0 &&
         !is_power(k->chain.n);
}

static void take_whole(mfft_kernel *k) {
  k->chain.threads = 1;
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  k->chain.merges = 1;
  k->chain.radix[0] = k->chain.n;
}

/* A merge of the prime, then one of the other factor. */
static void take_multiple(mfft_kernel *k, int prime) {
  const int other = k->chain.n / prime;
  k->chain.threads = other;
  k->chain.merges = 2;
  k->chain.radix[0] = prime;
  k->chain.radix[1] = other;
}

static int block_target(const mfft_kernel *k, int whole) {
  return k->engine == MFFT_ENGINE_ODD ? mfft_odd_block(k) : mfft_butterfly_threads(k, whole, mfft_chain_values(k));
}

/* As many lines as make a good block, but not so many that multiprocessors stay idle. */
static void share_lines(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines, int target) {
  const int64_t elements = block_elements(k->precision), of_line = (int64_t)mfft_chain_held(k) * mfft_chain_sides(k);
  k->chain.lines = wanted_lines;
  for (int twice = 2 * wanted_lines; twice * k->chain.threads <= target && of_line * twice <= elements; twice *= 2) {
    if (lines / twice < mfft_busy_blocks(limits) && k->chain.lines * k->chain.threads >= 32) return;
    k->chain.lines = twice;
    mfft_chain_memory(k);
    if (k->tile.shared_bytes <= limits->shared_bytes) continue;
    k->chain.lines = twice / 2;
    return;
  }
}

mfft_status mfft_butterfly_shape_by_cost(mfft_kernel *k, const mfft_device_limits *limits, int wanted_lines, int64_t lines) {
  const int whole = k->in.staging && k->out.staging && mfft_has_whole_lines(k);
  k->hints.shared_twiddles = 0;
  for (int i = k->named ? k->chain.merges : 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  if (wanted_lines > lines) wanted_lines = (int)lines;
  if (wanted_lines < 1) wanted_lines = 1;
  const int prime = k->in.staging && k->out.staging ? mfft_butterfly_multiple_of(k) : 0;
  if (prime) take_multiple(k, prime);
  if (!whole && !prime) MFFT_TRY(mfft_chain_choose(k, limits, wanted_lines));
  if (!whole && !prime && mfft_butterfly_is_ordered(k)) mfft_chain_order(k, mfft_butterfly_is_fitted(k));
  if (whole || one_butterfly(k) || mfft_odd_whole(k)) take_whole(k);
  const int small = mfft_butterfly_small_block(k), full = small ? mfft_lines_of_full_warps(k->chain.threads, small) : 0;
  if (full && lines / full >= mfft_busy_blocks(limits))
    k->chain.lines = full;
  else
    share_lines(k, limits, wanted_lines, lines, block_target(k, whole));
  return mfft_butterfly_fit(k, limits);
}

/* A kernel with the measured chain. */
static mfft_status take_measured(mfft_kernel *k, const mfft_device_limits *limits, const mfft_tuned_chain *measured) {
  mfft_chain_take(k, &measured->chain);
  MFFT_TRY(mfft_butterfly_fit(k, limits));
  k->hints.prefetch = measured->prefetch * limits->sms;
  /* Limits the blocks of a multiprocessor by asking for so much shared memory that no further block fits.  CUDA reserves
   * 1024 bytes for each block beside those that it asks for. */
  const int room = measured->blocks ? limits->sm_shared_bytes / (measured->blocks + 1) / 1024 * 1024 : 0;
  if (room > k->tile.shared_bytes) k->tile.shared_bytes = room;
  return MFFT_SUCCESS;
}

/* Whether several blocks fit a multiprocessor in fact where their registers are bounded for one: of lines in single whose
 * threads have few values the compiler takes 64 registers. */
static int takes_fewer(const mfft_kernel *k) {
  enum { VALUES = 22, THREADS = 384 };
  return k->precision == MFFT_SINGLE && mfft_chain_values(k) <= VALUES && k->chain.lines * k->chain.threads <= THREADS;
}

/* Whether blocks of a kernel without a measured chain should prefetch the lines of the blocks after them. */
static int prefetches(const mfft_kernel *k, const mfft_device_limits *limits) {
  return mfft_is_plain_pass(k) && !takes_fewer(k) && k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX &&
         k->tile.min_blocks == 1 && k->in.map == MFFT_MAP_ELEMENT && k->in.unit && !k->in.staging && !mfft_in_cache(limits);
}

/* Whether no multiprocessor has two blocks, so that bounds of registers, and products in the place of loaded twiddles, gain
 * nothing.  Parts that stay in the cache run beside others. */
static int has_few_blocks(const mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  return d->strided && !mfft_in_cache(limits) && d->pass->args.lines <= (int64_t)d->lines * limits->sms;
}

/* Finds a chain of two merges for strided lines of doubles.  There must be a block for each multiprocessor, or for every
 * second one if the lines are a part that stays in the cache, since another part runs beside it. */
static int has_pair(const mfft_pass_draft *d, mfft_chain *chain) {
  const mfft_device_limits *limits = d->b->limits;
  const mfft_kernel *k = &d->pass->kernel;
  const int cached = mfft_in_cache(limits);
  return !k->named && mfft_is_whole_pass(k) && mfft_strided_pair(k, cached, chain) &&
         mfft_lines_of_parts(d) * (cached ? 2 : 1) >= chain->lines * limits->sms && mfft_chain_fits(k, limits, chain);
}

/* Shapes the block of a pass of a filtered transform: by the measured chain if there is one and the pass multiplies what it
 * loads, else by the least estimated cost. */
static mfft_status shape_filtered(mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  mfft_kernel *k = &d->pass->kernel;
  const int multiplies = d->b->spec->filtered == MFFT_FILTER_INPUT && d->pass == d->b->schedule->pass,
            suits = multiplies && mfft_is_plain_pass(k) && !mfft_in_cache(limits);
  mfft_bounded_chain measured;
  if (suits && mfft_filtered_block_of(k, &measured) && mfft_measured_suits(d, &measured.chain))
    return mfft_butterfly_take(k, limits, &measured);
  MFFT_TRY(mfft_butterfly_shape_by_cost(k, limits, d->lines, d->pass->args.lines));
  if (suits) mfft_butterfly_fit_more(k, limits, mfft_filtered_registers(k, mfft_chain_values(k)));
  return MFFT_SUCCESS;
}

/* Shapes the block by the measured chain if there is one, else by the least estimated cost. */
static mfft_status shape_by_rule(mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  mfft_kernel *k = &d->pass->kernel;
  k->hints.few_blocks = has_few_blocks(d);
  if (d->b->spec->filtered) return shape_filtered(d);
  const mfft_tuned_chain *measured = mfft_measured_find(d);
  mfft_chain pair;
  if (measured) return take_measured(k, limits, measured);
  if (has_pair(d, &pair)) {
    mfft_chain_take(k, &pair);
    return mfft_butterfly_fit(k, limits);
  }
  MFFT_TRY(mfft_butterfly_shape_by_cost(k, limits, d->lines, d->pass->args.lines));
  if (prefetches(k, limits)) k->hints.prefetch = limits->sms, k->in.last_use = 1;
  return MFFT_SUCCESS;
}

/* Chain, threads, lines and prefetching as a trial requests them.  Fails where the request does not suit the length. */
static mfft_status shape_by_trial(mfft_pass_draft *d) {
  enum { LAST_IN = 1, LAST_OUT = 2 };
  const mfft_device_limits *limits = d->b->limits;
  const mfft_block_trial *trial = &d->b->spec->block;
  mfft_kernel *k = &d->pass->kernel;
  if (trial->radix[0]) {
    MFFT_TRY(mfft_block_trial_take(d));
    MFFT_TRY(mfft_butterfly_fit(k, limits));
  } else if (!trial->rank)
    MFFT_TRY(shape_by_rule(d));
  else if (mfft_chain_ranked(k, limits, d->lines, trial->rank) == INFINITY)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: a line of %d elements has fewer than %d chains of merges", k->chain.n,
                     trial->rank);
  if (trial->rank) mfft_chain_order(k, 1);
  if (trial->rank || trial->threads) {
    const int most = trial->threads ? trial->threads : block_target(k, 0);
    k->chain.lines = d->strided ? d->lines : mfft_lines_of_full_warps(k->chain.threads, most);
    MFFT_TRY(mfft_butterfly_fit(k, limits));
  }
  if (trial->prefetch) {
    const int able = k->in.map == MFFT_MAP_ELEMENT && k->in.unit;
    k->hints.prefetch = able ? (trial->prefetch - 1) * limits->sms : 0;
    k->in.last_use = k->hints.prefetch > 0 || (able && trial->last_use & LAST_IN);
    k->out.last_use = (trial->last_use & LAST_OUT) != 0;
  }
  return MFFT_SUCCESS;
}

static mfft_status shape(mfft_pass_draft *d) { return mfft_block_trial_for(d) ? shape_by_trial(d) : shape_by_rule(d); }

static int suits(const mfft_pass_request *r) {
  (void)r;
  return 1;
}

const mfft_engine mfft_engine_butterfly = {
    .name = "",
    .source = "pass.cu",
    .filters = 1,
    .half_width = 1,
    .half_segments = 1,
    .narrow_segments = 1,
    .least_scattered = 1,
    .suits = suits,
    .longest = mfft_butterfly_longest,
    .ends = mfft_butterfly_ends,
    .shape = shape,
    .adjust = mfft_butterfly_stage_as_one,
    .tables = mfft_table_chain,
    .options = mfft_options_of_pass,
};
