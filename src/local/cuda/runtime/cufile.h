/* cufile.h: GPUDirect Storage by NVIDIA's cuFile, whose library is opened when it is first needed. */
#ifndef MFFT_CUDA_CUFILE_H
#define MFFT_CUDA_CUFILE_H

#include "local/device.h"

extern const mfft_device_files mfft_cufile_calls;

#endif
