/* checksum_term.h: what one number adds to a checksum (checksum.h), on the host and on a GPU.
 *
 * The file is compiled as C11 and as CUDA C++. */
#ifndef MFFT_BASE_CHECKSUM_TERM_H
#define MFFT_BASE_CHECKSUM_TERM_H

#include "rounded.h"

#define MFFT_CHECKSUM_STEP 0x9e3779b97f4a7c15ull /* 2^64 over the golden ratio */

/* The term of a half of 32 bits, or of a whole number that has no more. */
MFFT_ROUNDED mfft_u64 mfft_checksum_half(mfft_u32 bits, mfft_u32 mask, mfft_u32 factor) {
  return (mfft_u64)(bits ^ mask) * (factor | 1);
}

/* The term of a number of 2 or 4 bytes, and that of one of 8; j: its index times MFFT_CHECKSUM_STEP, modulo 2^64. */
MFFT_ROUNDED mfft_u64 mfft_checksum_term4(mfft_u32 bits, mfft_u64 j) {
  const mfft_u64 key = j ^ j >> 31;
  return mfft_checksum_half(bits, (mfft_u32)(key >> 32), (mfft_u32)key);
}
MFFT_ROUNDED mfft_u64 mfft_checksum_term8(mfft_u64 bits, mfft_u64 j) {
  const mfft_u64 key = j ^ j >> 31;
  return mfft_checksum_half((mfft_u32)bits, (mfft_u32)(key >> 32), (mfft_u32)key) +
         mfft_checksum_half((mfft_u32)(bits >> 32), (mfft_u32)key, (mfft_u32)(key >> 32));
}

#endif
