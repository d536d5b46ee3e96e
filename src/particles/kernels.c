/* kernels.c: the kernels for the baseline CPU of the architecture, and the choice among the sets. */
extern const struct mfft_pm_kernels mfft_pm_kernels_least, mfft_pm_kernels_avx2, mfft_pm_kernels_avx512;
#define KERNELS      mfft_pm_kernels_least
#define KERNELS_NAME "least"
#include "particles/kernels_body.inc"

static const mfft_pm_kernels *const sets[] = {
    &mfft_pm_kernels_least,
#ifdef MFFT_PM_X86
    &mfft_pm_kernels_avx2,
    &mfft_pm_kernels_avx512,
#endif
};
enum { SETS = sizeof sets / sizeof sets[0] };

const mfft_pm_kernels *mfft_pm_kernels_at(int i) { return i < SETS ? sets[i] : NULL; }

int mfft_pm_kernels_usable(int i) {
#ifdef MFFT_PM_X86
  if (i == 1) return __builtin_cpu_supports("avx2");
  if (i == 2)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#endif
  return i == 0;
}

const mfft_pm_kernels *mfft_pm_kernels_best(void) {
  int i = SETS - 1;
  while (!mfft_pm_kernels_usable(i)) i--;
  return sets[i];
}
