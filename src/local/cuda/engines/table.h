/* table.h: the table of all kernel families. */
#ifndef MFFT_CUDA_TABLE_H
#define MFFT_CUDA_TABLE_H

#include "local/cuda/engines/engine.h"

const mfft_engine *mfft_engine_of(const mfft_kernel *kernel);

#endif
