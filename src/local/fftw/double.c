/* double.c: FFTW in double precision as a table. */
#define FFTW(name) fftw_##name
#define REAL       double
#define API        mfft_fftw_double
#include "local/fftw/api.inc"
