/* single.c: the functions whose names begin with fftwf_. */
#define FFTW(name)     fftwf_##name
#define F77(name, end) sfftw_##name##end
#define R              float
#define C              fftwf_complex
#define PREFIX         "fftwf"
#define PRECISION      MFFT_SINGLE
#include "api.inc"
