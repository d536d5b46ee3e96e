/* particle_rules.c: see particle_rules.h. */
#include "local/cuda/tuned/particle_rules.h"

#include <stddef.h>

int mfft_tuned_sorts(int order) { return order > 1; }

int mfft_tuned_in_no_order(double disorder) { return disorder > 0.5; }

unsigned mfft_tuned_owner_warps(int ranks, unsigned least) {
  enum {
    MOST_WARPS = 1 << 12, /* two thirds of the warps that are resident on an H200 */
    MOST_COUNTS = 1 << 20 /* the host adds up this many in about a millisecond */
  };
  unsigned warps = MOST_WARPS;
  while (warps > least && warps * (size_t)ranks > MOST_COUNTS) warps /= 2;
  return warps;
}
