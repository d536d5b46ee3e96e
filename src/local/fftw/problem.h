/* problem.h: the memory that a problem of FFTW touches. */
#ifndef MFFT_LOCAL_FFTW_PROBLEM_H
#define MFFT_LOCAL_FFTW_PROBLEM_H

#include "local/fftw/api.h"

/* Bytes of the elements that a problem reads or writes, without gaps. */
size_t mfft_fftw_problem_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *problem, int output);

/* Bytes from its first element to the end of its last, gaps included. */
size_t mfft_fftw_problem_span(const mfft_fftw_api *api, const mfft_fftw_problem *problem, int output);

#endif
