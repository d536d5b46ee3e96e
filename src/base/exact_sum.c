/* exact_sum.c: sums of doubles that are never rounded; see mfft_array.h. */
#include "mfft_array.h"

#include <math.h>
#include <string.h>

#include "base/vectors.h"

/* At most 2^BLOCK_BITS values are split together; the first of two splits takes SPLIT_BITS bits of the largest value. */
enum { BLOCK_BITS = 9, BLOCK = 1 << BLOCK_BITS, SPLIT_BITS = 52 - BLOCK_BITS - 1, LANES = 8 };

/* An addition changes a limb by less than 2^53, so a limb overflows after no fewer than 1023 of them. */
enum { LIMB_BITS = 32, LOWEST_EXPONENT = -1074, MOST_PENDING = 1000 };
static const int64_t limb_mask = 0xffffffff;

void mfft_exact_carry(mfft_exact_sum *sum) {
  int64_t carry = 0;
  for (int i = 0; i < MFFT_EXACT_LIMBS - 1; i++) {
    const int64_t limb = sum->limb[i] + carry, low = limb & limb_mask;
    carry = (limb - low) / (limb_mask + 1);
    sum->limb[i] = low;
  }
  sum->limb[MFFT_EXACT_LIMBS - 1] += carry;
  sum->pending = 0;
}

static void add_special(mfft_exact_sum *sum, double value) {
  if (isnan(value))
    sum->nan++;
  else
    sum->infinite[value < 0]++;
}

/* A double is mantissa 2^(exponent - 1075), of 53 bits, which lie in two neighbouring limbs. */
static void add_one(mfft_exact_sum *sum, double value) {
  enum { MANTISSA_BITS = 52, SPECIAL = 2047 };
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int exponent = (int)(bits >> MANTISSA_BITS) & SPECIAL;
  if (exponent == SPECIAL) {
    add_special(sum, value);
    return;
  }
  const int64_t sign = bits >> 63 ? -1 : 1;
  const uint64_t mantissa = (bits & ((1ull << MANTISSA_BITS) - 1)) | (exponent ? 1ull << MANTISSA_BITS : 0);
  const int place = exponent ? exponent - 1 : 0, shift = place % LIMB_BITS;
  int64_t *limb = &sum->limb[place / LIMB_BITS];
  limb[0] += sign * (int64_t)((mantissa << shift) & (uint64_t)limb_mask);
  limb[1] += sign * (int64_t)(mantissa >> (LIMB_BITS - shift));
}

static void add_some(mfft_exact_sum *sum, const double *values, int count) {
  if (sum->pending > MOST_PENDING - count) mfft_exact_carry(sum);
  for (int i = 0; i < count; i++) add_one(sum, values[i]);
  sum->pending += count;
}

/* The largest magnitude, not NaN. */
MFFT_VECTOR_LOOP double find_largest_loop(const double *values, int count /* a multiple of LANES */) {
  double largest[LANES] = {0};
  for (int i = 0; i < count; i += LANES)
    for (int l = 0; l < LANES; l++) {
      const double magnitude = fabs(values[i + l]);
      largest[l] = magnitude > largest[l] ? magnitude : largest[l];
    }
  for (int l = 1; l < LANES; l++) largest[0] = largest[l] > largest[0] ? largest[l] : largest[0];
  return largest[0];
}
MFFT_VECTORS(double, find_largest, (const double *values, int count), (values, count))

/* Rounds each value to a multiple of the ulp of `upper`, and the remainder to one of the ulp of `lower`.  Stores the sums of
 * both in sums[], and returns the sum of the magnitudes of what then remains of the values. */
MFFT_VECTOR_LOOP double split_loop(const double *values, int count, double upper, double lower, double sums[2]) {
  double high[LANES] = {0}, low[LANES] = {0}, left[LANES] = {0};
  for (int i = 0; i < count; i += LANES)
    for (int l = 0; l < LANES; l++) {
      const double value = values[i + l], first = (value + upper) - upper, rest = value - first;
      const double second = (rest + lower) - lower;
      high[l] += first;
      low[l] += second;
      left[l] += fabs(rest - second);
    }
  for (int l = 1; l < LANES; l++) {
    high[0] += high[l];
    low[0] += low[l];
    left[0] += left[l];
  }
  sums[0] = high[0];
  sums[1] = low[0];
  return left[0];
}
MFFT_VECTORS(double, split, (const double *values, int count, double upper, double lower, double sums[2]),
             (values, count, upper, lower, sums))

/* Adds a block of values as two numbers: the sum of their leading bits, and the sum of the bits below these.  Both sums are
 * exact, since so few bits of so few values fit in a double (the error-free transformation of S. M. Rump, T. Ogita and S.
 * Oishi, Accurate floating-point summation I, SIAM J. Sci. Comput. 31, 2008).  Returns 0, with nothing added, if some value
 * has bits below both parts, or if the values are so large or so small that the sums would overflow or be subnormal. */
static int add_block(mfft_exact_sum *sum, const double *values, int count /* a multiple of LANES */) {
  const double most = find_largest(values, count);
  int exponent;
  if (!(most > 0x1p-900 && most < 0x1p900)) return 0;
  frexp(most, &exponent); /* adding `upper` rounds to multiples of 2^(exponent - SPLIT_BITS) */
  const double upper = ldexp(1.5, exponent + BLOCK_BITS + 1), lower = ldexp(upper, -SPLIT_BITS);
  double sums[2];
  if (!(split(values, count, upper, lower, sums) == 0)) return 0; /* a NaN, too */
  add_some(sum, sums, 2);
  return 1;
}

