/* status.c: the text of statuses and the last error message of each thread. */
#include "base/status.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "mfft_inspect.h"

static _Thread_local char last_error[MFFT_ERROR_TEXT_BYTES];

mfft_status mfft_fail(mfft_status status, const char *format, ...) {
  char words[MFFT_ERROR_TEXT_BYTES]; /* a buffer of its own, since last_error may be among the arguments */
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  mfft_escape(words, last_error, sizeof last_error);
  return status;
}

mfft_status mfft_fail_context(mfft_status status, const char *format, ...) {
  char raw[MFFT_ERROR_TEXT_BYTES / 4], words[sizeof raw]; /* short, so that the message fits behind it */
  va_list args;
  va_start(args, format);
  vsnprintf(raw, sizeof raw, format, args);
  va_end(args);
  mfft_escape(raw, words, sizeof words - 2);
  strcat(words, ": ");

  size_t prefix = strlen(words), space = sizeof last_error - prefix - 1, keep = strlen(last_error);
  if (keep > space) keep = space;
  memmove(last_error + prefix, last_error, keep);
  memcpy(last_error, words, prefix);
  last_error[prefix + keep] = '\0';
  return status;
}

const char *mfft_last_error(void) { return last_error; }

const char *mfft_strerror(mfft_status status) {
  static const char *const text[] = {
#define MFFT_X(name, words) #name ": " words,
      MFFT_STATUS_LIST(MFFT_X)
#undef MFFT_X
  };
  if ((int)status < 0 || status >= MFFT_STATUS_COUNT) return "unknown status: not one of mergefft's";
  return text[status];
}

int mfft_version(void) { return MFFT_VERSION; }
