/* wide_transform.h: transforms in extended precision on the host, for tables (chirp.c, rader.c). */
#ifndef MFFT_CUDA_WIDE_TRANSFORM_H
#define MFFT_CUDA_WIDE_TRANSFORM_H

#include <stdint.h>

/* A complex number in extended precision. */
typedef struct mfft_wide {
  long double re, im;
} mfft_wide;

static inline mfft_wide mfft_wide_product(mfft_wide a, mfft_wide b) {
  return (mfft_wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/* The root of unity exp(sign 2 pi i k / m) for k from 0 to m - 1, from two tables of some sqrt(m) that are computed: a
 * product costs one rounding of the 64 bits of long double. */
typedef struct mfft_wide_roots {
  int64_t m;
  int shift;
  mfft_wide *coarse, *fine; /* [m >> shift, rounded up][2^shift], one allocation */
} mfft_wide_roots;
int mfft_wide_roots_make(int64_t m, int sign, mfft_wide_roots *roots); /* 1: no memory */
void mfft_wide_roots_free(mfft_wide_roots *roots);
static inline mfft_wide mfft_wide_root(const mfft_wide_roots *t, int64_t k) {
  return mfft_wide_product(t->coarse[k >> t->shift], t->fine[k & (((int64_t)1 << t->shift) - 1)]);
}

/* out[k] = sum over j of exp(sign 2 pi i j k / m) in[j]; m >= 2, a product of primes to 31, by mixed radices.  in, out: [m],
 * not the same.  even: of an even array, in[m - j] = in[j], in about half the time.  They return 1 if there is no memory for
 * m roots. */
int mfft_wide_transform(int64_t m, int sign, const mfft_wide *in, mfft_wide *out);
int mfft_wide_transform_even(int64_t m, int sign, const mfft_wide *in, mfft_wide *out);

#endif