void mfft_exact_add(mfft_exact_sum *sum, const double *values, int64_t count) {
  for (int64_t i = 0; i < count; i += BLOCK) {
    const int some = count - i < BLOCK ? (int)(count - i) : BLOCK, whole = some - some % LANES;
    const int done = whole && add_block(sum, values + i, whole) ? whole : 0;
    add_some(sum, values + i + done, some - done);
  }
}

void mfft_exact_merge(mfft_exact_sum *sum, const mfft_exact_sum *other) {
  mfft_exact_sum more = *other;
  mfft_exact_carry(sum);
  mfft_exact_carry(&more);
  for (int i = 0; i < MFFT_EXACT_LIMBS; i++) sum->limb[i] += more.limb[i];
  for (int i = 0; i < 2; i++) sum->infinite[i] += more.infinite[i];
  sum->nan += more.nan;
  mfft_exact_carry(sum);
}

/* Digits of 32 bits, of a sum that is not negative: the last limb, which takes what is beyond its 32 bits, is two. */
enum { DIGITS = MFFT_EXACT_LIMBS + 1 };

/* Takes the sign out, so that no digit cancels another, and returns it. */
static int find_digits(mfft_exact_sum sum, uint64_t digit[DIGITS]) {
  mfft_exact_carry(&sum);
  const int negative = sum.limb[MFFT_EXACT_LIMBS - 1] < 0;
  if (negative) {
    for (int i = 0; i < MFFT_EXACT_LIMBS; i++) sum.limb[i] = -sum.limb[i];
    mfft_exact_carry(&sum);
  }
  for (int i = 0; i < MFFT_EXACT_LIMBS; i++) digit[i] = (uint64_t)(sum.limb[i] & limb_mask);
  digit[MFFT_EXACT_LIMBS] = (uint64_t)sum.limb[MFFT_EXACT_LIMBS - 1] >> LIMB_BITS;
  return negative;
}

/* The double nearest to the sum.  Its leading 64 bits, of which the last is set if any bit below them is, round as the whole
 * sum does.  The sum is a multiple of the least double, so that a subnormal result is exact and not rounded again. */
static double round_sum(const mfft_exact_sum *sum) {
  uint64_t digit[DIGITS], below = 0;
  const int negative = find_digits(*sum, digit);
  int top = DIGITS - 1;
  while (top > 0 && !digit[top]) top--;
  if (top == 0) return negative ? -ldexp((double)digit[0], LOWEST_EXPONENT) : ldexp((double)digit[0], LOWEST_EXPONENT);
  const uint64_t third = top > 1 ? digit[top - 2] : 0;
  uint64_t bits = digit[top] << LIMB_BITS | digit[top - 1];
  int exponent = LIMB_BITS * (top - 1) + LOWEST_EXPONENT, shift = 0;
  while (!(bits << shift >> 63)) shift++; /* at most 31, as the first digit is not 0 */
  bits = bits << shift | third >> (LIMB_BITS - shift);
  below = third << shift & (uint64_t)limb_mask;
  for (int i = 0; i < top - 2; i++) below |= digit[i];
  const double value = ldexp((double)(bits | (below != 0)), exponent - shift);
  return negative ? -value : value;
}

double mfft_exact_value(const mfft_exact_sum *sum, double *rest) {
  if (rest) *rest = 0;
  if (sum->nan || (sum->infinite[0] && sum->infinite[1])) return NAN;
  if (sum->infinite[0] || sum->infinite[1]) return sum->infinite[0] ? INFINITY : -INFINITY;
  const double value = round_sum(sum);
  if (!rest || !isfinite(value)) return value;
  mfft_exact_sum left = *sum;
  mfft_exact_add(&left, &(double){-value}, 1);
  *rest = round_sum(&left);
  return value;
}

/* The sum over 2^128, without the bits that this shifts out.  No sum of 2^64 doubles is then beyond a double. */
enum { LIMBS_DOWN = 4 };
static mfft_exact_sum scale_down(mfft_exact_sum sum) {
  mfft_exact_carry(&sum);
  memmove(sum.limb, sum.limb + LIMBS_DOWN, (MFFT_EXACT_LIMBS - LIMBS_DOWN) * sizeof *sum.limb);
  memset(sum.limb + MFFT_EXACT_LIMBS - LIMBS_DOWN, 0, LIMBS_DOWN * sizeof *sum.limb);
  return sum;
}

double mfft_exact_mean(const mfft_exact_sum *sum, double count, double *rest) {
  double missing, total = mfft_exact_value(sum, &missing);
  if (rest) *rest = 0;
  const int down = isinf(total) && !sum->infinite[0] && !sum->infinite[1] ? LIMBS_DOWN * LIMB_BITS : 0;
  if (down) {
    const mfft_exact_sum scaled = scale_down(*sum);
    total = mfft_exact_value(&scaled, &missing);
  }
  const double first = total / count;
  if (!isfinite(first)) return first;
  const double second = (fma(-first, count, total) + missing) / count, both = first + second;
  const double mean = ldexp(both, down);
  if (rest && isfinite(mean)) *rest = ldexp((first - both) + second, down);
  return mean;
}
