/* checks.c: see checks.h. */
#include "checks.h"

#include <stdint.h>

/* A number in [-0.5, 0.5) for the point with an index (sign 1), or with the opposite index modulo n (sign -1). */
static double noise(int rank, const ptrdiff_t *n, const ptrdiff_t *index, int sign, uint64_t seed) {
  uint64_t i = seed;
  for (int a = 0; a < rank; a++) {
    const ptrdiff_t k = sign * index[a] % n[a];
    i = (i + (uint64_t)(k < 0 ? k + n[a] : k) + 1) * UINT64_C(0x9e3779b97f4a7c15);
    i ^= i >> 31;
  }
  return (double)(i >> 40) / (1 << 24) - 0.5;
}

int mfft_pfft_value(int kind, int rank, const ptrdiff_t *n, const ptrdiff_t *local_n, const ptrdiff_t *local_start,
                    ptrdiff_t at, double value[2]) {
  enum { MOST = 32 };
  ptrdiff_t index[MOST];
  value[0] = value[1] = 0;
  if (rank > MOST) return 0;
  for (int a = rank - 1; a >= 0; a--) {
    index[a] = local_start[a] + at % local_n[a];
    at /= local_n[a];
  }
  if (kind == MFFT_PFFT_REAL && rank > 0 && index[rank - 1] >= n[rank - 1]) return 0;
  for (int part = 0; part < (kind == MFFT_PFFT_REAL ? 1 : 2); part++) {
    value[part] = noise(rank, n, index, 1, (uint64_t)part);
    if (kind != MFFT_PFFT_HERMITIAN) continue;
    const double opposite = noise(rank, n, index, -1, (uint64_t)part);
    value[part] = 0.5 * (value[part] + (part ? -opposite : opposite));
  }
  return 1;
}
