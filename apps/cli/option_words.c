/* option_words.c: see option_words.h. */
#include "cli/option_words.h"

#include <ctype.h>
#include <string.h>

/* A longer word stands before its own beginning. */
static const struct {
  const char *field, *option;
} translations[] = {
    {"compute is MFFT_COMPUTE_TENSOR", "--compute is tensor"},
    {"desc.batch", "--batch"},
    {"desc.kind", "--kind"},
    {"desc.placement", "--placement"},
    {"kind is MFFT_R2C", "--kind is r2c"},
    {"name the one that is meant", "name one by --dataset"},
    {"options.backend", "--backend"},
    {"options.chunks", "--chunks"},
    {"options.grid", "--grid"},
    {"options.radices", "--radices"},
    {"options.threads", "--threads"},
    {"options.time_limit", "--time-limit"},
    {"options.tolerance", "--tolerance"},
    {"options.transport", "--transport"},
    {"options.wire", "--wire"},
    {"MFFT_C2C", "--kind c2c"},
    {"MFFT_COMPUTE_AUTO", "--compute auto"},
    {"MFFT_COMPUTE_BUTTERFLY", "--compute butterfly"},
    {"MFFT_COMPUTE_TENSOR", "--compute tensor"},
    {"MFFT_R2C", "--kind r2c"},
    {"MFFT_WIRE_FULL", "--wire full"},
    {"MFFT_WIRE_HALF", "half"},
};

static int in_word(char c) { return isalnum((unsigned char)c) || c == '_' || c == '.'; }

/* The row whose word the text begins with; -1: none. */
static int find_translation(const char *text) {
  for (int i = 0; i < (int)(sizeof translations / sizeof *translations); i++) {
    const size_t length = strlen(translations[i].field);
    if (!strncmp(text, translations[i].field, length) && !in_word(text[length])) return i;
  }
  return -1;
}

void mfft_option_words(const char *message, char *out, size_t size) {
  size_t used = 0;
  for (const char *c = message; *c;) {
    const int found = c == message || !in_word(c[-1]) ? find_translation(c) : -1;
    const char *from = found < 0 ? c : translations[found].option;
    const size_t length = found < 0 ? 1 : strlen(from);
    if (used + length >= size) break;
    memcpy(out + used, from, length);
    used += length;
    c += found < 0 ? 1 : strlen(translations[found].field);
  }
  out[used] = '\0';
}
