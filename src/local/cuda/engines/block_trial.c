/* block_trial.c: see block_trial.h. */
#include "local/cuda/engines/block_trial.h"

#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/measured.h"
#include "local/cuda/tuned/butterfly_rules.h"

enum { WARP = 32, MOST_RADIX = 32, SHARED_TWIDDLES = 3, STAGED_LOADS = 1, STAGED_STORES = 2 };

int mfft_block_trial_covers(const mfft_pass_draft *d) {
  const mfft_block_trial *trial = &d->b->spec->block;
  return (!trial->n || trial->n == d->pass->kernel.chain.n) && (!trial->strided || (trial->strided == 2) == d->strided) &&
         (!trial->reach || (trial->reach == 1) == mfft_in_cache(d->b->limits));
}

int mfft_block_trial_for(const mfft_pass_draft *d) {
  const mfft_block_trial *trial = &d->b->spec->block;
  return (trial->rank || trial->threads || trial->prefetch || trial->staging || trial->radix[0]) &&
         mfft_block_trial_covers(d) && (trial->radix[0] ? mfft_is_whole_pass : mfft_is_plain_pass)(&d->pass->kernel) &&
         !d->pass->kernel.named;
}

void mfft_block_trial_stage(const mfft_builder *b, mfft_kernel *k) {
  const int wanted = b->spec->block.staging - 1;
  if (wanted < 0 || k->mirror) return;
  if (k->in.map == MFFT_MAP_ELEMENT) k->in.staging = wanted & STAGED_LOADS ? MFFT_STAGED : MFFT_STAGED_NOT;
  if (k->out.map == MFFT_MAP_ELEMENT && k->out.form != MFFT_FORM_HALF_EVEN)
    k->out.staging = wanted & STAGED_STORES ? MFFT_STAGED : MFFT_STAGED_NOT;
}

mfft_status mfft_block_trial_take(const mfft_pass_draft *d) {
  const mfft_block_trial *trial = &d->b->spec->block;
  mfft_kernel *k = &d->pass->kernel;
  mfft_chain chain = {.n = k->chain.n, .lines = trial->lines, .threads = trial->line_threads};
  int n = 1, suits = trial->lines > 0 && trial->line_threads > 0;
  for (int i = 0; i < MFFT_TRIAL_MERGES && trial->radix[i]; i++) {
    chain.radix[chain.merges++] = trial->radix[i];
    suits &= trial->radix[i] > 1 && trial->radix[i] <= MOST_RADIX;
    n *= trial->radix[i];
  }
  if (!suits || n != chain.n || !mfft_chain_fits(k, d->b->limits, &chain))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the chain of a trial does not suit %d lines of %d elements by %d threads",
                     trial->lines, k->chain.n, trial->line_threads);
  mfft_chain_take(k, &chain);
  k->hints.prefetch = k->in.last_use = 0;
  return MFFT_SUCCESS;
}

void mfft_block_trial_hints(const mfft_pass_draft *d) {
  const mfft_block_trial *trial = &d->b->spec->block;
  mfft_kernel *k = &d->pass->kernel;
  if (!mfft_block_trial_covers(d)) return;
  if (trial->early) {
    k->hints.early = trial->early == 1 && mfft_butterfly_may_be_early(k);
    mfft_chain_share_twiddles(k, d->b->limits, trial->early == SHARED_TWIDDLES && mfft_butterfly_may_share_twiddles(k));
  }
  if (trial->products && mfft_butterfly_may_take_products(k, (mfft_products)(trial->products - 1)))
    k->hints.products = (mfft_products)(trial->products - 1);
  if (trial->compact) k->tile.compact = trial->compact == 1;
  if (trial->blocks) k->tile.compact = 0, k->tile.min_blocks = trial->blocks;
}

int mfft_lines_of_full_warps(int threads, int most) {
  int best = 1, best_lanes = 1;
  for (int lines = most / threads; lines >= 1 && 2 * lines * threads >= most; lines--) {
    const int used = lines * threads, lanes = (used + WARP - 1) / WARP * WARP;
    if (best > 1 && used * best_lanes <= best * threads * lanes) continue;
    best = lines, best_lanes = lanes;
  }
  return best;
}
