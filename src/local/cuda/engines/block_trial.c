/* block_trial.c: see block_trial.h. */
#include "local/cuda/engines/block_trial.h"

#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/measured.h"

enum { WARP = 32, STAGED_LOADS = 1, STAGED_STORES = 2 };

int mfft_block_trial_for(const mfft_pass_draft *d) {
  const mfft_block_trial *trial = &d->b->spec->block;
  return (trial->rank || trial->threads || trial->prefetch || trial->staging) && mfft_is_plain_pass(&d->pass->kernel) &&
         !d->b->spec->filtered && !d->pass->kernel.named;
}

void mfft_block_trial_stage(const mfft_builder *b, mfft_kernel *k) {
  const int wanted = b->spec->block.staging - 1;
  if (wanted < 0 || k->mirror) return;
  if (k->in.map == MFFT_MAP_ELEMENT) k->in.staging = wanted & STAGED_LOADS ? MFFT_STAGED : MFFT_STAGED_NOT;
  if (k->out.map == MFFT_MAP_ELEMENT && k->out.form != MFFT_FORM_HALF_EVEN)
    k->out.staging = wanted & STAGED_STORES ? MFFT_STAGED : MFFT_STAGED_NOT;
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
