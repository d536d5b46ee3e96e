/* butterfly_ends.c: see butterfly_ends.h. */
#include "local/cuda/engines/butterfly_ends.h"

#include <limits.h>

#include "local/cuda/engines/block_trial.h"
#include "local/cuda/engines/chain.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/tuned/butterfly_rules.h"

int mfft_has_whole_lines(const mfft_kernel *k) {
  const int half = mfft_paired_merge(k, 1) >= 0,
            complex = k->in.form == MFFT_FORM_COMPLEX && k->out.form == MFFT_FORM_COMPLEX;
  const int wide = k->precision == MFFT_DOUBLE;
  const int short_enough = half ? k->chain.n <= mfft_butterfly_whole_half() : complex && mfft_butterfly_is_whole_complex(k);
  if (k->trigonometric || k->ends || k->engine != MFFT_ENGINE_BUTTERFLY || (!wide && k->precision != MFFT_SINGLE) ||
      k->named || k->mirror || k->twiddle.loop)
    return 0;
  if (k->in.map != MFFT_MAP_ELEMENT || k->out.map != MFFT_MAP_ELEMENT) return 0;
  return short_enough && !is_power(k->chain.n) && mfft_rest_of_length(k->chain.n) == 1;
}

static int even_loops(const mfft_pass *pass, const long long *stride) {
  for (int i = 0; i < pass->kernel.loops; i++)
    if (pass->args.loop_n[i] > 1 && stride[i] % 2) return 0;
  return 1;
}

/* How rows of half spectra are stored.  Rows of n + 1 elements are not aligned to sectors of 32 bytes, so that stores
 * straight from registers would write parts of sectors. */
static mfft_staging stage_rows(const mfft_builder *b, const mfft_kernel *k) {
  const mfft_tuned_rows *tuned = &mfft_tuned_for(b->limits)->rows;
  const int plain = !k->scatter.shares && !b->spec->filtered && !k->trigonometric, n = k->chain.n;
  const int least = is_sixteen_bit(k->precision) ? INT_MAX : tuned->by_sector_least[k->precision];
  const int cached_double = k->precision == MFFT_DOUBLE && mfft_in_cache(b->limits);
  if (plain && n >= least && n <= tuned->by_sector_most && !cached_double) return MFFT_STAGED_BY_SECTOR;
  return n <= tuned->as_one_most ? MFFT_STAGED : MFFT_STAGED_NOT;
}

/* Distance of two adjacent lines of n elements, in reals or complexes. */
static int64_t elements_of(mfft_form form, int64_t n) {
  const int64_t elements[] = {[MFFT_FORM_COMPLEX] = n,       [MFFT_FORM_REAL_PAIR] = 2 * n,    [MFFT_FORM_REAL] = n,
                              [MFFT_FORM_HALF_EVEN] = n + 1, [MFFT_FORM_HALF_ODD] = n / 2 + 1, [MFFT_FORM_LINE_PAIR] = -1,
                              [MFFT_FORM_TWO_HALVES] = -1};
  return elements[form];
}

int mfft_lines_touch(const mfft_end *end, int64_t n, int64_t distance) {
  return end->staging == MFFT_STAGED && end->map == MFFT_MAP_ELEMENT && end->unit && distance == elements_of(end->form, n);
}

/* Whether results of adjacent lines should be stored through shared memory. */
static int stages_results(const mfft_pass_draft *d) {
  const mfft_kernel *k = &d->pass->kernel;
  mfft_end staged = k->out;
  staged.staging = MFFT_STAGED;
  return !k->out.staging && !d->b->spec->block.staging && !mfft_in_cache(d->b->limits) && mfft_butterfly_stages_results(k) &&
         mfft_lines_touch(&staged, k->chain.n, d->pass->args.loop_out[0]);
}

void mfft_butterfly_stage_as_one(mfft_pass_draft *d) {
  mfft_kernel *k = &d->pass->kernel;
  if (k->loops != 1 || is_power(k->chain.n) || d->b->spec->filtered || k->scatter.shares || k->mirror) return;
  if (k->trigonometric) return;                /* elements are not in the order of memory */
  if (k->bluestein.steps || k->padded) return; /* lines of which only a part exists are not adjacent */
  if (k->in.half_width || k->out.half_width) return;
  if (stages_results(d)) k->out.staging = MFFT_STAGED; /* becomes MFFT_STAGED_AS_ONE below, as the lines are adjacent */
  if (mfft_lines_touch(&k->in, k->chain.n, d->pass->args.loop_in[0])) k->in.staging = MFFT_STAGED_AS_ONE;
  if (mfft_lines_touch(&k->out, k->chain.n, d->pass->args.loop_out[0])) k->out.staging = MFFT_STAGED_AS_ONE;
}

/* Arithmetic that was measured to have a smaller error than that of mfft_butterfly_exact; coprime radices only where
 * neighbouring threads have neighbouring elements. */
