/* mfft_convolution.h: convolutions and correlations by transforms, and arrays that end in zeros.
 *
 * A convolution uses a plan: it transforms forward, multiplies by the spectrum of a kernel, and transforms backward:
 *
 *     convolution   y[i] = sum over o of k[o] x[i - o]              correlation   y[i] = sum over o of conj(k[o]) x[i + o]
 *
 * x and y are IN arrays of the plan, i and o have an index for each transformed axis, and the sum is over the offsets of the
 * kernel.  An axis is circular if all of its points are given: indices count modulo n.  It is linear if the descriptor says
 * that only the first given[a] < n[a] points exist: x is 0 beyond them, and y is wanted there alone.  n[a] must then be
 * large enough that nothing wraps around, see mfft_convolution_length.  Linear and circular axes may be mixed:
 *
 *     desc.given[0] = 200;  desc.n[0] = mfft_convolution_length(200, -40, 41);       plan;
 *     mfft_convolution_create(plan, &convolution);
 *     kernel.lo[0] = -40;  kernel.hi[0] = 41;  kernel.value = k;                     mfft_convolution_set_kernel
 *     mfft_convolution_execute(convolution, x, y);                                  as often as wanted
 *
 * Arrays that end in zeros (desc.given less than n along an axis), of any plan with or without a convolution: IN has the
 * shape given[], without padding of rows, in forward and backward direction and for the boxes of a distributed plan; OUT has
 * the shape of n[], halved for R2C.  Forward the points beyond count as 0, backward they are not wanted.  The axes are
 * transformed one after another, and an axis gets its zeros in its own transform: forward the zeros are neither read, nor
 * sent to other ranks, nor transformed along the axes before, and backward what is cropped is dropped as early (pruning,
 * Markel 1971).  On "cuda" an axis with given points that takes several passes, or has a prime factor beyond 31, makes the
 * local transform pad all of its axes in the workspace: ranks do not send zeros, but they are transformed.  Backward a GPU
 * takes workspace for what the slowest axis leaves, unless allow_destroy_input is set; in place a plan needs one more array
 * of workspace.  Errors at planning: MFFT_ERR_ARG if given[a] is not 0 to n[a], or if the axis is not transformed;
 * MFFT_ERR_UNSUPPORTED beside an axis of cosines or sines in plans other than MFFT_R2R, in scrambled order, for one
 * dimension over several ranks, and with desc.padded. */
#ifndef MFFT_CONVOLUTION_H
#define MFFT_CONVOLUTION_H

#include "mfft_spectrum.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The least length >= given + max(1, |lo|, |hi - 1|) that has only the factors 2, 3, 5 and 7: with it, a kernel of offsets
 * lo to hi - 1 leaves the first `given` points of a linear convolution free of what wraps around, and the axis is a linear
 * one even if the kernel reaches nowhere.  Offsets of `given` and more never meet two points, and do not count.  -1 for
 * arguments without a length: given < 1, hi <= lo, or above 2^62. */
MFFT_API int64_t mfft_convolution_length(int64_t given, int64_t lo, int64_t hi);

/* Writes count values of a kernel to `value`, those at the offsets (offset[0], offset[1], offset[2] + i), 0 <= i < count,
 * for a plan of rank 3; for rank 2 (offset[0], offset[1] + i), for rank 1 offset[0] + i.  Complex plans get pairs (re, im).
 * It is called for the rows of this rank only.  A status other than MFFT_SUCCESS ends the call that sets the kernel, with
 * it. */
typedef mfft_status (*mfft_convolution_row)(void *context, const int64_t offset[3], int64_t count, double *value);

/* A kernel: exactly one of row, value, spectrum and filter.  Along an axis that is not transformed the offset is the index
 * itself: each has a kernel of its own.  All arrays of a batch have the same kernel. */
