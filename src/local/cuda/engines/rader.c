/* rader.c: see rader.h. */
#include "local/cuda/engines/rader.h"

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/merge_tables.h"
#include "local/cuda/planner/rader.h"

static int suits(const mfft_pass_request *r) { return (r->bluestein & MFFT_BLUESTEIN_RADER) != 0; }

/* Elements of a line are not loaded and stored in their order, so contiguous lines are staged; half spectra of pairs of real
 * lines are always, since elements k and n - k make an element of both. */
static void ends(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  k->in.staging = k->in.map == MFFT_MAP_ELEMENT ? MFFT_STAGED : MFFT_STAGED_NOT;
  k->out.staging = k->out.map == MFFT_MAP_ELEMENT || k->out.form == MFFT_FORM_HALF_ODD ? MFFT_STAGED : MFFT_STAGED_NOT;
}

/* Threads that access shared memory at once. */
static int threads_at_once(const mfft_kernel *k) {
  enum { CYCLE_BYTES = 128 };
  return CYCLE_BYTES / value_bytes(k->precision);
}

/* Whether neighbouring threads have neighbouring lines, so that they access different banks: where at least half of the
 * threads that access shared memory at once then do. */
static int by_line(const mfft_kernel *k, int lines) { return 2 * lines >= threads_at_once(k); }

/* Contiguous lines of a block at least: as many as threads access shared memory at once, but so few that several blocks fit
 * a multiprocessor, and that no multiprocessor is idle. */
static int lines_of_rows(const mfft_pass_draft *d) {
  enum { BLOCK_BYTES = 34000, ELEMENTS = 2600 };
  const mfft_kernel *k = &d->pass->kernel;
  const int64_t n = d->geometry.bluestein_n, all = d->pass->args.lines;
  int lines = threads_at_once(k);
  while (lines > 1 && (lines * n * value_bytes(k->precision) > BLOCK_BYTES || (!by_line(k, lines) && lines * n > ELEMENTS) ||
                       all / lines < mfft_busy_blocks(d->b->limits)))
    lines /= 2;
  return lines;
}

static mfft_status shape(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  const int trial = d->b->spec->block.radix[0] != 0, strided = d->strided,
            lines = trial     ? d->b->spec->block.lines
                    : strided ? d->lines
                              : lines_of_rows(d);
  k->map_mid = strided || by_line(k, lines) ? MFFT_MAP_LINE : MFFT_MAP_ELEMENT;
  if (!trial) return mfft_butterfly_shape_by_cost(k, d->b->limits, lines, d->pass->args.lines);
  MFFT_TRY(mfft_block_trial_take(d));
  return mfft_butterfly_fit(k, d->b->limits);
}

/* Whether adjacent lines are adjacent in memory too, and elements are copied as they are. */
static int touches(const mfft_pass_draft *d, const mfft_end *end, long long distance) {
  return d->pass->kernel.loops == 1 && end->staging && end->unit && !end->half_width && end->form == MFFT_FORM_COMPLEX &&
         !d->b->spec->filtered && distance == d->geometry.bluestein_n;
}

static void stage_as_one(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  if (touches(d, &k->in, d->pass->args.loop_in[0])) k->in.staging = MFFT_STAGED_AS_ONE;
  if (touches(d, &k->out, d->pass->args.loop_out[0])) k->out.staging = MFFT_STAGED_AS_ONE;
}

/* Twiddles of both chains, the second of which has the radices in the opposite order; and those of the algorithm. */
static mfft_status tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  mfft_kernel second = pass->kernel;
  const mfft_chain *chain = &pass->kernel.chain;
  for (int i = 0; i < chain->merges; i++) second.chain.radix[i] = chain->radix[chain->merges - 1 - i];
  MFFT_TRY(mfft_table_merges(&pass->kernel, &table[MFFT_TABLE_MERGES]));
  MFFT_TRY(mfft_table_merges(&second, &table[MFFT_TABLE_SECOND]));
  return mfft_table_rader(pass, table);
}

const mfft_engine mfft_engine_rader = {
    .name = "rader ",
    .source = "rader.cu",
    .filters = 1,
    .half_width = 1,
    .suits = suits,
    .longest = mfft_butterfly_longest,
    .ends = ends,
    .shape = shape,
    .adjust = stage_as_one,
    .tables = tables,
    .options = mfft_options_of_pass,
};
