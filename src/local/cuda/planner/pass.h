/* pass.h: the description of one kernel launch, shared by everything in this folder.
 *
 * A schedule is a list of passes.  A pass reads lines of `n` elements, merges them by its radices and writes them, possibly
 * in another order.  What the kernel is compiled for is an mfft_kernel; two passes with equal kernels share one binary.
 * Pointers, distances and counts differ from launch to launch: they are an mfft_pass_args of kernels/args/pass_args.h. */
#ifndef MFFT_CUDA_PASS_H
#define MFFT_CUDA_PASS_H

#include "base/status.h"
#include "local/backend.h"
#include "local/cuda/kernels/args/pass_args.h"
#include "local/cuda/planner/kernel.h"
#include "local/cuda/planner/limits.h"
#include "local/cuda/tuned/tuned.h"

enum { MFFT_MAX_PASSES = 32 };

/* Where the data of a pass lies: the arrays of the caller, a part of the workspace, or the shares of a scattered output. */
typedef enum mfft_place_id {
  MFFT_AT_IN = 0,
  MFFT_AT_OUT,
  MFFT_AT_WORK,
  MFFT_AT_WORK2,
  MFFT_AT_SHARES, /* of a scattered output; distances are those of share 0 */
  MFFT_AT_PADDED, /* parts of the workspace for lines that are padded to the length of a convolution */
  MFFT_AT_PADDED2,
  MFFT_AT_ROWS, /* in the output: the half spectra without their ends (preserved_input.h) */
  MFFT_AT_ENDS, /* in the workspace: their elements 0 and n */
  MFFT_PLACES
} mfft_place_id;

/* The axis that a pass of Bluestein's algorithm belongs to: its elements, those of the convolution, and the sign of the
 * exponent of the transform. */
typedef struct mfft_bluestein_line {
  int64_t n, m;
  int sign;
} mfft_bluestein_line;

typedef struct mfft_pass {
  mfft_kernel kernel;
  mfft_pass_args args; /* pointers are filled in when the pass is launched */
  mfft_place_id src, dst;
  int64_t twiddle_order;         /* order of the inter-pass twiddle; 0: none */
  int64_t real_length;           /* order of the roots that pack reals; 0: none */
  mfft_bluestein_line bluestein; /* of Bluestein's algorithm */
  int64_t blocks;                /* of the launch */
  double share;                  /* of the bytes that a pass over the whole array moves: less where zeros are left out */
  int vector_in, vector_out;     /* wide accesses want this alignment of a pointer, in bytes; 0: never wide */
} mfft_pass;

typedef struct mfft_schedule {
  mfft_pass pass[MFFT_MAX_PASSES]; /* [count] */
  int count;
  size_t work_bytes;             /* all parts of the workspace */
  size_t work2_offset_bytes;     /* where MFFT_AT_WORK2 begins */
  size_t padded_offset_bytes[2]; /* where MFFT_AT_PADDED and MFFT_AT_PADDED2 begin */
} mfft_schedule;

/* The places of a transform: `work` is its workspace; those of a scattered output are NULL. */
static inline void mfft_schedule_places(const mfft_schedule *s, const char *in, const char *out, const char *work,
                                        const char *place[MFFT_PLACES]) {
  place[MFFT_AT_IN] = in;
  place[MFFT_AT_OUT] = out;
  place[MFFT_AT_WORK] = work;
  place[MFFT_AT_WORK2] = work + s->work2_offset_bytes;
  place[MFFT_AT_SHARES] = place[MFFT_AT_ROWS] = place[MFFT_AT_ENDS] = NULL;
  place[MFFT_AT_PADDED] = work + s->padded_offset_bytes[0];
  place[MFFT_AT_PADDED2] = work + s->padded_offset_bytes[1];
}

#endif
