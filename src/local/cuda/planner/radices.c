/* radices.c: see radices.h. */
#include "local/cuda/planner/radices.h"

#include <stdlib.h>
#include <string.h>

enum { LARGEST = 32 };

static int length_of(const char *text) { return (int)strcspn(text, "x"); }

static mfft_status wrong(const char *text, const char *at) {
  return mfft_fail(MFFT_ERR_ARG,
                   "radices \"%.*s\": \"%.*s\" is no list of radices from 2 to %d with commas between merges and + between "
                   "passes, such as 16,16+16,2",
                   length_of(text), text, length_of(at), at, LARGEST);
}

mfft_status mfft_radices_read(const char *text, int64_t n, mfft_radices *radices) {
  mfft_radices r = {0};
  int64_t whole = 1;
  memset(radices, 0, sizeof *radices);
  if (!text || !length_of(text)) return MFFT_SUCCESS;
  for (const char *at = text;;) {
    char *end;
    const long radix = at[0] >= '0' && at[0] <= '9' ? strtol(at, &end, 10) : 0;
    if (radix < 2 || radix > LARGEST) return wrong(text, at);
    if (r.passes == 0) r.n[r.passes++] = 1;
    const int pass = r.passes - 1;
    if (r.merges[pass] == MFFT_MAX_MERGES || whole > n)
      return mfft_fail(MFFT_ERR_ARG, "radices \"%.*s\" are too many for the length %lld", length_of(text), text,
                       (long long)n);
    r.radix[pass][r.merges[pass]++] = (int)radix;
    r.n[pass] *= radix;
    whole *= radix;
    if (*end == '\0' || *end == 'x') break;
    if (*end != ',' && *end != '+') return wrong(text, end);
    if (*end == '+' && r.passes == MFFT_NAMED_PASSES)
      return mfft_fail(MFFT_ERR_ARG, "radices \"%.*s\" have more than %d passes", length_of(text), text, MFFT_NAMED_PASSES);
    if (*end == '+') r.n[r.passes++] = 1;
    at = end + 1;
  }
  if (whole != n)
    return mfft_fail(MFFT_ERR_ARG,
                     "radices \"%.*s\" multiply to %lld, and the axis has %lld elements to merge (an even real axis n/2)",
                     length_of(text), text, (long long)whole, (long long)n);
  *radices = r;
  return MFFT_SUCCESS;
}
