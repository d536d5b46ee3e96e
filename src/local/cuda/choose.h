/* choose.h: which algorithm a transform takes: by rule, by timing, or by wisdom. */
#ifndef MFFT_CUDA_CHOOSE_H
#define MFFT_CUDA_CHOOSE_H

#include "local/backend.h"

/* As mfft_cuda_fft_create; by effort the fastest of these algorithms, or the one that wisdom
 * knows. */
extern const mfft_algorithm mfft_cuda_algorithms[];
mfft_status mfft_cuda_fft_choose(const mfft_fft_spec *spec, mfft_fft **fft);

/* Makes the spec ask for the algorithm that wisdom knows, if it does. */
int mfft_cuda_fft_known(mfft_fft_spec *spec, int arch);

#endif
