/* checksum.h: the checksum of numbers that any distribution can add up.
 *
 * It is, modulo 2^64, the sum over elements of
 *
 *     4 bytes:  (bits ^ high(k)) * (low(k) | 1)
 *     8 bytes:  (low(bits) ^ high(k)) * (low(k) | 1) + (high(bits) ^ low(k)) * (high(k) | 1)
 *
 * with k = j ^ j >> 31, j = i * MFFT_CHECKSUM_STEP modulo 2^64, i the index of the element in C order, bits its value as an
 * unsigned number, and low and high the halves of 32 bits; 2 bytes count as 4 whose upper ones are 0.  The multipliers are
 * odd, so that no change inside one half goes unseen, and they differ from element to element, so that exchanged elements
 * are seen.  Integer sums do not depend on their sequence: parts are added up alone, by files (field/sums.h) and by devices
 * (kernels/service/rows.cu).  The terms are functions of checksum_term.h, with which both are compiled. */
#ifndef MFFT_BASE_CHECKSUM_H
#define MFFT_BASE_CHECKSUM_H

#include <stdint.h>

/* The checksum of the elements [first, first + count) of an array, which are at `bits` as numbers of 2, 4 or 8 bytes of this
 * machine's byte order. */
uint64_t mfft_checksum(const void *bits, int element_bytes, int64_t first, int64_t count);

#endif
