/* radices.h: the merges of one axis as a user names them: "16,16+16,2". */
#ifndef MFFT_CUDA_RADICES_H
#define MFFT_CUDA_RADICES_H

#include "local/cuda/planner/pass.h"

enum { MFFT_NAMED_PASSES = 4 };

typedef struct mfft_radices {
  int passes;                                    /* 0: the backend chooses */
  int64_t n[MFFT_NAMED_PASSES];                  /* [passes] lengths: products of their radices */
  int merges[MFFT_NAMED_PASSES];                 /* [passes] */
  int radix[MFFT_NAMED_PASSES][MFFT_MAX_MERGES]; /* [passes][merges] */
} mfft_radices;

/* Reads the text up to its end or an x; NULL names nothing.  The passes must multiply to n. */
mfft_status mfft_radices_read(const char *text, int64_t n, mfft_radices *radices);

#endif
