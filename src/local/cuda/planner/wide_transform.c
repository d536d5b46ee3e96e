/* wide_transform.c: see wide_transform.h. */
#include "local/cuda/planner/wide_transform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/primes.h"

static mfft_wide plus(mfft_wide a, mfft_wide b) { return (mfft_wide){a.re + b.re, a.im + b.im}; }
static mfft_wide minus(mfft_wide a, mfft_wide b) { return (mfft_wide){a.re - b.re, a.im - b.im}; }

static mfft_wide root_of(int64_t k, int64_t n, int sign) {
  const long double angle = 6.283185307179586476925286766559005768L * (long double)k / (long double)n;
  return (mfft_wide){cosl(angle), sign * sinl(angle)};
}

int mfft_wide_roots_make(int64_t m, int sign, mfft_wide_roots *t) {
  *t = (mfft_wide_roots){.m = m};
  while ((int64_t)1 << 2 * t->shift < m) t->shift++;
  const int64_t fine = (int64_t)1 << t->shift, coarse = (m >> t->shift) + 1;
  t->fine = malloc((size_t)(fine + coarse) * sizeof *t->fine);
  if (!t->fine) return 1;
  t->coarse = t->fine + fine;
  for (int64_t k = 0; k < fine; k++) t->fine[k] = root_of(k, m, sign);
  for (int64_t k = 0; k < coarse; k++) t->coarse[k] = root_of(k << t->shift, m, sign);
  return 0;
}

void mfft_wide_roots_free(mfft_wide_roots *t) {
  free(t->fine);
  t->fine = t->coarse = NULL;
}

/* ---- Merges ---------------------------------------------------------------------------------------------------------- */

enum { MOST_RADIX = 31, MOST_LEVELS = 48 };

/* The factors that merge r transforms: root k of the order r count. */
typedef struct merging {
  const mfft_wide *table;       /* [r count] of short transforms: neighbours in the cache; NULL: */
  const mfft_wide_roots *roots; /* of the whole transform, of which each `step` is one */
  int64_t step, count;          /* count: elements of a transform */
  int sign;
} merging;

static inline mfft_wide root_in(const merging *m, int64_t k) {
  return m->table ? m->table[k] : mfft_wide_root(m->roots, k * m->step);
}

/* Transforms r numbers, an odd count, by sums and differences of x[q] and x[r - q]; w: roots of the order r. */
static inline __attribute__((always_inline)) void merge_odd(int r, const mfft_wide *w, mfft_wide *x) {
  mfft_wide sum[MOST_RADIX / 2 + 1], difference[MOST_RADIX / 2 + 1], first = x[0];
  const int half = r / 2;
  for (int q = 1; q <= half; q++) {
    sum[q] = plus(x[q], x[r - q]), difference[q] = minus(x[q], x[r - q]);
    first = plus(first, sum[q]);
  }
  for (int p = 1; p <= half; p++) {
    mfft_wide even = x[0], odd = {0, 0};
    for (int q = 1; q <= half; q++) {
      const mfft_wide root = w[p * q % r];
      even.re += sum[q].re * root.re, even.im += sum[q].im * root.re;
      odd.re -= difference[q].im * root.im, odd.im += difference[q].re * root.im;
    }
    sum[0] = plus(even, odd), difference[0] = minus(even, odd);
    /* x[0] is read by later p, and the others are not. */
    x[p] = sum[0], x[r - p] = difference[0];
  }
  x[0] = first;
}

static inline void merge_four(int sign, mfft_wide *x) {
  const mfft_wide a = plus(x[0], x[2]), b = minus(x[0], x[2]), c = plus(x[1], x[3]), d = minus(x[1], x[3]),
                  rotated = {-sign * d.im, sign * d.re};
  x[0] = plus(a, c), x[1] = plus(b, rotated), x[2] = minus(a, c), x[3] = minus(b, rotated);
}

static inline __attribute__((always_inline)) void merge_numbers(int r, int sign, const mfft_wide *w, mfft_wide *x) {
  const mfft_wide first = x[0];
  if (r == 4)
    merge_four(sign, x);
  else if (r == 2)
    x[0] = plus(first, x[1]), x[1] = minus(first, x[1]);
  else
    merge_odd(r, w, x);
}

/* Merges r transforms, which lie one behind the other. r is a constant of each caller, so that loops are unrolled. */
static inline __attribute__((always_inline)) void merge(int r, const merging *m, mfft_wide *out) {
  mfft_wide x[MOST_RADIX], w[MOST_RADIX];
  for (int q = 0; q < r; q++) w[q] = root_in(m, q * m->count);
  for (int64_t k = 0; k < m->count; k++) {
    x[0] = out[k];
    for (int q = 1; q < r; q++) x[q] = mfft_wide_product(out[q * m->count + k], root_in(m, q * k));
    merge_numbers(r, m->sign, w, x);
    for (int q = 0; q < r; q++) out[q * m->count + k] = x[q];
  }
}

