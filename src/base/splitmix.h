/* splitmix.h: the random numbers of SplitMix64 (Steele, Lea and Flood, Fast splittable pseudorandom number generators,
 * OOPSLA 2014): the state grows by MFFT_SPLITMIX_STEP from number to number, and a number is a mixture of the bits of the
 * state.  So number i of a sequence is known without the ones before it. */
#ifndef MFFT_BASE_SPLITMIX_H
#define MFFT_BASE_SPLITMIX_H

#include <stdint.h>

#define MFFT_SPLITMIX_STEP UINT64_C(0x9e3779b97f4a7c15)

/* Mixes the bits of a state. */
static inline uint64_t mfft_splitmix(uint64_t z) {
  z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
  return z ^ z >> 31;
}

#endif
