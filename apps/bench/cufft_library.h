/* cufft_library.h: cuFFT for the peers of `mergefft bench`: its headers are needed to build, the library when it is used.
 * Compiled only if the headers were found; see peer.c. */
#ifndef MFFT_APPS_CUFFT_LIBRARY_H
#define MFFT_APPS_CUFFT_LIBRARY_H

#include <cufftXt.h>

#include "mfft.h"

#define MFFT_CUFFT_FUNCTIONS(X) \
  X(cufftCreate)                \
  X(cufftDestroy)               \
  X(cufftGetVersion)            \
  X(cufftSetStream)             \
  X(cufftMakePlan1d)            \
  X(cufftMakePlan2d)            \
  X(cufftMakePlan3d)            \
  X(cufftXtMakePlanMany)        \
  X(cufftXtExec)                \
  X(cufftXtSetGPUs)             \
  X(cufftXtMalloc)              \
  X(cufftXtMemcpy)              \
  X(cufftXtFree)                \
  X(cufftXtExecDescriptor)

/* Functions that older libraries lack, where they are NULL, and older headers, where they are not in the table. */
#if CUFFT_VERSION >= 11200
#define MFFT_CUFFT_LATER_FUNCTIONS(X) X(cufftSetPlanPropertyInt64)
#else
#define MFFT_CUFFT_LATER_FUNCTIONS(X)
#endif

typedef struct mfft_cufft_library {
#define MFFT_X(name) __typeof__(name) *name;
  MFFT_CUFFT_FUNCTIONS(MFFT_X)
  MFFT_CUFFT_LATER_FUNCTIONS(MFFT_X)
#undef MFFT_X
} mfft_cufft_library;

/* The library of the toolkit of the build, or of the library path. */
mfft_status mfft_cufft_open(const char *peer, const mfft_cufft_library **library);

/* MFFT_SUCCESS, MFFT_ERR_UNSUPPORTED if cuFFT does not support the request, else MFFT_ERR_CUDA; with an error message. */
mfft_status mfft_cufft_status(cufftResult result, const char *doing);

#endif
