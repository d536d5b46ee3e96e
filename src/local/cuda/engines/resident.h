/* resident.h: passes of 16-bit lines and planes over tiles that stay where they lie in shared memory
 * (kernels/tensor/resident.cu). */
#ifndef MFFT_CUDA_RESIDENT_H
#define MFFT_CUDA_RESIDENT_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_resident;

#endif
