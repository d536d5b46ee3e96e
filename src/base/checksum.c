/* checksum.c: see checksum.h.  The loops over `bits`, j the index times MFFT_CHECKSUM_STEP, are simple enough for the
 * compiler to vectorise. */
#include "base/checksum.h"

#include "base/checksum_term.h"
#include "base/vectors.h"

#define SUM_LOOP(name, type, term)                                                        \
  MFFT_VECTOR_LOOP uint64_t name##_loop(const type *bits, int64_t count, uint64_t j) {    \
    uint64_t sum = 0;                                                                     \
    for (int64_t e = 0; e < count; e++, j += MFFT_CHECKSUM_STEP) sum += term(bits[e], j); \
    return sum;                                                                           \
  }                                                                                       \
  MFFT_VECTORS(uint64_t, name, (const type *bits, int64_t count, uint64_t j), (bits, count, j))

SUM_LOOP(sum2, uint16_t, mfft_checksum_term4)
SUM_LOOP(sum4, uint32_t, mfft_checksum_term4)
SUM_LOOP(sum8, uint64_t, mfft_checksum_term8)

uint64_t mfft_checksum(const void *bits, int element_bytes, int64_t first, int64_t count) {
  const uint64_t start = (uint64_t)first * MFFT_CHECKSUM_STEP;
  if (element_bytes == 2) return sum2(bits, count, start);
  return element_bytes == 4 ? sum4(bits, count, start) : sum8(bits, count, start);
}
