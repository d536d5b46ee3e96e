/* exact_sum.c: see exact_sum.h. */
#include "mesh/exact_sum.h"

#include "cli/collective.h"

void mfft_exact_gather(mfft_exact_sum *sum) {
  mfft_exact_carry(sum);
  mfft_app_reduce(sum->limb, MFFT_EXACT_NUMBERS, MPI_INT64_T, MPI_SUM, "adding up exactly");
  mfft_exact_carry(sum);
}
