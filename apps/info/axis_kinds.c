/* axis_kinds.c: see axis_kinds.h. */
#include "info/axis_kinds.h"

#include <string.h>

#include "mfft_inspect.h"

/* Index of the kind named by the `length` characters at `word`; -1: there is none. */
static int kind_of(const char *word, size_t length) {
  const char *name;
  for (int kind = 0; (name = mfft_axis_kind_name((mfft_axis_kind)kind)); kind++)
    if (strlen(name) == length && !strncmp(name, word, length)) return kind;
  return -1;
}

int mfft_axis_kinds_parse(const char *text, mfft_desc *desc) {
  int found[3], count = 0, dfts = 0;
  for (const char *word = text;; word++) {
    const size_t length = strcspn(word, ",");
    if (count == 3 || (found[count++] = kind_of(word, length)) < 0) return 1;
    word += length;
    if (!*word) break;
  }
  if (count != 1 && count != desc->rank) return 1;
  for (int a = 0; a < desc->rank; a++) {
    desc->axis_kind[a] = (mfft_axis_kind)found[count == 1 ? 0 : a];
    dfts += desc->axis_kind[a] == MFFT_DFT;
  }
  if (!dfts) desc->kind = MFFT_R2R;
  return 0;
}
