/* long_double.c: FFTW in long double as a table. */
#define FFTW(name) fftwl_##name
#define REAL       long double
#define API        mfft_fftw_long_double
#include "local/fftw/api.inc"
