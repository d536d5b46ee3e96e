/* odd.h: real lines of odd length, by register butterflies of which one takes reals. */
#ifndef MFFT_CUDA_ODD_H
#define MFFT_CUDA_ODD_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_odd;

#endif
