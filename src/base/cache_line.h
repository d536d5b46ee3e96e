/* cache_line.h: sizes rounded up to whole cache lines.  Memory that different ranks or threads write begins on a cache
 * line of its own, which avoids false sharing. */
#ifndef MFFT_BASE_CACHE_LINE_H
#define MFFT_BASE_CACHE_LINE_H

#include <stddef.h>
#include <stdint.h>

enum { MFFT_LINE_BYTES = 64 };

/* The least multiple of MFFT_LINE_BYTES that is not below `bytes`. */
static inline size_t mfft_whole_lines(size_t bytes) {
  return (bytes + MFFT_LINE_BYTES - 1) / MFFT_LINE_BYTES * MFFT_LINE_BYTES;
}

/* The same for signed sizes, as routes use them. */
static inline int64_t mfft_line_bytes(int64_t bytes) { return (int64_t)mfft_whole_lines((size_t)bytes); }

#endif
