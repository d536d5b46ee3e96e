/* normal.h: random numbers of a standard normal distribution that are a function of a counter and a key.
 *
 * Philox4x32-10 (Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1, 2, 3, SC11) maps a 128-bit counter
 * and a 64-bit key into 128 random bits.  The transform of Box and Muller (1958) makes two normal numbers of them:
 *
 *     u = (a + 1) / 2^53, v = (b + 1) / 2^53        a, b: the upper 53 of 64 bits each
 *     sqrt(-2 log u) cos(2 pi v), sqrt(-2 log u) sin(2 pi v)
 *
 * Logarithm, cosine and sine are written out in additions, multiplications, divisions and square roots, each rounded to
 * nearest, none fused, so that the numbers have the same bits on every processor, with every C library and on a GPU.  The
 * polynomials are those of fdlibm (Sun Microsystems, 1993); the angle is reduced exactly, to at most pi/4.  Relative errors
 * are below 2^-50.
 *
 * The file is compiled as C11 and as CUDA C++.  No function has a branch, so that compilers make vectors of loops over them.
 */
#ifndef MFFT_BASE_NORMAL_H
#define MFFT_BASE_NORMAL_H

#include "rounded.h"

#define MFFT_NORMAL MFFT_ROUNDED
typedef mfft_u32 mfft_normal_word;
typedef mfft_u64 mfft_normal_bits;

/* One step of Horner's rule: c + x rest. */
MFFT_NORMAL double mfft_n_step(double c, double x, double rest) { return mfft_n_add(c, mfft_n_mul(x, rest)); }

/* The 128 random bits of a counter, by ten rounds. */
MFFT_NORMAL void mfft_normal_philox(const mfft_normal_word counter[4], const mfft_normal_word key[2],
                                    mfft_normal_word random[4]) {
  mfft_normal_word c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3], k0 = key[0], k1 = key[1];
  for (int round = 0; round < 10; round++) {
    const mfft_normal_bits p0 = (mfft_normal_bits)0xD2511F53u * c0, p1 = (mfft_normal_bits)0xCD9E8D57u * c2;
    c0 = (mfft_normal_word)(p1 >> 32) ^ c1 ^ k0;
    c1 = (mfft_normal_word)p1;
    c2 = (mfft_normal_word)(p0 >> 32) ^ c3 ^ k1;
    c3 = (mfft_normal_word)p0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  random[0] = c0;
  random[1] = c1;
  random[2] = c2;
  random[3] = c3;
}

/* (a + 1), 1 to 2^53, as a double.  Exact: the halves are placed in the mantissas of 2^52 and 2^84, which are then taken
 * away again, since few processors convert vectors of 64-bit integers. */
MFFT_NORMAL double mfft_normal_number(mfft_normal_word high, mfft_normal_word low) {
  const mfft_normal_bits a = (((mfft_normal_bits)high << 32 | low) >> 11) + 1;
  const double lower = mfft_n_of_bits(0x4330000000000000u | (a & 0xffffffffu));
  const double upper = mfft_n_of_bits(0x4530000000000000u | a >> 32);
  return mfft_n_add(mfft_n_add(upper, -0x1.00000001p84), lower); /* 2^84 + 2^52 */
}

/* The natural logarithm of a normal number: u = 2^k (1 + f) with 1 + f from sqrt(1/2) to sqrt(2), and s = f / (2 + f). */
MFFT_NORMAL double mfft_normal_log(double u) {
  const mfft_normal_bits root = 0x3fe6a09e00000000u; /* sqrt(1/2), rounded */
  const mfft_normal_bits bits = mfft_n_bits(u) + (0x3ff0000000000000u - root);
  const double k = mfft_n_add(mfft_n_of_bits(0x4330000000000000u | bits >> 52), -4503599627371519.0); /* 2^52 + 1023 */
  const double f = mfft_n_add(mfft_n_of_bits((bits & 0x000fffffffffffffu) + root), -1);
  const double s = f / mfft_n_add(2, f), z = mfft_n_mul(s, s), w = mfft_n_mul(z, z);
  const double even =
      mfft_n_step(3.999999999940941908e-01, w, mfft_n_step(2.222219843214978396e-01, w, 1.531383769920937332e-01));
  const double odd = mfft_n_step(
      6.666666666666735130e-01, w,
      mfft_n_step(2.857142874366239149e-01, w, mfft_n_step(1.818357216161805012e-01, w, 1.479819860511658591e-01)));
  const double r = mfft_n_add(mfft_n_mul(w, even), mfft_n_mul(z, odd)), half = mfft_n_mul(mfft_n_mul(0.5, f), f);
  const double small = mfft_n_add(mfft_n_mul(s, mfft_n_add(half, r)), mfft_n_mul(k, 1.90821492927058770002e-10));
  return mfft_n_add(mfft_n_mul(k, 6.93147180369123816490e-01), mfft_n_add(f, -mfft_n_add(half, -small)));
}

