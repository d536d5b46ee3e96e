/* axis_kinds.c: see axis_kinds.h. */
#include "info/axis_kinds.h"

#include <stddef.h>

#include "cli/name_list.h"
#include "mfft_inspect.h"

static const char *name_of(int kind) { return mfft_axis_kind_name((mfft_axis_kind)kind); }

int mfft_axis_kinds_parse(const char *text, mfft_desc *desc) {
  int found[3], dfts = 0; /* [axis] */
  const int count = mfft_cli_read_names(text, name_of, found);
  if (!count || (count != 1 && count != desc->rank)) return 1;
  for (int a = 0; a < desc->rank; a++) {
    desc->axis_kind[a] = (mfft_axis_kind)found[count == 1 ? 0 : a];
    dfts += desc->axis_kind[a] == MFFT_DFT;
  }
  if (!dfts) desc->kind = MFFT_R2R;
  return 0;
}
