/* convolution.c: see convolution.h. */
#include "local/cuda/engines/convolution.h"

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/butterfly_ends.h"
#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/measured.h"
#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/tuned/convolution_rules.h"
#include "local/cuda/tuned/filter_rules.h"

/* The middle pass of Bluestein's algorithm, and the convolution of an axis. */
static int suits(const mfft_pass_request *r) {
  return r->bluestein ? (r->bluestein & MFFT_BLUESTEIN_SPECTRUM) != 0 : r->spec->convolved != 0;
}

/* Lines are loaded to registers, and stored, without staging. */
static void ends(mfft_pass_draft *d) { mfft_butterfly_pair_reals(d->pass); }

/* Whether a pass is of the axis of a convolution, over the whole array, for which blocks were measured. */
static int is_of_axis(const mfft_pass_draft *d) {
  const mfft_kernel *k = &d->pass->kernel;
  return k->convolved && mfft_is_whole_pass(k) && !mfft_in_cache(d->b->limits);
}

/* Finds the measured chain of a line that Bluestein's algorithm convolves, or of the axis of a convolution, that leaves no
 * multiprocessor idle; returns 0 if there is none. */
static int find_measured(const mfft_pass_draft *d, mfft_bounded_chain *measured) {
  const mfft_kernel *k = &d->pass->kernel;
  const mfft_convolution_block *block = mfft_convolution_block_of(k);
  if (block)
    *measured = (mfft_bounded_chain){.chain = block->chain};
  else if (!is_of_axis(d) || !mfft_convolved_block_of(k, measured))
    return 0;
  return mfft_measured_suits(d, &measured->chain);
}

/* Shapes a block as a trial requests it, or as measured, or by least cost. */
static mfft_status shape(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  const mfft_device_limits *limits = d->b->limits;
  mfft_bounded_chain measured;
  if (mfft_block_trial_for(d)) {
    MFFT_TRY(mfft_block_trial_take(d));
    return mfft_butterfly_fit(k, limits);
  }
  if (find_measured(d, &measured)) return mfft_butterfly_take(k, limits, &measured);
  MFFT_TRY(mfft_butterfly_shape_by_cost(k, limits, d->lines, d->pass->args.lines));
  if (is_of_axis(d)) mfft_butterfly_fit_more(k, limits, mfft_convolved_registers(k, mfft_chain_values(k)));
  return MFFT_SUCCESS;
}

/* Tables of twiddles: of the forward chain, of the inverse chain, which has its radices in the opposite order, and between
 * passes. */
static mfft_status tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  mfft_kernel inverse = pass->kernel;
  inverse.sign = -inverse.sign;
  inverse.chain = mfft_chain_reversed(&pass->kernel.chain);
  MFFT_TRY(mfft_table_merges(&pass->kernel, &table[MFFT_TABLE_MERGES]));
  MFFT_TRY(mfft_table_merges(&inverse, &table[MFFT_TABLE_SECOND]));
  if (pass->real_length) return mfft_table_ends(pass, table); /* a whole line, without inter-pass twiddles */
  pass->kernel.sign = inverse.sign;                           /* of the inter-pass twiddle behind */
  const mfft_status status = mfft_table_outer(pass, pass->twiddle_order, table);
  pass->kernel.sign = -inverse.sign;
  return status;
}

const mfft_engine mfft_engine_convolution = {
    .name = "convolution ",
    .source = "convolution.cu",
    .filters = 1,
    .half_width = 1,
    .least_scattered = 1,
    .suits = suits,
    .longest = mfft_butterfly_longest,
    .ends = ends,
    .shape = shape,
    .tables = tables,
    .options = mfft_options_of_pass,
};
