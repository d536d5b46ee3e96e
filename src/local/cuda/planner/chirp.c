/* chirp.c: see chirp.h. */
#include "local/cuda/planner/chirp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/primes.h"

/* A complex number in extended precision. */
typedef struct wide {
  long double re, im;
} wide;

static wide product(wide a, wide b) { return (wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }

static wide sum_of(wide a, wide b, int sign) { return (wide){a.re + sign * b.re, a.im + sign * b.im}; }

static wide root_of(int64_t k, int64_t n, int sign) {
  const long double angle = 6.283185307179586476925286766559005768L * (long double)k / (long double)n;
  return (wide){cosl(angle), sign * sinl(angle)};
}

/* One transform of m elements, each a product of small primes: mixed radices, from `in` to `out`. */
enum { MOST_RADIX = 13 };
typedef struct transform {
  int64_t m;
  int sign;
  const wide *root; /* [m] of unity, of the order m */
} transform;

/* Four numbers. */
static void merge_four(int sign, wide x[4]) {
  const wide a = sum_of(x[0], x[2], 1), b = sum_of(x[0], x[2], -1), c = sum_of(x[1], x[3], 1), d = sum_of(x[1], x[3], -1),
             turned = {-sign * d.im, sign * d.re};
  x[0] = sum_of(a, c, 1), x[1] = sum_of(b, turned, 1), x[2] = sum_of(a, c, -1), x[3] = sum_of(b, turned, -1);
}

/* r numbers; root: [m], of which every m / r are those of the order r. */
static void merge_some(const transform *t, int64_t r, wide *x) {
  wide y[MOST_RADIX] = {{0, 0}}; /* cppcheck does not know that r is at least 1 */
  for (int64_t p = 0; p < r; p++) {
    y[p] = x[0];
    for (int64_t q = 1; q < r; q++) y[p] = sum_of(y[p], product(x[q], t->root[p * q % r * (t->m / r)]), 1);
  }
  memcpy(x, y, (size_t)r * sizeof *x);
}

/* Merges r transforms of n / r elements, which lie one behind the other. */
static void merge(const transform *t, wide *out, int64_t n, int64_t r) {
  wide x[MOST_RADIX];
  const int64_t step = t->m / n, count = n / r;
  for (int64_t k = 0; k < count; k++) {
    for (int64_t q = 0; q < r; q++) x[q] = q ? product(out[q * count + k], t->root[q * k * step]) : out[k];
    if (r == 4)
      merge_four(t->sign, x);
    else
      merge_some(t, r, x);
    for (int64_t q = 0; q < r; q++) out[q * count + k] = x[q];
  }
}

static void run(const transform *t, const wide *in, int64_t stride, wide *out, int64_t n) {
  if (n == 1) {
    out[0] = in[0];
    return;
  }
  const int64_t r = n % 4 == 0 ? 4 : mfft_least_prime(n, 2);
  for (int64_t q = 0; q < r; q++) run(t, in + q * stride, stride * r, out + q * (n / r), n / r);
  merge(t, out, n, r);
}

/* Roots of unity of the order m, as products of two of 2 sqrt(m) that are computed, which costs a rounding of the 64 bits of
 * long double. */
static void fill_roots(int64_t m, int sign, wide *root) {
  int64_t fine = 1;
  while (fine * fine < m) fine *= 2;
  for (int64_t k = 0; k < m && k < fine; k++) root[k] = root_of(k, m, sign);
  for (int64_t k = fine; k < m; k += fine) {
    const wide coarse = root_of(k, m, sign);
    for (int64_t i = 0; i < fine && k + i < m; i++) root[k + i] = product(coarse, root[i]);
  }
}

/* j^2 modulo 2 n, for j = 0, 1, 2 ...: the next one, without a product that might overflow. */
static int64_t next_square(int64_t square, int64_t j, int64_t n) { return (square + 2 * j + 1) % (2 * n); }

static mfft_status table_chirp(const mfft_kernel *kernel, int64_t n, mfft_table *table) {
  MFFT_TRY(mfft_table_make(kernel, n, table));
  for (int64_t j = 0, square = 0; j < n; square = next_square(square, j++, n))
    mfft_table_put(kernel, table, j, square, 2 * n, 1);
  return MFFT_SUCCESS;
}

/* The conjugate chirp at j and -j, and zeros between. */
static void fill(const mfft_bluestein_line *line, wide *x) {
  for (int64_t j = line->n; j <= line->m - line->n; j++) x[j] = (wide){0, 0};
  for (int64_t j = 0, square = 0; j < line->n; square = next_square(square, j++, line->n))
    x[j] = x[j ? line->m - j : 0] = root_of(square, 2 * line->n, -line->sign);
}

static void put(const mfft_kernel *kernel, mfft_table *table, int64_t i, long double re, long double im) {
  if (kernel->precision == MFFT_DOUBLE)
    ((double *)table->data)[2 * i] = (double)re, ((double *)table->data)[2 * i + 1] = (double)im;
  else
    ((float *)table->data)[2 * i] = (float)re, ((float *)table->data)[2 * i + 1] = (float)im;
}

static mfft_status table_spectrum(const mfft_kernel *kernel, const mfft_bluestein_line *line, mfft_table *table) {
  const int64_t m = line->m;
  mfft_status status = MFFT_SUCCESS;
  wide *memory = malloc(3 * (size_t)m * sizeof *memory);
  if (!memory)
    return mfft_fail(MFFT_ERR_MEMORY,
                     "cuda: no memory of the host for the spectrum of a chirp, %zu bytes for a length of %lld",
                     3 * (size_t)m * sizeof *memory, (long long)line->n);
  wide *x = memory, *y = memory + m, *root = memory + 2 * m; /* [m] each */
  MFFT_GOTO(done, mfft_table_make(kernel, m, table));
  fill_roots(m, line->sign, root);
  fill(line, x);
  const transform t = {.m = m, .sign = line->sign, .root = root};
  run(&t, x, 1, y, m);
  for (int64_t k = 0; k < m; k++) put(kernel, table, k, y[k].re / (long double)m, y[k].im / (long double)m);
done:
  free(memory);
  return status;
}

mfft_status mfft_table_bluestein(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  const int steps = pass->kernel.bluestein.steps, ends = MFFT_BLUESTEIN_LOAD | MFFT_BLUESTEIN_STORE;
  mfft_kernel kernel = pass->kernel;
  kernel.sign = pass->bluestein.sign;
  if (steps & ends) MFFT_TRY(table_chirp(&kernel, pass->bluestein.n, &table[MFFT_TABLE_CHIRP]));
  if (steps & MFFT_BLUESTEIN_SPECTRUM) MFFT_TRY(table_spectrum(&kernel, &pass->bluestein, &table[MFFT_TABLE_SPECTRUM]));
  return MFFT_SUCCESS;
}
