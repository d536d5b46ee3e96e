/* strided_rules.c: see strided_rules.h. */
#include "local/cuda/tuned/strided_rules.h"

enum { LEAST = 300, LEAST_OF_FEW = 450, MOST_IN_MEMORY = 810 }; /* lengths of a line */
enum { SEGMENT_LINES = 8, FEW_LINES = 4, MOST_RADIX_OF_SEGMENT = 24 };

/* Radices of the pairs that were measured. */
static int is_radix(int r) {
  static const char is[31] = {[10] = 1, [11] = 1, [12] = 1, [13] = 1, [14] = 1, [15] = 1, [16] = 1, [18] = 1, [20] = 1,
                              [21] = 1, [22] = 1, [24] = 1, [25] = 1, [26] = 1, [27] = 1, [28] = 1, [30] = 1};
  return r < 31 && is[r];
}

/* The larger radix of the pair whose radices differ least; 0: none. */
static int larger_radix(int n) {
  for (int r = 10; r < 31; r++)
    if (is_radix(r) && n % r == 0 && r * r >= n && is_radix(n / r)) return r;
  return 0;
}

int mfft_strided_pair(const mfft_kernel *k, int in_cache, mfft_chain *chain) {
  const int n = k->chain.n, r = larger_radix(n);
  if (k->precision != MFFT_DOUBLE || k->in.map != MFFT_MAP_LINE || k->in.form != MFFT_FORM_COMPLEX ||
      k->out.form != MFFT_FORM_COMPLEX || k->trigonometric || !r || n < LEAST)
    return 0;
  const int few = in_cache && r > MOST_RADIX_OF_SEGMENT; /* registers of more lines would leave room for one block */
  if ((few && n < LEAST_OF_FEW) || (!in_cache && n > MOST_IN_MEMORY)) return 0;
  *chain = (mfft_chain){.n = n, .merges = 2, .lines = few ? FEW_LINES : SEGMENT_LINES, .threads = r};
  for (int i = 0; i < MFFT_MAX_MERGES; i++) chain->radix[i] = i == 0 ? r : i == 1 ? n / r : 1;
  return 1;
}