/* sqrt(-2 log u) of 64 random bits. */
MFFT_NORMAL double mfft_normal_radius(mfft_normal_word high, mfft_normal_word low) {
  return sqrt(mfft_n_mul(-2, mfft_normal_log(mfft_n_mul(mfft_normal_number(high, low), 0x1p-53))));
}

/* cos(2 pi v) and sin(2 pi v) of 64 random bits. */
MFFT_NORMAL void mfft_normal_direction(mfft_normal_word high, mfft_normal_word low, double *cosine, double *sine) {
  const double magic = 0x1.8p52; /* adding it rounds to integers, which are then the low bits of the sum */
  const double quarters = mfft_n_mul(mfft_normal_number(high, low), 0x1p-51); /* 4 v: the angle in right angles */
  const double sum = mfft_n_add(quarters, magic), quarter = mfft_n_add(sum, -magic);
  const mfft_normal_bits q = mfft_n_bits(sum);
  const double rest = mfft_n_add(quarters, -quarter); /* in right angles, at most 1/2; exact */
  const double x = mfft_n_mul(rest, 1.57079632679489661923), z = mfft_n_mul(x, x);
  const double sines =
      mfft_n_step(8.33333333332248946124e-03, z,
                  mfft_n_step(-1.98412698298579493134e-04, z,
                              mfft_n_step(2.75573137070700676789e-06, z,
                                          mfft_n_step(-2.50507602534068634195e-08, z, 1.58969099521155010221e-10))));
  const double s = mfft_n_add(x, mfft_n_mul(mfft_n_mul(z, x), mfft_n_step(-1.66666666666666324348e-01, z, sines)));
  const double cosines = mfft_n_step(
      4.16666666666666019037e-02, z,
      mfft_n_step(-1.38888888888741095749e-03, z,
                  mfft_n_step(2.48015872894767294178e-05, z,
                              mfft_n_step(-2.75573143513906633035e-07, z,
                                          mfft_n_step(2.08757232129817482790e-09, z, -1.13596475577881948265e-11)))));
  const double half = mfft_n_mul(0.5, z), w = mfft_n_add(1, -half);
  const double c = mfft_n_add(w, mfft_n_add(mfft_n_add(mfft_n_add(1, -w), -half), mfft_n_mul(mfft_n_mul(z, z), cosines)));
  /* The result in quadrant q: cosine and sine are exchanged where q is odd, and have the signs of the quadrant. */
  const mfft_normal_bits odd = 0 - (q & 1), cosine_bits = mfft_n_bits(c), sine_bits = mfft_n_bits(s);
  const mfft_normal_bits first = (sine_bits & odd) | (cosine_bits & ~odd), second = (cosine_bits & odd) | (sine_bits & ~odd);
  *cosine = mfft_n_of_bits(first ^ ((q + 1) >> 1 & 1) << 63);
  *sine = mfft_n_of_bits(second ^ (q >> 1 & 1) << 63);
}

/* The two normal numbers of 128 random bits. */
MFFT_NORMAL void mfft_normal_pair(const mfft_normal_word random[4], double pair[2]) {
  const double radius = mfft_normal_radius(random[0], random[1]);
  double cosine, sine;
  mfft_normal_direction(random[2], random[3], &cosine, &sine);
  pair[0] = mfft_n_mul(radius, cosine);
  pair[1] = mfft_n_mul(radius, sine);
}

#endif
