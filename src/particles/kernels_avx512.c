/* kernels_avx512.c: the kernels for CPUs with AVX512. */
#define KERNELS      mfft_pm_kernels_avx512
#define KERNELS_NAME "avx512"
#include "particles/kernels_body.inc"