typedef struct mfft_convolution_kernel {
  size_t struct_size;   /* set by mfft_convolution_kernel_init */
  int64_t lo[3], hi[3]; /* [rank] for row and value: offsets lo to hi - 1; the kernel is 0 at others.  At most n of them, and
                           -n < lo, hi <= n [0 to 0] */
  mfft_convolution_row row; /* [NULL] */
  void *context;            /* its first argument */
  const double *value;  /* [hi - lo of each axis] the whole kernel in C order, in host memory: reals, or complex numbers of a
                           C2C plan; the same on all ranks [NULL] */
  const void *spectrum; /* this rank's part of the OUT array, in the memory and the layout of the plan: the product of it and
                           of what forward writes is what backward reads [NULL] */
  const mfft_filter *filter; /* a function of the wave numbers, which becomes the plan's filter for MFFT_BACKWARD: the plan
                                needs desc.filtered for it.  A plan has one such filter, which every call that sets a kernel
                                sets or removes, also one of mfft_plan_set_filter [NULL] */
  int correlate;             /* 1: a correlation; not with a filter [0] */
} mfft_convolution_kernel;

/* No kernel, and the defaults above.  Never fails. */
MFFT_API void mfft_convolution_kernel_init_sized(mfft_convolution_kernel *kernel, size_t struct_size);
static inline void mfft_convolution_kernel_init(mfft_convolution_kernel *kernel) {
  mfft_convolution_kernel_init_sized(kernel, sizeof(mfft_convolution_kernel));
}

typedef struct mfft_convolution_s *mfft_convolution;

/* Makes a convolution by a plan, C2C or R2C with DFT axes in any layout, which it keeps and does not free: destroy it before
 * the plan.  The plan may run by itself in between, on its stream.  An out-of-place convolution allocates one OUT array, in
 * the memory of the plan.  Collective if the plan is.  Errors: MFFT_ERR_ARG, MFFT_ERR_MEMORY, MFFT_ERR_UNSUPPORTED for
 * cosines and sines, and for plans with options.host_arrays on "cuda". */
MFFT_API mfft_status mfft_convolution_create(mfft_plan plan, mfft_convolution *convolution);

/* Sets the kernel of all later executes.  row and value: transformed by a plan of the whole length that exists during the
 * call, with an IN array, and scaled so that y is the sum above, whatever the scales of the plan are.  spectrum and filter:
 * y has the scales of the plan's two directions, MFFT_SCALE_FULL in one of them for the sum above.  All but a filter are
 * stored as one OUT array of a single batch.  Copies what it is given.  Blocking, and collective if the plan is: all ranks
 * give the same kind of kernel, lo, hi and correlate.  After an error the convolution has no kernel.  Errors: MFFT_ERR_ARG
 * for a kernel that is none or several, whose offsets do not fit the plan, or whose values (row and value), times the factor
 * that cancels the plan's scales, are not finite or beyond the range of its precision (below it they become 0: in half let
 * the plan scale one direction by MFFT_SCALE_FULL, so that the factor is 1); the status of row; MFFT_ERR_STATE for
 * a filter if desc.filtered lacks MFFT_BACKWARD; MFFT_ERR_MISMATCH, MFFT_ERR_MEMORY.  On a GPU the plan may get further
 * transforms, which multiply within a pass. */
MFFT_API mfft_status mfft_convolution_set_kernel(mfft_convolution convolution, const mfft_convolution_kernel *kernel);

/* Convolves in to out, both IN arrays of the plan in its memory.  Out of place they are one array, or do not overlap
 * (MFFT_ERR_ARG), and then `in` is unchanged (unless allow_destroy_input is set).  For a plan in place they are the same,
 * with space for the plan's larger side.  Blocking and collective as mfft_execute is.  Errors: those of mfft_execute;
 * MFFT_ERR_STATE without a kernel, or if the plan's filter for MFFT_BACKWARD has been set since by another convolution or by
 * mfft_plan_set_filter. */
MFFT_API mfft_status mfft_convolution_execute(mfft_convolution convolution, const void *in, void *out);

/* Frees all but the plan, after its queued work.  Accepts NULL.  Not collective. */
MFFT_API void mfft_convolution_destroy(mfft_convolution convolution);

#ifdef __cplusplus
}
#endif
#endif
