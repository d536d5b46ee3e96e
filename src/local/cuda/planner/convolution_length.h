/* convolution_length.h: the length of a convolution for Bluestein's algorithm (bluestein.h). */
#ifndef MFFT_CUDA_CONVOLUTION_LENGTH_H
#define MFFT_CUDA_CONVOLUTION_LENGTH_H

#include "base/precision.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/limits.h"

/* The transforms by which a line of n elements is convolved. */
typedef struct mfft_convolution_plan {
  int64_t m; /* elements of the convolution; 0: there is no length for it */
  int parts; /* passes of each of its two transforms, which share the middle one; 1: a block holds m */
  int64_t factor[MFFT_MAX_FACTORS]; /* [parts] lengths of the passes */
  int rader;                        /* 1: by Rader's algorithm, m = n - 1 in one pass */
  int half_segments;                /* 1: the neighbouring lines of a block fill only half a segment of memory */
  double cost;                      /* elements that all passes read and write for one line; by estimate */
} mfft_convolution_plan;

/* Lines that may be convolved. */
typedef struct mfft_convolution_request {
  mfft_precision precision;
  const mfft_device_limits *limits;
  int64_t n;           /* elements of a line */
  int64_t usual;       /* the longest line that a block holds */
  int64_t alone;       /* the longest convolution that a block holds, which may be longer */
  int64_t part;        /* the longest line of one of several passes, of `lines` side by side */
  int lines, by_rader; /* by_rader: the lines may be transformed by Rader's algorithm */
  int rows, of_reals;  /* the lines are contiguous; mfft_is_of_reals */
} mfft_convolution_request;

/* Finds the length of a convolution; plan->m is 0 if there is none. */
void mfft_convolution_choose(const mfft_convolution_request *request, mfft_convolution_plan *plan);

#endif
