/* choose.h: chooses the algorithm of a transform by rule, by timing, or by wisdom. */
#ifndef MFFT_CUDA_CHOOSE_H
#define MFFT_CUDA_CHOOSE_H

#include "local/backend.h"

/* Creates a transform like mfft_cuda_fft_create, by the algorithm that wisdom has, or that is the fastest of this list if
 * the effort of the spec asks for timing. */
extern const mfft_algorithm mfft_cuda_algorithms[];
mfft_status mfft_cuda_fft_choose(const mfft_fft_spec *spec, mfft_fft **fft);

/* Writes the algorithm that wisdom has into the spec, and returns 1; 0: there is none. */
int mfft_cuda_fft_known(mfft_fft_spec *spec, int arch);

#endif
