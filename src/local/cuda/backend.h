/* backend.h: the table of the cuda backend (backend.c), for its own files and for tests; others find it by name
 * (mfft_backend_find). */
#ifndef MFFT_CUDA_BACKEND_H
#define MFFT_CUDA_BACKEND_H

#include "local/backend.h"

extern const mfft_backend mfft_backend_cuda;

#endif
