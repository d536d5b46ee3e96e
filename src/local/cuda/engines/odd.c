/* odd.c: see odd.h.  The chain is that of register butterflies, of which one merge has real inputs or outputs. */
#include "local/cuda/engines/odd.h"

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/butterfly_ends.h"
#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/measured.h"
#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/tuned/odd_rules.h"

static int suits(const mfft_pass_request *r) {
  return !r->bluestein && !r->spec->convolved && mfft_is_odd_line(r->load, r->store);
}

static void ends(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  k->exact = mfft_odd_exact(k);
  const int whole = mfft_odd_whole(k);
  k->in.staging = k->in.map == MFFT_MAP_ELEMENT && whole;
  k->out.staging = k->out.map == MFFT_MAP_ELEMENT && whole;
}

/* The measured chain, where enough lines keep all multiprocessors busy. */
static const mfft_chain *measured(const mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  const mfft_kernel *k = &d->pass->kernel;
  const mfft_chain *chain = mfft_in_cache(limits) ? NULL : mfft_odd_chain(k);
  return chain && mfft_measured_suits(d, chain) ? chain : NULL;
}

static mfft_status shape(mfft_pass_draft *d) {
  if (d->b->spec->block.radix[0]) {
    MFFT_TRY(mfft_block_trial_take(d));
    return mfft_butterfly_fit(&d->pass->kernel, d->b->limits);
  }
  const mfft_chain *chain = measured(d);
  if (chain) {
    mfft_chain_take(&d->pass->kernel, chain);
    return mfft_butterfly_fit(&d->pass->kernel, d->b->limits);
  }
  return mfft_butterfly_shape_by_cost(&d->pass->kernel, d->b->limits, d->lines, d->pass->args.lines);
}

/* Stages a side of the block if its lines are copied as one piece then. */
static void stage_where_adjacent(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  const int loads = !k->in.staging && mfft_odd_copies_loads(k), stores = !k->out.staging && mfft_odd_copies_stores(k);
  if (loads) k->in.staging = MFFT_STAGED;
  if (stores) k->out.staging = MFFT_STAGED;
  mfft_butterfly_stage_as_one(d);
  if (loads && k->in.staging != MFFT_STAGED_AS_ONE) k->in.staging = MFFT_STAGED_NOT;
  if (stores && k->out.staging != MFFT_STAGED_AS_ONE) k->out.staging = MFFT_STAGED_NOT;
}

static void adjust(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  if (mfft_odd_stages(k)) k->out.staging = MFFT_STAGED;
  stage_where_adjacent(d);
  mfft_block_trial_stage(d->b, k);
  mfft_butterfly_stage_as_one(d);
  const int trial = d->b->spec->block.prefetch, ahead = trial ? trial - 1 : mfft_odd_fetches(k);
  if (!mfft_in_cache(d->b->limits)) k->hints.prefetch = ahead * d->b->limits->sms;
}

const mfft_engine mfft_engine_odd = {
    .name = "real ",
    .source = "odd.cu",
    .suits = suits,
    .longest = mfft_butterfly_longest,
    .ends = ends,
    .shape = shape,
    .adjust = adjust,
    .tables = mfft_table_chain,
    .options = mfft_options_of_pass,
};
