/* draft.h: a pass while it is made, step by step (add_pass.c). */
#ifndef MFFT_CUDA_DRAFT_H
#define MFFT_CUDA_DRAFT_H

#include "local/cuda/planner/builder.h"

typedef struct mfft_pass_draft {
  mfft_builder *b;
  mfft_pass *pass;             /* its kernel's engine is the one in hand */
  mfft_pass_geometry geometry; /* what was asked for */
  int64_t whole;               /* elements of the axis */
  mfft_builder_loop extra[2];  /* loops over the lines of a split axis */
  int strided;                 /* at one end or both, neighbouring threads take neighbouring lines */
  int lines;                   /* neighbouring lines that a block should take at least */
} mfft_pass_draft;

#endif
