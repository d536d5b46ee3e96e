/* line.h: a line of text in a caller's buffer, cut off where the buffer ends. */
#ifndef MFFT_CUDA_LINE_H
#define MFFT_CUDA_LINE_H

#include <stddef.h>

#include "base/status.h"
#include "local/cuda/planner/kernel.h"

typedef struct mfft_line {
  char *text; /* [size] */
  size_t size, used;
} mfft_line;

void mfft_line_add(mfft_line *line, const char *format, ...) MFFT_PRINTF(2, 3);

/* The radices of a chain, " (16,16". */
void mfft_line_radices(mfft_line *line, const mfft_chain *chain);

#endif
