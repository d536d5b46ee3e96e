/* tensor.h: 16-bit merges on tensor cores (kernels/tensor/tensor.cu). */
#ifndef MFFT_CUDA_TENSOR_H
#define MFFT_CUDA_TENSOR_H

#include "local/cuda/engines/engine.h"

extern const mfft_engine mfft_engine_tensor;

#endif
