/* pass.h: the description of one kernel launch, shared by everything in this folder.
 *
 * A schedule is a list of passes.  A pass reads lines of `n` elements, merges them by its radices and writes them, possibly
 * in another order.  What the kernel is compiled for is an mfft_kernel; two passes with equal kernels share one binary. What
 * differs from launch to launch (pointers, distances, counts) is an mfft_pass_args of kernels/common/args.h. */
#ifndef MFFT_CUDA_PASS_H
#define MFFT_CUDA_PASS_H

#include "base/status.h"
#include "local/backend.h"
#include "local/cuda/kernels/common/args.h"
#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"

enum { MFFT_MAX_PASSES = 24 };

/* Where the data of a pass lies: the arrays of the caller, a part of the workspace, or the shares of a scattered output. */
typedef enum mfft_place_id {
  MFFT_AT_IN = 0,
  MFFT_AT_OUT,
  MFFT_AT_WORK,
  MFFT_AT_WORK2,
  MFFT_AT_SHARES, /* of a scattered output; distances are those of share 0 */
  MFFT_PLACES
} mfft_place_id;

typedef struct mfft_pass {
  mfft_kernel kernel;
  mfft_pass_args args; /* pointers are filled in when the pass is launched */
  mfft_place_id src, dst;
  int64_t twiddle_order;     /* order of the inter-pass twiddle; 0: none */
  int64_t real_length;       /* order of the roots that pack reals; 0: none */
  int64_t blocks;            /* of the launch */
  int vector_in, vector_out; /* wide accesses want this alignment of a pointer, in bytes; 0: never wide */
} mfft_pass;

typedef struct mfft_schedule {
  mfft_pass pass[MFFT_MAX_PASSES]; /* [count] */
  int count;
  size_t work_bytes;         /* both parts of the workspace */
  size_t work2_offset_bytes; /* where the second part begins */
} mfft_schedule;

/* Length -> passes.  MFFT_ERR_UNSUPPORTED for lengths with prime factors beyond 13, which the message names. */
mfft_status mfft_schedule_make(const mfft_fft_spec *spec, const mfft_device_limits *limits, mfft_schedule *schedule);

/* For a schedule that runs on a part of the data at a time, so that the part stays in cache between its passes: what a pass
 * loads or stores for the last time leaves the cache first. */
void mfft_schedule_in_parts(const mfft_fft_spec *spec, mfft_schedule *schedule);

/* One line: "256 (16,16; 16 lines x 16 threads) + ...". */
void mfft_schedule_print(const mfft_schedule *schedule, char *text, size_t size);

#endif
