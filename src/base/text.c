/* text.c: growing strings. */
#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mfft_text_add(mfft_text *text, const char *format, ...) {
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);

  size_t wanted = text->length + (length > 0 ? (size_t)length : 0) + 1;
  if (wanted > text->capacity) {
    char *grown = realloc(text->data, 2 * wanted);
    if (grown) {
      text->data = grown;
      text->capacity = 2 * wanted;
    }
  }
  if (length < 0 || wanted > text->capacity) {
    text->failed = 1;
  } else {
    vsnprintf(text->data + text->length, text->capacity - text->length, format, again);
    text->length += (size_t)length;
  }
  va_end(again);
}

void mfft_text_free(mfft_text *text) {
  free(text->data);
  memset(text, 0, sizeof *text);
}

mfft_status mfft_text_give(mfft_text *text, char *out, size_t size, size_t *needed) {
  mfft_status status = MFFT_SUCCESS;
  if (text->failed) {
    status = mfft_fail(MFFT_ERR_MEMORY, "no memory for a text of more than %zu bytes", text->length);
  } else if (size && !out) {
    status = mfft_fail(MFFT_ERR_ARG, "the text buffer is NULL but its size is %zu; pass size 0 to measure", size);
  } else {
    if (size) {
      size_t copied = text->length < size ? text->length : size - 1;
      if (copied) memcpy(out, text->data, copied);
      out[copied] = '\0';
    }
    if (needed) *needed = text->length + 1;
  }
  mfft_text_free(text);
  return status;
}

uint64_t mfft_text_hash(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * 0x100000001b3u;
  return hash;
}
