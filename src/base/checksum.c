/* checksum.c: see checksum.h.  The loops over `bits`, i the index times MFFT_CHECKSUM_STEP, are simple enough for the
 * compiler to vectorise. */
#include "base/checksum.h"

#include "base/vectors.h"

MFFT_VECTOR_LOOP uint64_t sum2_loop(const uint16_t *bits, int64_t count, uint64_t i) {
  uint64_t sum = 0;
  for (int64_t e = 0; e < count; e++, i += MFFT_CHECKSUM_STEP) {
    uint64_t key = i ^ i >> 31;
    sum += (uint64_t)(uint32_t)(bits[e] ^ key >> 32) * (uint32_t)(key | 1);
  }
  return sum;
}
MFFT_VECTORS(uint64_t, sum2, (const uint16_t *bits, int64_t count, uint64_t i), (bits, count, i))

MFFT_VECTOR_LOOP uint64_t sum4_loop(const uint32_t *bits, int64_t count, uint64_t i) {
  uint64_t sum = 0;
  for (int64_t e = 0; e < count; e++, i += MFFT_CHECKSUM_STEP) {
    uint64_t key = i ^ i >> 31;
    sum += (uint64_t)(uint32_t)(bits[e] ^ key >> 32) * (uint32_t)(key | 1);
  }
  return sum;
}
MFFT_VECTORS(uint64_t, sum4, (const uint32_t *bits, int64_t count, uint64_t i), (bits, count, i))

MFFT_VECTOR_LOOP uint64_t sum8_loop(const uint64_t *bits, int64_t count, uint64_t i) {
  uint64_t sum = 0;
  for (int64_t e = 0; e < count; e++, i += MFFT_CHECKSUM_STEP) {
    uint64_t key = i ^ i >> 31, low = bits[e] ^ key >> 32, high = bits[e] >> 32 ^ key;
    sum += (uint64_t)(uint32_t)low * (uint32_t)(key | 1);
    sum += (uint64_t)(uint32_t)high * (uint32_t)(key >> 32 | 1);
  }
  return sum;
}
MFFT_VECTORS(uint64_t, sum8, (const uint64_t *bits, int64_t count, uint64_t i), (bits, count, i))

uint64_t mfft_checksum(const void *bits, int element_bytes, int64_t first, int64_t count) {
  const uint64_t start = (uint64_t)first * MFFT_CHECKSUM_STEP;
  if (element_bytes == 2) return sum2(bits, count, start);
  return element_bytes == 4 ? sum4(bits, count, start) : sum8(bits, count, start);
}
