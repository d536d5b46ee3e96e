/* convolution.h: lines of any length by Bluestein's algorithm, a whole convolution in a block of register butterflies
 * (kernels/butterfly/convolution.cu). */
#ifndef MFFT_CUDA_CONVOLUTION_H
#define MFFT_CUDA_CONVOLUTION_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_convolution;

#endif
