/* measured.h: chains of register butterflies that were measured to be the fastest (tuned/tuned.h). */
#ifndef MFFT_CUDA_MEASURED_H
#define MFFT_CUDA_MEASURED_H

#include "local/cuda/engines/engine.h"
#include "local/cuda/tuned/tuned.h"

/* The chain for the lines of a draft whose ends and maps are set; NULL: none was measured, or it does not fit the device. */
const mfft_tuned_chain *mfft_measured_find(const mfft_pass_draft *d);

/* Whether the lines of a draft, divided into blocks of this chain, keep all multiprocessors busy, and a block fits one. */
int mfft_measured_suits(const mfft_pass_draft *d, const mfft_chain *chain);

/* Whether a pass is of butterflies or of a convolution, and neither stores into shares, nor holds a line together with its
 * mirror, nor converts from or to half the width. */
int mfft_is_whole_pass(const mfft_kernel *k);

/* Whether it is of butterflies and does nothing else but merges, twiddles and packing. */
int mfft_is_plain_pass(const mfft_kernel *k);

#endif
