/* text.h: a string that grows as text is appended, and its copy into a caller's buffer. */
#ifndef MFFT_BASE_TEXT_H
#define MFFT_BASE_TEXT_H

#include "base/status.h"

typedef struct mfft_text {
  char *data; /* [capacity], zero-terminated; NULL while empty */
  size_t length, capacity;
  int failed; /* memory ran out, and the text is incomplete */
} mfft_text;

void mfft_text_add(mfft_text *text, const char *format, ...) MFFT_PRINTF(2, 3);
void mfft_text_free(mfft_text *text);

/* Copies the text to a caller, as every public call that returns text does: at most `size` bytes, the terminating zero
 * included; `needed` (may be NULL) gets the length of the whole text with its terminating zero.  Frees the text. */
mfft_status mfft_text_give(mfft_text *text, char *out, size_t size, size_t *needed);

/* The 64-bit FNV-1a hash (Fowler, Noll, Vo) of `length` bytes. */
uint64_t mfft_text_hash(const char *text, size_t length);

#endif
