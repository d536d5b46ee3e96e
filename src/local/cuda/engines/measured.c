/* measured.c: see measured.h. */
#include "local/cuda/engines/measured.h"

#include "local/cuda/engines/chain.h"

static const mfft_form load_of[] = {MFFT_FORM_COMPLEX, MFFT_FORM_REAL_PAIR, MFFT_FORM_HALF_EVEN, MFFT_FORM_LINE_PAIR,
                                    MFFT_FORM_LINE_PAIR}; /* [mfft_line_ends] */
static const mfft_form store_of[] = {MFFT_FORM_COMPLEX, MFFT_FORM_HALF_EVEN, MFFT_FORM_REAL_PAIR, MFFT_FORM_LINE_PAIR,
                                     MFFT_FORM_LINE_PAIR}; /* [mfft_line_ends] */

int mfft_measured_suits(const mfft_pass_draft *d, const mfft_chain *chain) {
  const mfft_device_limits *limits = d->b->limits;
  return mfft_lines_of_parts(d) >= chain->lines * (int64_t)mfft_busy_blocks(limits) &&
         mfft_chain_fits(&d->pass->kernel, limits, chain);
}

int mfft_is_whole_pass(const mfft_kernel *k) {
  const int merges = k->engine == MFFT_ENGINE_BUTTERFLY || k->engine == MFFT_ENGINE_CONVOLUTION;
  return merges && !k->scatter.shares && !k->mirror && !k->in.half_width && !k->out.half_width;
}

int mfft_is_plain_pass(const mfft_kernel *k) {
  return k->engine == MFFT_ENGINE_BUTTERFLY && mfft_is_whole_pass(k) && !k->bluestein.steps;
}

static int within(const mfft_tuned_chain *row, const mfft_pass_draft *d) {
  const mfft_reach where = row->reach;
  const int moves = !mfft_builder_same_memory(d->b, d->pass->src, d->pass->dst);
  if (where == MFFT_REACH_ANY) return 1;
  if (where == MFFT_REACH_FEW) return mfft_lines_of_parts(d) <= row->chain.lines * mfft_busy_blocks(d->b->limits);
  return (where == MFFT_REACH_CACHE) == mfft_in_cache(d->b->limits) && (where != MFFT_REACH_ACROSS || moves);
}

/* Whether a row was measured for such lines; those of bfloat16 are for half too, which has the same bytes and arithmetic. */
static int is_of(const mfft_tuned_chain *row, const mfft_kernel *k) {
  const int pairs = k->in.form == MFFT_FORM_LINE_PAIR, to = pairs && !mfft_converts_first(k);
  if (pairs && (row->ends == MFFT_ENDS_TO_COSINES) != to) return 0;
  const mfft_precision precision = k->precision == MFFT_HALF ? MFFT_BFLOAT16 : k->precision;
  const mfft_form store = k->out.form == MFFT_FORM_TWO_HALVES ? MFFT_FORM_COMPLEX : k->out.form;
  const int twiddled = k->twiddle.loop || k->out.map != k->in.map;
  return row->precision == precision && row->chain.n == k->chain.n && load_of[row->ends] == k->in.form &&
         store_of[row->ends] == store && (pairs || (!k->in.opposite && !k->out.opposite)) && row->map == k->in.map &&
         (twiddled ? row->twiddled : row->twiddled < 2) &&
         (is_power(k->chain.n) || k->exact || row->ends == MFFT_ENDS_COMPLEX || pairs);
}

/* Whether it is for such an axis, and leaves no multiprocessor idle; contiguous complex lines so few that all their blocks
 * run at once are better off by smaller ones. */
static int suits(const mfft_tuned_chain *row, const mfft_pass_draft *d) {
  const mfft_device_limits *limits = d->b->limits;
  const int few =
      row->ends == MFFT_ENDS_COMPLEX && row->map == MFFT_MAP_ELEMENT && row->chain.lines > 1 && !mfft_in_cache(limits);
  const int64_t blocks = few ? mfft_busy_blocks(limits) : limits->sms;
  return within(row, d) && (!row->whole || row->whole == d->whole) && (!row->c2c_only || d->b->spec->type == MFFT_FFT_C2C) &&
         (!row->prefetch || d->pass->kernel.in.unit) && mfft_lines_of_parts(d) >= row->chain.lines * blocks;
}

const mfft_tuned_chain *mfft_measured_find(const mfft_pass_draft *d) {
  const mfft_tuned *tuned = mfft_tuned_for(d->b->limits);
  const mfft_kernel *k = &d->pass->kernel;
  if (k->named || !mfft_is_plain_pass(k)) return NULL;
  for (int i = 0; i < tuned->chains; i++)
    if (is_of(&tuned->chain[i], k) && suits(&tuned->chain[i], d) && mfft_chain_fits(k, d->b->limits, &tuned->chain[i].chain))
      return &tuned->chain[i];
  return NULL;
}
