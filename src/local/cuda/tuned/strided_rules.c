/* strided_rules.c: see strided_rules.h. */
#include "local/cuda/tuned/strided_rules.h"

#include "local/cuda/tuned/butterfly_rules.h"

enum { LEAST = 300, LEAST_OF_FEW = 450, MOST_IN_MEMORY = 810 }; /* lengths of a line */
enum { SEGMENT_LINES = 8, FEW_LINES = 4, MOST_RADIX_OF_SEGMENT = 24, MOST_RADIX = 30 };

int mfft_larger_radix(int n, int most) {
  enum { LEAST_RADIX = 10 };
  for (int r = LEAST_RADIX; r <= most; r++)
    if (n % r == 0 && r * r >= n && n / r >= LEAST_RADIX && !mfft_is_long_prime(r) && !mfft_is_long_prime(n / r)) return r;
  return 0;
}

int mfft_strided_pair(const mfft_kernel *k, int in_cache, mfft_chain *chain) {
  const int n = k->chain.n, r = mfft_larger_radix(n, MOST_RADIX);
  if (k->precision != MFFT_DOUBLE || k->in.map != MFFT_MAP_LINE || k->in.form != MFFT_FORM_COMPLEX ||
      k->out.form != MFFT_FORM_COMPLEX || k->trigonometric || !r || n < LEAST)
    return 0;
  const int few = in_cache && r > MOST_RADIX_OF_SEGMENT; /* registers of more lines would leave room for one block */
  if ((few && n < LEAST_OF_FEW) || (!in_cache && n > MOST_IN_MEMORY)) return 0;
  *chain = (mfft_chain){.n = n, .merges = 2, .lines = few ? FEW_LINES : SEGMENT_LINES, .threads = r};
  for (int i = 0; i < MFFT_MAX_MERGES; i++) chain->radix[i] = i == 0 ? r : i == 1 ? n / r : 1;
  return 1;
}
