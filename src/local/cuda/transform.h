/* transform.h: the transforms of the cuda backend.  local/backend.h describes the calls. */
#ifndef MFFT_CUDA_TRANSFORM_H
#define MFFT_CUDA_TRANSFORM_H

#include "local/cuda/planner/pass.h"

int mfft_cuda_fuses(const mfft_fft_spec *spec);
mfft_status mfft_cuda_fft_create(const mfft_fft_spec *spec, mfft_fft **fft);

mfft_status mfft_cuda_fft_execute(const mfft_fft *fft, const void *in, void *out, void *work, void *stream);
mfft_status mfft_cuda_fft_scatter(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream);
void mfft_cuda_fft_print(const mfft_fft *fft, char *text, size_t size);
void mfft_cuda_fft_destroy(mfft_fft *fft);

#endif
