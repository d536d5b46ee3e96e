/* cache_line.h: cache lines, on which parts of memory begin that different ranks or threads write. */
#ifndef MFFT_BASE_CACHE_LINE_H
#define MFFT_BASE_CACHE_LINE_H

#include <stddef.h>
#include <stdint.h>

enum { MFFT_LINE_BYTES = 64 };

/* The least multiple of a line that holds so many bytes. */
static inline size_t mfft_whole_lines(size_t bytes) {
  return (bytes + MFFT_LINE_BYTES - 1) / MFFT_LINE_BYTES * MFFT_LINE_BYTES;
}

/* The same of signed numbers, as routes have them. */
static inline int64_t mfft_line_bytes(int64_t bytes) { return (int64_t)mfft_whole_lines((size_t)bytes); }

#endif
