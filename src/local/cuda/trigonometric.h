/* trigonometric.h: runs transforms with cosines and sines (planner/trigonometric.h) as a list of DFTs of the backend and of
 * kernels before and after them. */
#ifndef MFFT_CUDA_TRIGONOMETRIC_H
#define MFFT_CUDA_TRIGONOMETRIC_H

#include "local/backend.h"
#include "local/cuda/planner/limits.h"

/* dfts: the backend that makes the DFTs.  runs: 1: loads kernels and tables onto the current device, which has these limits;
 * 0: the transform can only be printed and destroyed. */
mfft_status mfft_cuda_trigonometric_create(const mfft_fft_spec *spec, const mfft_device_limits *limits,
                                           const mfft_backend *dfts, int runs, mfft_fft **fft);

#endif
