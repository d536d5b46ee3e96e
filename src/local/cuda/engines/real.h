/* real.h: half spectra that no pass of merges packs or unpacks (kernels/butterfly/real.cu): of long odd lengths, and a few
 * more. */
#ifndef MFFT_CUDA_REAL_H
#define MFFT_CUDA_REAL_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_real;

#endif
