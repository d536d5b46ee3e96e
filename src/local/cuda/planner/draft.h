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

/* Lines by which a block is chosen: those of the pass, or of the other parts if this is the last part of a loop. */
static inline int64_t mfft_lines_of_parts(const mfft_pass_draft *d) {
  const mfft_fft_spec *s = d->b->spec;
  return s->rest.here ? d->pass->args.lines * s->rest.usual / s->rest.here : d->pass->args.lines;
}

#endif
