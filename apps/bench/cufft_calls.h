/* cufft_calls.h: one transform by cuFFT, by the fastest of its calls.
 *
 * cuFFT does the same transform of dense arrays by several calls, which differ in speed: a plan of one array
 * (cufftMakePlan1d to 3d), a plan of many (cufftXtMakePlanMany) without embeds or with the same layout given explicitly,
 * with its patient compiler or without, and each of these launched kernel by kernel or replayed as a CUDA graph.  All that
 * are possible are timed on the caller's arrays, and the fastest is used. */
#ifndef MFFT_APPS_CUFFT_CALLS_H
#define MFFT_APPS_CUFFT_CALLS_H

#include "bench/cufft_library.h"

/* Dense arrays in C order, those of a batch one after the other; in place, rows of reals are padded to whole complexes. */
typedef struct mfft_cufft_transform {
  int rank;
  int64_t n[3]; /* [rank] logical lengths */
  int64_t batch;
  mfft_kind kind;
  mfft_direction direction;
  mfft_precision precision;
  mfft_placement placement;
  mfft_effort effort; /* ESTIMATE: neither explicit layouts nor the patient compiler, which takes seconds, are tried */
  const void *in;     /* device memory of the current context */
  void *out;          /* in place the same */
} mfft_cufft_transform;

typedef struct mfft_cufft_call mfft_cufft_call;

/* Times the calls that are possible and selects the fastest.  Overwrites the output and may overwrite the input.  Blocking.
 * MFFT_ERR_UNSUPPORTED if cuFFT has no such transform. */
mfft_status mfft_cufft_call_create(const mfft_cufft_library *cufft, const mfft_cufft_transform *transform,
                                   mfft_cufft_call **call);

/* Runs it on the default stream; returns before the work is done. */
mfft_status mfft_cufft_call_execute(const mfft_cufft_call *call);

/* The call, such as "cufftXtMakePlanMany without embeds, as a CUDA graph".  Valid as long as the object. */
const char *mfft_cufft_call_words(const mfft_cufft_call *call);

void mfft_cufft_call_destroy(mfft_cufft_call *call); /* accepts NULL */

#endif
