/* rader.c: see rader.h. */
#include "local/cuda/engines/rader.h"

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/butterfly_ends.h"
#include "local/cuda/engines/chain.h"
#include "local/cuda/engines/measured.h"
#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/engines/occupancy.h"
#include "local/cuda/planner/rader.h"
#include "local/cuda/tuned/rader_rules.h"

static int suits(const mfft_pass_request *r) { return (r->bluestein & MFFT_BLUESTEIN_RADER) != 0; }

/* Elements of a line are not loaded and stored in their order, so contiguous lines are staged; half spectra are always,
 * since elements k and n - k are made of each other. */
static mfft_staging staging(const mfft_end *end) {
  const int half = end->form == MFFT_FORM_HALF_ODD || end->form == MFFT_FORM_HALF_EVEN;
  return end->map == MFFT_MAP_ELEMENT || half ? MFFT_STAGED : MFFT_STAGED_NOT;
}

static void ends(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  k->in.staging = staging(&k->in);
  k->out.staging = staging(&k->out);
  mfft_butterfly_pair_reals(d->pass);
}

static void set_map(mfft_kernel *k, int lines) {
  k->map_mid = mfft_rader_is_by_line(k->precision, lines) ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
}

/* Shapes a block of contiguous lines as measured, or of as many as make a block of few threads; in both cases so few that no
 * multiprocessor is idle. */
static mfft_status shape_rows(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  const mfft_device_limits *limits = d->b->limits;
  const int64_t all = mfft_lines_of_parts(d), busy = mfft_busy_blocks(limits);
  const mfft_bounded_chain *measured = mfft_rader_measured(k->precision, k->chain.n);
  if (measured && mfft_measured_suits(d, &measured->chain)) {
    set_map(k, measured->chain.lines);
    return mfft_butterfly_take(k, limits, measured);
  }
  for (int i = 0;; i++) {
    const int lines = mfft_rader_lines(k->precision, i);
    if (lines > 1 && all / lines < busy) continue;
    set_map(k, lines);
    const mfft_status status = mfft_butterfly_shape_by_cost(k, limits, lines, all); /* so many lines may not fit a block */
    if (lines == 1 ||
        (status == MFFT_SUCCESS && mfft_rader_lines_suit(k->precision, k->chain.lines, k->chain.threads, k->chain.n)))
      return status;
  }
}

static mfft_status shape_columns(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  const int lines = mfft_rader_columns(k->precision, d->lines, k->chain.n, mfft_in_cache(d->b->limits));
  k->map_mid = MFFT_MAP_LINE;
  return mfft_butterfly_shape_by_cost(k, d->b->limits, lines, d->pass->args.lines);
}

/* Shapes a block as a trial requests it. */
static mfft_status shape_by_trial(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  set_map(k, d->b->spec->block.lines);
  if (d->strided) k->map_mid = MFFT_MAP_LINE;
  MFFT_TRY(mfft_block_trial_take(d));
  return mfft_butterfly_fit(k, d->b->limits);
}

static mfft_status shape(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  MFFT_TRY((d->b->spec->block.radix[0] ? shape_by_trial : d->strided ? shape_columns : shape_rows)(d));
  k->coprime = mfft_chain_is_coprime(&k->chain);
  return MFFT_SUCCESS;
}

/* Whether adjacent lines are adjacent in memory too, of pairs of real lines both.  second: distance of the second line of a
 * pair; lines: that of two neighbours, or pairs. */
static int touches(const mfft_pass_draft *d, const mfft_end *end, int64_t second, int64_t lines) {
  const mfft_pass *pass = d->pass;
  const int64_t n = d->geometry.bluestein_n;
  if (pass->kernel.loops != 1 || d->b->spec->filtered || end->half_width) return 0;
  if (!pass->kernel.real_pairs) return mfft_lines_touch(end, n, lines);
  return lines == 2 * second && mfft_lines_touch(end, n, second);
}

static void stage_as_one(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  const mfft_pass_args *a = &d->pass->args;
  if (touches(d, &k->in, a->in_pair, a->loop_in[0])) k->in.staging = MFFT_STAGED_AS_ONE;
  if (touches(d, &k->out, a->out_pair, a->loop_out[0])) k->out.staging = MFFT_STAGED_AS_ONE;
}

/* Twiddles of both chains, the second of which has the radices in the opposite order. */
static mfft_status twiddles(const mfft_kernel *kernel, mfft_table table[MFFT_TABLES]) {
  mfft_kernel second = *kernel;
  second.chain = mfft_chain_reversed(&kernel->chain);
  MFFT_TRY(mfft_table_merges(kernel, &table[MFFT_TABLE_MERGES]));
  return mfft_table_merges(&second, &table[MFFT_TABLE_SECOND]);
}

static mfft_status tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  if (!pass->kernel.coprime) MFFT_TRY(twiddles(&pass->kernel, table));
  MFFT_TRY(mfft_table_ends(pass, table));
  return mfft_table_rader(pass, table);
}

const mfft_engine mfft_engine_rader = {
    .name = "rader ",
    .source = "rader.cu",
    .filters = 1,
    .half_width = 1,
    .half_segments = 1,
    .suits = suits,
    .longest = mfft_butterfly_longest,
    .ends = ends,
    .shape = shape,
    .adjust = stage_as_one,
    .tables = tables,
    .options = mfft_options_of_pass,
};
