/* exact_sum.c: see exact_sum.h. */
#include "mesh/exact_sum.h"

#include "cli/collective.h"

void mfft_exact_gather(mfft_exact_sum *sum) {
  mfft_exact_carry(sum);
  mfft_app_reduce(sum->limb, MFFT_EXACT_NUMBERS, MPI_INT64_T, MPI_SUM, "adding up exactly");
  mfft_exact_carry(sum);
}

double mfft_exact_total(const double *value, int64_t count, int squares) {
  enum { BATCH = 256 };
  mfft_exact_sum sum = {.limb = {0}};
  double batch[BATCH];
  for (int64_t i = 0; i < count; i += BATCH) {
    const int64_t here = count - i < BATCH ? count - i : BATCH;
    for (int64_t k = 0; k < here; k++) batch[k] = squares ? value[i + k] * value[i + k] : value[i + k];
    mfft_exact_add(&sum, batch, here);
  }
  mfft_exact_gather(&sum);
  return mfft_exact_value(&sum, NULL);
}
