/* convolution.h: the struct of a convolution, for the files that make one. */
#ifndef MFFT_PLAN_CONVOLUTION_H
#define MFFT_PLAN_CONVOLUTION_H

#include "local/fft_spec.h"
#include "local/filter_shape.h"
#include "mfft_convolution.h"

struct mfft_convolution_s {
  mfft_plan plan;
  mfft_filter_shape shape; /* of an OUT array */
  void *spectrum;          /* an OUT array; NULL in place */
  mfft_convolved by;       /* the factors of the spectrum; NOT: no kernel has been set */
  void *kernel;            /* [kernel_bytes] the spectrum of the kernel, in the layout of OUT; NULL: none has been set */
  size_t kernel_bytes;     /* of one OUT array without batch */
};

/* The largest distance of two of the first `given` points that is an offset of the kernel. */
int64_t mfft_convolution_reach(int64_t given, int64_t lo, int64_t hi);

/* The status of this rank, or of one that has failed.  Collective if the plan is. */
mfft_status mfft_convolution_agree(mfft_plan plan, mfft_status mine);

#endif
