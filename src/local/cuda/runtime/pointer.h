/* pointer.h: checks a pointer of the caller by what the driver knows about it. */
#ifndef MFFT_CUDA_POINTER_H
#define MFFT_CUDA_POINTER_H

#include "base/status.h"

/* The entry `check` of the backend table. */
mfft_status mfft_cuda_check(const void *pointer, size_t bytes, int own, const char *name);

#endif
