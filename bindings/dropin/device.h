/* device.h: transforms of programs with arrays on the host by a GPU: whether that is faster, copies, page-locked memory. */
#ifndef MFFT_DROPIN_DEVICE_H
#define MFFT_DROPIN_DEVICE_H

#include "request.h"

/* The backend of plans that a GPU makes. */
#define MFFT_DROPIN_GPU "cuda"

/* Whether this rank would transform arrays of a shape on a GPU: MFFT_FFTW says so, or is auto and the copies over the link
 * to the GPU, at the speed that the first call measures, take less time than the transform on a CPU core, which it measures
 * too.  0 where the GPU cannot do it, or there is none.  Arrays in the memory of a GPU need no copies. */
int mfft_dropin_device_suits(const mfft_dropin_shape *shape, int ranks, const void *in, const void *out);

/* Whether an array is in the memory of a GPU.  The answer is 0 without a GPU. */
int mfft_dropin_device_holds(const void *array);

/* Page-locked memory, which copies reach at full speed, if MFFT_FFTW asks for GPUs and there is one; otherwise, and for
 * small arrays, NULL.  free: returns whether the array was one of these; it accepts any pointer. */
void *mfft_dropin_locked_alloc(size_t bytes);
int mfft_dropin_locked_free(void *array);

#endif
