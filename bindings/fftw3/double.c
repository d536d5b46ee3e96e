/* double.c: the functions whose names begin with fftw_. */
#define FFTW(name)     fftw_##name
#define F77(name, end) dfftw_##name##end
#define R              double
#define C              fftw_complex
#define PREFIX         "fftw"
#define PRECISION      MFFT_DOUBLE
#include "api.inc"
