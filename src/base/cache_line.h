/* cache_line.h: sizes rounded up to cache lines.  Parts of memory that different ranks or threads write begin on a line of
 * their own, so that no line moves between cores without need. */
#ifndef MFFT_BASE_CACHE_LINE_H
#define MFFT_BASE_CACHE_LINE_H

#include <stddef.h>
#include <stdint.h>

enum { MFFT_LINE_BYTES = 64 };

/* The least multiple of a line that holds so many bytes. */
static inline size_t mfft_whole_lines(size_t bytes) {
  return (bytes + MFFT_LINE_BYTES - 1) / MFFT_LINE_BYTES * MFFT_LINE_BYTES;
}

/* The same for signed sizes, which routes use. */
static inline int64_t mfft_line_bytes(int64_t bytes) { return (int64_t)mfft_whole_lines((size_t)bytes); }

#endif