static mfft_exact closer(const mfft_builder *b, const mfft_kernel *k) {
  const int by_line = k->in.map != MFFT_MAP_ELEMENT || k->out.map != MFFT_MAP_ELEMENT;
  const mfft_tuned *tuned = mfft_tuned_for(b->limits);
  for (int i = 0; i < tuned->exacts; i++) {
    const mfft_tuned_exact *row = &tuned->exact[i];
    if (row->precision == k->precision && row->n == k->chain.n && !(by_line && row->exact == MFFT_EXACT_COPRIME))
      return row->exact;
  }
  return MFFT_EXACT_NOT;
}

/* The arithmetic of a line with a half spectrum at one end. */
static mfft_exact exactness(const mfft_builder *b, const mfft_kernel *k) {
  const int from = k->in.form == MFFT_FORM_HALF_EVEN, to = k->out.form == MFFT_FORM_HALF_EVEN,
            several = b->spec->naxes > 1 || b->spec->ends;
  if (is_sixteen_bit(k->precision) || !(from || to) || k->mirror) return MFFT_EXACT_NOT;
  const mfft_exact measured = from && !several && !b->named ? closer(b, k) : MFFT_EXACT_NOT;
  return measured ? measured : mfft_butterfly_exact(k, several);
}

/* Lines up to this length are staged. */
static int staged_most(const mfft_kernel *k) { return mfft_has_whole_lines(k) ? k->chain.n : mfft_butterfly_staged_most(k); }

/* Bytes of an access to a pair of reals, which are `distance` reals from each other: both at once, if all pairs are aligned;
 * 0: one by one. */
static int pair_bytes(const mfft_pass *pass, mfft_form form, long long distance, const long long *loops) {
  const int together =
      !pass->kernel.trigonometric && form == MFFT_FORM_REAL_PAIR && distance == 1 && even_loops(pass, loops);
  return together ? complex_bytes(pass->kernel.precision) : 0;
}

void mfft_butterfly_pair_reals(mfft_pass *pass) {
  pass->vector_in = pair_bytes(pass, pass->kernel.in.form, pass->args.in_pair, pass->args.loop_in);
  pass->vector_out = pair_bytes(pass, pass->kernel.out.form, pass->args.out_pair, pass->args.loop_out);
}

static int is_even(long long distance) { return distance % 2 == 0; }

/* Whether adjacent numbers in memory belong to the opposite elements i and n - 1 - i of a DFT for cosines or sines.  In
 * pairs of lines they do so on the side whose numbers are in Makhoul's order (kernels/butterfly/line_pair.cuh), in lines of
 * type IV and even length on both sides. */
static int has_opposites(const mfft_kernel *k, const mfft_end *end) {
  const int ordered = mfft_converts_first(k) ? end == &k->out : end == &k->in;
  const int pairs = end->form == MFFT_FORM_LINE_PAIR && k->chain.n % 2 == 0 && ordered,
            complex = k->trigonometric && end->form == MFFT_FORM_COMPLEX;
  return (pairs || complex) && end->map == MFFT_MAP_ELEMENT && end->unit && !end->staging;
}

/* Bytes of an access to cosines or sines: two numbers of adjacent lines, which are `distance` from each other, or two
 * elements of a line; 0: one by one. */
static int number_bytes(const mfft_pass *pass, const mfft_end *end, long long stride, long long distance,
                        const long long *loops) {
  const mfft_kernel *k = &pass->kernel;
  const int beside = end->form == MFFT_FORM_LINE_PAIR && distance == 1 && is_even(stride),
            along = end->opposite && (end->form != MFFT_FORM_LINE_PAIR || is_even(distance));
  return k->trigonometric && (beside || along) && even_loops(pass, loops) ? complex_bytes(k->precision) : 0;
}

void mfft_butterfly_ends(mfft_pass_draft *d) {
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  k->exact = exactness(d->b, k);
  const int tiny = k->chain.n <= staged_most(k) && !k->mirror;
  k->in.staging = k->in.map == MFFT_MAP_ELEMENT && tiny && !k->ends;
  k->out.staging = k->out.map == MFFT_MAP_ELEMENT && tiny;
  if (k->out.form == MFFT_FORM_HALF_EVEN && !k->mirror && k->out.map == MFFT_MAP_ELEMENT && !tiny)
    k->out.staging = stage_rows(d->b, k);
  if (mfft_block_trial_for(d)) mfft_block_trial_stage(d->b, k);
  k->in.opposite = has_opposites(k, &k->in);
  k->out.opposite = has_opposites(k, &k->out);
  mfft_butterfly_pair_reals(pass);
  if (!k->trigonometric) return;
  pass->vector_in = number_bytes(pass, &k->in, pass->args.in_stride, pass->args.in_pair, pass->args.loop_in);
  pass->vector_out = number_bytes(pass, &k->out, pass->args.out_stride, pass->args.out_pair, pass->args.loop_out);
}
