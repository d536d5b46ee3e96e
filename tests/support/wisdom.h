/* wisdom.h: the wisdom of this process as text. */
#ifndef MFFT_TESTS_WISDOM_H
#define MFFT_TESTS_WISDOM_H

#include "check.h"
#include "mfft_inspect.h"

/* The text of mfft_wisdom_export, to be freed. */
static inline char *exported_wisdom(void) {
  size_t needed = 0;
  CHECK_OK(mfft_wisdom_export(NULL, 0, &needed));
  char *text = malloc(needed);
  CHECK_OK(mfft_wisdom_export(text, needed, NULL));
  return text;
}

#endif
