/* merge_tables.c: see merge_tables.h. */
#include "local/cuda/engines/merge_tables.h"

#include "local/cuda/engines/chain.h"

mfft_status mfft_table_merges(const mfft_kernel *kernel, mfft_table *table) {
  const int of_reals = mfft_merge_of_reals(kernel, kernel->chain.merges),
            fold = of_reals > 0 ? kernel->chain.radix[of_reals] : 1;
  int64_t count = 0, s = 1;
  for (int i = 0; i + 1 < kernel->chain.merges; i++) {
    s *= kernel->chain.radix[i];
    count += (kernel->chain.radix[i] - 1) * (kernel->chain.n / s);
  }
  const int two_parts = kernel->exact == MFFT_EXACT_PARTS;
  MFFT_TRY(mfft_table_make(kernel, two_parts ? 2 * count : count, table));
  int64_t at = 0;
  s = 1;
  for (int i = 0; i + 1 < kernel->chain.merges; i++) {
    int r = kernel->chain.radix[i];
    int64_t order = kernel->chain.n / s, m = order / r;
    for (int q = 1; q < (i == of_reals ? (r + 1) / 2 : r); q++)
      for (int64_t p = 0; p < m; p++) {
        if (p % fold > fold / 2) continue;
        mfft_table_put(kernel, table, at++, p * q, order, 1);
        if (two_parts) mfft_table_put_rest(kernel, table, at++, p * q, order);
      }
    s *= r;
  }
  return MFFT_SUCCESS;
}

/* W_length^i, i <= n / 2, by which a half spectrum is unpacked. */
static mfft_status table_real(const mfft_kernel *kernel, int64_t length, mfft_table *table) {
  const int64_t count = kernel->chain.n / 2 + 1;
  if (kernel->exact < MFFT_EXACT_PARTS) return mfft_table_roots(kernel, length, count, 1, table);
  MFFT_TRY(mfft_table_make(kernel, 2 * count, table));
  for (int64_t i = 0; i < count; i++) {
    mfft_table_put(kernel, table, 2 * i, i, length, 1);
    mfft_table_put_rest(kernel, table, 2 * i + 1, i, length);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_table_outer(mfft_pass *pass, int64_t order, mfft_table table[MFFT_TABLES]) {
  const mfft_kernel *kernel = &pass->kernel;
  const int shift = mfft_outer_shift(order);
  const int64_t step = (int64_t)1 << shift;
  if (!order) return MFFT_SUCCESS;
  pass->args.outer_shift = (unsigned)shift;
  MFFT_TRY(mfft_table_roots(kernel, order, step, 1, &table[MFFT_TABLE_OUTER_FINE]));
  return mfft_table_roots(kernel, order, order / step + 1, step, &table[MFFT_TABLE_OUTER_COARSE]);
}

/* A half spectrum in one pass has a short table of its own; of several passes one table of the order 2n serves both ends. */
mfft_status mfft_table_ends(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  const int whole = pass->real_length && !pass->kernel.mirror;
  if (whole) MFFT_TRY(table_real(&pass->kernel, pass->real_length, &table[MFFT_TABLE_REAL]));
  return mfft_table_outer(pass, pass->real_length && !whole ? pass->real_length : pass->twiddle_order, table);
}

mfft_status mfft_table_chain(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  MFFT_TRY(mfft_table_merges(&pass->kernel, &table[MFFT_TABLE_MERGES]));
  return mfft_table_ends(pass, table);
}
