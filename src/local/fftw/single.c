/* single.c: FFTW in single precision as a table. */
#define FFTW(name) fftwf_##name
#define REAL       float
#define API        mfft_fftw_single
#include "local/fftw/api.inc"
