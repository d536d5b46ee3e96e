/* device.h: transforms on a GPU for programs with arrays on the host: the choice of the faster device, and page-locked
 * memory. */
#ifndef MFFT_DROPIN_DEVICE_H
#define MFFT_DROPIN_DEVICE_H

#include "request.h"

/* Whether this rank would transform arrays of a shape on a GPU.  It does if MFFT_FFTW is gpu, or if MFFT_FFTW is auto and
 * copies over the link to the GPU take less time than the transform on a CPU core, at speeds that the first call measures.
 * 0 if there is no GPU or it cannot do the transform.  Arrays in the memory of a GPU need no copies. */
int mfft_dropin_device_suits(const mfft_dropin_shape *shape, int ranks, const void *in, const void *out);

/* Whether an array is in the memory of a GPU.  The answer is 0 without a GPU. */
int mfft_dropin_device_holds(const void *array);

/* Page-locked memory, which copies reach at full speed, if MFFT_FFTW asks for GPUs and there is one; otherwise, and for
 * small arrays, NULL.  free: returns whether the array was one of these; it accepts any pointer. */
void *mfft_dropin_locked_alloc(size_t bytes);
int mfft_dropin_locked_free(void *array);

#endif
