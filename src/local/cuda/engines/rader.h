/* rader.h: lines of a prime length by Rader's algorithm, two transforms of one element less in a block of register
 * butterflies (kernels/butterfly/rader.cu). */
#ifndef MFFT_CUDA_ENGINE_RADER_H
#define MFFT_CUDA_ENGINE_RADER_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_rader;

#endif
