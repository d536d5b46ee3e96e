/* lines.h: cache lines, on which parts of memory begin that different ranks or threads write. */
#ifndef MFFT_CORE_LINES_H
#define MFFT_CORE_LINES_H

#include <stddef.h>

enum { MFFT_LINE_BYTES = 64 };

/* The least multiple of a line that holds so many bytes. */
static inline size_t mfft_whole_lines(size_t bytes) {
  return (bytes + MFFT_LINE_BYTES - 1) / MFFT_LINE_BYTES * MFFT_LINE_BYTES;
}

#endif
