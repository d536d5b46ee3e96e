/* name_list.c: see name_list.h. */
#include "cli/name_list.h"

#include <string.h>

/* The index of the name of `length` characters, or -1. */
static int find_name(const char *(*name)(int), const char *text, size_t length) {
  const char *known;
  for (int i = 0; (known = name(i)); i++)
    if (strlen(known) == length && !strncmp(known, text, length)) return i;
  return -1;
}

int mfft_cli_read_names(const char *text, const char *(*name)(int), int found[3]) {
  for (int count = 0; count < 3;) {
    const size_t length = strcspn(text, ",");
    if ((found[count++] = find_name(name, text, length)) < 0) return 0;
    if (!text[length]) return count;
    text += length + 1;
  }
  return 0;
}
