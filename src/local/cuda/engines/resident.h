/* resident.h: the engine of 16-bit lines and planes that are merged in place, in tiles that stay in one area of shared
 * memory (kernels/tensor/resident.cu). */
#ifndef MFFT_CUDA_RESIDENT_H
#define MFFT_CUDA_RESIDENT_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_resident;

#endif
