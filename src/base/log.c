/* log.c: lines on stderr. */
#include "base/log.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/env.h"
#include "mfft_inspect.h"

void mfft_log(mfft_log_level level, const char *format, ...) {
  if (mfft_env_number(MFFT_ENV_LOG) < (double)level) return;
  char words[MFFT_ERROR_TEXT_BYTES], line[MFFT_ERROR_TEXT_BYTES]; /* one call writes it: lines of ranks do not mix */
  va_list args;
  va_start(args, format);
  vsnprintf(words, sizeof words, format, args);
  va_end(args);
  mfft_escape(words, line, sizeof line);
  fprintf(stderr, "mergefft: %s%s\n", level == MFFT_LOG_WARNING ? "warning: " : "", line);
}
