/* reorder.c: see reorder.h. */
#include "reorder.h"

#include <string.h>

#include "base/precision.h"

void mfft_dropin_reorder(const mfft_dropin_shape *s, int rank, int to_program, const void *from, void *to) {
  const mfft_side far = s->near == MFFT_IN ? MFFT_OUT : MFFT_IN;
  const size_t number = mfft_real_bytes(s->precision) * (s->kind == MFFT_R2R ? 1 : 2); /* the far side is a spectrum */
  int64_t lo[MFFT_DROPIN_MOST_AXES], hi[MFFT_DROPIN_MOST_AXES];
  mfft_dropin_part(s, far, rank, lo, hi);
  const int64_t x = hi[0] - lo[0], y = hi[1] - lo[1], z = hi[2] - lo[2];
  size_t bytes = (size_t)s->howmany * number;
  for (int a = 3; a < s->rank; a++) bytes *= (size_t)(hi[a] - lo[a]);
  const int64_t outer = to_program ? z : x, inner = to_program ? x : z; /* lengths in the target */
  char *target = to;
  for (int64_t j = 0; j < y; j++)
    for (int64_t o = 0; o < outer; o++)
      for (int64_t i = 0; i < inner; i++, target += bytes)
        memcpy(target, (const char *)from + (size_t)((j * inner + i) * outer + o) * bytes, bytes);
}
