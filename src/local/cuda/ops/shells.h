/* shells.h: sums over shells of wave numbers, on the device. */
#ifndef MFFT_CUDA_SHELLS_H
#define MFFT_CUDA_SHELLS_H

#include "local/backend.h"

/* The entry of backend.h. */
mfft_status mfft_cuda_shells(mfft_precision precision, const mfft_shell_sums *sums, const void *in, void *stream);

#endif
