/* trigonometric.c: see trigonometric.h. */
#include "local/cuda/planner/trigonometric.h"

#include <stdlib.h>

#include "base/trigonometric.h"

int mfft_trigonometric_pairs(mfft_axis_kind kind) {
  const int type = (kind - MFFT_DCT1) % 4 + 1;
  return type == 2 || type == 3;
}

mfft_trigonometric_dft mfft_trigonometric_dft_of(mfft_axis_kind kind, int64_t n) {
  const int type = (kind - MFFT_DCT1) % 4 + 1, back = type == 3;
  mfft_trigonometric_dft d = {.type = back ? MFFT_FFT_C2R : MFFT_FFT_R2C, .length = n};
  if (type == 1) d.length = mfft_axis_points(kind, n);
  if (type == 2 || type == 3) d.roots = n / 2 + 1, d.order = 4 * n, d.step = 1;
  if (type == 4 && n % 2 == 0) {
    d = (mfft_trigonometric_dft){
        .type = MFFT_FFT_C2C, .length = n / 2, .roots = n / 2, .order = 16 * n, .step = 8, .first = 1};
    d.in = d.out = d.length;
    return d;
  }
  d.in = back ? n / 2 + 1 : d.length;
  d.out = back ? n : d.length / 2 + 1;
  return d;
}

/* ---- Tables ---------------------------------------------------------------------------------------------------------- */

enum { MOST_ROOTS = 1 << 16 }; /* of a table of one level */

mfft_status mfft_trigonometric_roots(mfft_precision precision, const mfft_trigonometric_dft *d, mfft_table *fine,
                                     mfft_table *coarse, unsigned *shift) {
  const mfft_kernel numbers = {.precision = precision, .sign = -1};
  *shift = 0;
  while ((int64_t)1 << *shift < d->roots && (d->roots <= MOST_ROOTS || (int64_t)1 << 2 * *shift < d->roots)) ++*shift;
  const int64_t each = (int64_t)1 << *shift, blocks = (d->roots + each - 1) / each;
  MFFT_TRY(mfft_table_make(&numbers, d->roots ? each : 0, fine));
  MFFT_TRY(mfft_table_make(&numbers, blocks > 1 ? blocks : 0, coarse));
  for (int64_t j = 0; d->roots && j < each; j++) mfft_table_put(&numbers, fine, j, d->first + j * d->step, d->order, 1);
  for (int64_t b = 0; blocks > 1 && b < blocks; b++) mfft_table_put(&numbers, coarse, b, b * each * d->step, d->order, 1);
  return MFFT_SUCCESS;
}

mfft_status mfft_trigonometric_table(const mfft_kernel *k, mfft_table *table) {
  const int pairs = k->in.form == MFFT_FORM_REAL_PAIR || k->out.form == MFFT_FORM_REAL_PAIR; /* forms of one line */
  const int complex = k->in.form == MFFT_FORM_COMPLEX;
  const int64_t n = (int64_t)k->chain.n * (k->cluster.twiddled ? k->second.n : 1);
  const mfft_trigonometric_dft d = mfft_trigonometric_dft_of(k->trigonometric, pairs || complex ? 2 * n : n);
  unsigned shift;
  mfft_table coarse = {0};
  const mfft_status status = mfft_trigonometric_roots(k->precision, &d, table, &coarse, &shift);
  free(coarse.data); /* there is none of the lines that a block holds */
  return status;
}
