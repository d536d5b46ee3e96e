/* memory.h: the entries of backend.h for device memory: allocation, and blocking copies to, from and within it. */
#ifndef MFFT_CUDA_MEMORY_H
#define MFFT_CUDA_MEMORY_H

#include "base/status.h"

mfft_status mfft_cuda_alloc(size_t bytes, void **pointer);
void mfft_cuda_free(void *pointer);
mfft_status mfft_cuda_upload(void *device, const void *host, size_t bytes);
mfft_status mfft_cuda_download(void *host, const void *device, size_t bytes);
mfft_status mfft_cuda_move(void *to, const void *from, size_t bytes);
mfft_status mfft_cuda_clear(void *pointer, size_t bytes, void *stream);
mfft_status mfft_cuda_synchronize(void *stream);

#endif
