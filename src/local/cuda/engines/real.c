/* real.c: see real.h. */
#include "local/cuda/engines/real.h"

#include "local/cuda/engines/merge_tables.h"

static mfft_status add_packing(mfft_builder *b, const mfft_pass_geometry *g) {
  mfft_pass *pass;
  MFFT_TRY(mfft_builder_new_pass(b, g->src, g->dst, &pass));
  mfft_kernel *k = &pass->kernel;
  if (b->spec->wire && (g->src == MFFT_AT_IN || g->dst == MFFT_AT_SHARES))
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: the packing of half spectra cannot convert to half the width");
  k->engine = MFFT_ENGINE_REAL;
  k->in.form = g->load;
  k->out.form = g->store;
  k->bluestein.steps = g->bluestein;
  pass->bluestein = (mfft_bluestein_line){.n = g->bluestein_n, .m = g->bluestein_n};
  k->chain = (mfft_chain){.n = (int)g->n, .merges = 1, .lines = 1, .threads = 256};
  for (int i = 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  k->tile.min_blocks = 1;
  pass->args.in_stride = b->dims[g->axis].stride[g->src];
  pass->args.out_stride = b->dims[g->axis].stride[g->dst];
  MFFT_TRY(mfft_builder_loops(b, pass, g->axis, g->axis, NULL, 0, 1));
  if (g->load == MFFT_FORM_HALF_EVEN || g->store == MFFT_FORM_HALF_EVEN) pass->real_length = 2 * g->n;
  k->wide_counts = 1;
  const int64_t chunks = (g->n / 2 + 1 + k->chain.threads - 1) / k->chain.threads;
  return mfft_builder_set_blocks(pass, chunks * pass->args.lines);
}

static mfft_status tables(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  return mfft_table_outer(pass, pass->real_length ? pass->real_length : pass->twiddle_order, table);
}

const mfft_engine mfft_engine_real = {
    .name = "pack ",
    .source = "real.cu",
    .add_packing = add_packing,
    .tables = tables,
    .options = mfft_options_of_pass,
};