/* The same for an even array, of which transforms q <= r / 2 are there: transform r - q at k is transform q at -k but for a
 * root, and the result at -k is that at k. */
static inline __attribute__((always_inline)) void merge_even(int r, const merging *m, mfft_wide *out) {
  mfft_wide x[MOST_RADIX], w[MOST_RADIX];
  for (int q = 0; q < r; q++) w[q] = root_in(m, q * m->count);
  for (int64_t k = 0; 2 * k <= m->count; k++) {
    const int64_t mirror = k ? m->count - k : 0;
    x[0] = out[k];
    for (int q = 1; 2 * q <= r; q++) {
      const mfft_wide root = root_in(m, q * k);
      x[r - q] = mfft_wide_product(out[q * m->count + mirror], (mfft_wide){root.re, -root.im});
      x[q] = mfft_wide_product(out[q * m->count + k], root);
    }
    merge_numbers(r, m->sign, w, x);
    for (int q = 0; q < r; q++) out[q * m->count + k] = x[q];
    for (int q = 0; k && q < r; q++) out[(r - 1 - q) * m->count + mirror] = x[q];
  }
}

typedef void merge_call(const merging *, mfft_wide *out);
#define MERGE(r)                                                                \
  static void merge_##r(const merging *m, mfft_wide *out) { merge(r, m, out); } \
  static void merge_even_##r(const merging *m, mfft_wide *out) { merge_even(r, m, out); }
#define EACH_RADIX(X) X(2) X(3) X(4) X(5) X(7) X(11) X(13) X(17) X(19) X(23) X(29) X(31)
EACH_RADIX(MERGE)
#define PLAIN(r) [r] = merge_##r,
#define EVEN(r)  [r] = merge_even_##r,
static merge_call *const merges[MOST_RADIX + 1] = {EACH_RADIX(PLAIN)}, *const even_merges[MOST_RADIX + 1] = {
                                                                           EACH_RADIX(EVEN)};

/* ---- The transform --------------------------------------------------------------------------------------------------- */

/* Levels of a transform of m: level l has transforms of n[l] elements, the product of the radices from l on. The largest
 * radix comes first, since the first merge is that of an even array. */
typedef struct plan {
  int levels;
  int radix[MOST_LEVELS];
  int64_t n[MOST_LEVELS + 1];
  merging merging[MOST_LEVELS];
  mfft_wide_roots roots;
  mfft_wide *tables;
} plan;

enum { SHORT = 4096 };

static void free_plan(plan *p) {
  free(p->tables);
  mfft_wide_roots_free(&p->roots);
}

static int make_plan(int64_t m, int sign, plan *p) {
  int64_t room = 1, at = 0;
  *p = (plan){.n = {m}};
  for (int64_t n = m; n > 1;) {
    const int largest = (int)mfft_largest_prime(n), r = largest > 2 ? largest : n % 4 == 0 ? 4 : 2;
    if (n <= SHORT) room += n;
    n /= r;
    p->radix[p->levels++] = r;
    p->n[p->levels] = n;
  }
  if (mfft_wide_roots_make(m, sign, &p->roots)) return 1;
  p->tables = malloc((size_t)room * sizeof *p->tables);
  if (!p->tables) return 1;
  for (int l = 0; l < p->levels; l++) {
    const int64_t n = p->n[l], step = m / n;
    p->merging[l] = (merging){.roots = &p->roots, .step = step, .count = p->n[l + 1], .sign = sign};
    if (n > SHORT) continue;
    for (int64_t k = 0; k < n; k++) p->tables[at + k] = mfft_wide_root(&p->roots, k * step);
    p->merging[l].table = p->tables + at;
    at += n;
  }
  return 0;
}

static void run(const plan *p, int level, const mfft_wide *in, int64_t stride, mfft_wide *out) {
  const int r = p->radix[level];
  const int64_t n = p->n[level + 1];
  for (int q = 0; q < r; q++)
    if (n == 1)
      out[q] = in[q * stride];
    else
      run(p, level + 1, in + q * stride, stride * r, out + q * n);
  merges[r](&p->merging[level], out);
}

int mfft_wide_transform(int64_t m, int sign, const mfft_wide *in, mfft_wide *out) {
  plan p;
  const int failed = make_plan(m, sign, &p);
  if (!failed) run(&p, 0, in, 1, out);
  free_plan(&p);
  return failed;
}

int mfft_wide_transform_even(int64_t m, int sign, const mfft_wide *in, mfft_wide *out) {
  plan p;
  if (make_plan(m, sign, &p)) {
    free_plan(&p);
    return 1;
  }
  const int r = p.radix[0];
  const int64_t n = p.n[1];
  for (int q = 0; 2 * q <= r; q++)
    if (n == 1)
      out[q] = in[q];
    else
      run(&p, 1, in + q, r, out + q * n);
  even_merges[r](&p.merging[0], out);
  free_plan(&p);
  return 0;
}
