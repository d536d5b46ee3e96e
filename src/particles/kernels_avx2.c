/* kernels_avx2.c: the kernels for CPUs with AVX2. */
#define KERNELS      mfft_pm_kernels_avx2
#define KERNELS_NAME "avx2"
#include "particles/kernels_body.inc"
