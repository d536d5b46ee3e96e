/* draft.h: a pass while it is made, step by step (add_pass.c). */
#ifndef MFFT_CUDA_DRAFT_H
#define MFFT_CUDA_DRAFT_H

#include "local/cuda/planner/builder.h"

typedef struct mfft_pass_draft {
  mfft_builder *b;
  mfft_pass *pass;             /* the pass, whose kernel.engine is the family that does the current step */
  mfft_pass_geometry geometry; /* loops and strides of the request */
  int64_t whole;               /* elements of the axis */
  mfft_builder_loop extra[2];  /* loops over the lines of a split axis */
  int strided;                 /* 1: neighbouring threads load, or store, elements of neighbouring lines */
  int lines;                   /* least number of neighbouring lines of a block */
} mfft_pass_draft;

#endif
