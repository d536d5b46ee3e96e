/* line.c: see line.h. */
#include "local/cuda/planner/line.h"

#include <stdarg.h>
#include <stdio.h>

void mfft_line_add(mfft_line *line, const char *format, ...) {
  va_list arguments;
  if (line->used >= line->size) return;
  va_start(arguments, format);
  const int wrote = vsnprintf(line->text + line->used, line->size - line->used, format, arguments);
  va_end(arguments);
  if (wrote > 0) line->used += (size_t)wrote;
}

void mfft_line_radices(mfft_line *line, const mfft_chain *chain) {
  for (int m = 0; m < chain->merges; m++) mfft_line_add(line, "%s%d", m ? "," : " (", chain->radix[m]);
}
