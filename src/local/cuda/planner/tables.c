/* tables.c: see tables.h. */
#include "local/cuda/planner/tables.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/engines/split.h"

/* Where an angle k / n of a circle lies, by its octant: `eighths` of n eighths of a circle, at most n of them. */
typedef struct octant {
  int64_t eighths;
  int below, left, steep;
} octant;

static octant octant_of(int64_t k, int64_t n) {
  octant o = {.eighths = k % n};
  if (o.eighths < 0) o.eighths += n;
  o.eighths *= 8;
  if (o.eighths > 4 * n) o.eighths = 8 * n - o.eighths, o.below = 1;
  if (o.eighths > 2 * n) o.eighths = 4 * n - o.eighths, o.left = 1;
  if (o.eighths > n) o.eighths = 2 * n - o.eighths, o.steep = 1;
  return o;
}

static void turned_back(const octant *o, double c, double s, int sign, double *re, double *im) {
  *re = o->steep ? s : c;
  *im = o->steep ? c : s;
  if (o->left) *re = -*re;
  if (o->below) *im = -*im;
  if (sign < 0) *im = -*im;
}

void mfft_root(int64_t k, int64_t n, int sign, double *re, double *im) {
  const octant o = octant_of(k, n);
  const double angle = 3.14159265358979323846 * ((double)o.eighths / (double)(4 * n));
  const int diagonal = o.eighths == n;
  turned_back(&o, diagonal ? sqrt(0.5) : cos(angle), diagonal ? sqrt(0.5) : sin(angle), sign, re, im);
}

void mfft_root_rounded(int64_t k, int64_t n, int sign, double *re, double *im) {
  const octant o = octant_of(k, n);
  const long double angle = 3.14159265358979323846264338327950288L * (long double)o.eighths / (long double)(4 * n);
  turned_back(&o, (double)cosl(angle), (double)sinl(angle), sign, re, im);
}

/* What entry i of a table lacks of W_n^k. */
static void put_rest(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n) {
  const octant o = octant_of(k, n);
  const long double angle = 3.14159265358979323846264338327950288L * (long double)o.eighths / (long double)(4 * n);
  const long double c = cosl(angle), s = sinl(angle);
  double re, im;
  if (kernel->precision == MFFT_DOUBLE) {
    turned_back(&o, (double)(c - (double)c), (double)(s - (double)s), kernel->sign, &re, &im);
    ((double *)table->data)[2 * i] = re;
    ((double *)table->data)[2 * i + 1] = im;
  } else {
    turned_back(&o, (double)(c - (float)c), (double)(s - (float)s), kernel->sign, &re, &im);
    ((float *)table->data)[2 * i] = (float)re;
    ((float *)table->data)[2 * i + 1] = (float)im;
  }
}

void mfft_table_put(const mfft_kernel *kernel, mfft_table *table, int64_t i, int64_t k, int64_t n, double factor) {
  double re, im;
  if (kernel->precision == MFFT_DOUBLE) {
    mfft_root_rounded(k, n, kernel->sign, &re, &im);
    ((double *)table->data)[2 * i] = re * factor;
    ((double *)table->data)[2 * i + 1] = im * factor;
  } else {
    mfft_root(k, n, kernel->sign, &re, &im);
    ((float *)table->data)[2 * i] = (float)(re * factor);
    ((float *)table->data)[2 * i + 1] = (float)(im * factor);
  }
}

static mfft_status make(const mfft_kernel *kernel, int64_t count, mfft_table *table) {
  table->bytes = (size_t)count * (kernel->precision == MFFT_DOUBLE ? 16 : 8);
  table->data = count ? malloc(table->bytes) : NULL;
  if (count && !table->data) return mfft_fail(MFFT_ERR_MEMORY, "twiddles: no memory for %lld roots", (long long)count);
  return MFFT_SUCCESS;
}

mfft_status mfft_table_merges(const mfft_kernel *kernel, mfft_table *table) {
  const int of_reals = mfft_merge_of_reals(kernel, kernel->chain.merges),
            fold = of_reals > 0 ? kernel->chain.radix[of_reals] : 1;
  int64_t count = 0, s = 1;
  for (int i = 0; i + 1 < kernel->chain.merges; i++) {
    s *= kernel->chain.radix[i];
    count += (kernel->chain.radix[i] - 1) * (kernel->chain.n / s);
  }
  const int two_parts = kernel->exact == MFFT_EXACT_PARTS;
  MFFT_TRY(make(kernel, two_parts ? 2 * count : count, table));
  int64_t at = 0;
  s = 1;
  for (int i = 0; i + 1 < kernel->chain.merges; i++) {
    int r = kernel->chain.radix[i];
    int64_t circle = kernel->chain.n / s, m = circle / r;
    for (int q = 1; q < (i == of_reals ? (r + 1) / 2 : r); q++)
      for (int64_t p = 0; p < m; p++) {
        if (p % fold > fold / 2) continue;
        mfft_table_put(kernel, table, at++, p * q, circle, 1);
        if (two_parts) put_rest(kernel, table, at++, p * q, circle);
      }
    s *= r;
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_table_roots(const mfft_kernel *kernel, int64_t length, int64_t count, int64_t step, mfft_table *table) {
  MFFT_TRY(make(kernel, count, table));
  for (int64_t i = 0; i < count; i++) mfft_table_put(kernel, table, i, i * step, length, 1);
  return MFFT_SUCCESS;
}

/* W_length^i, i <= n / 2, by which a half spectrum is unpacked. */
static mfft_status table_real(const mfft_kernel *kernel, int64_t length, mfft_table *table) {
  const int64_t count = kernel->chain.n / 2 + 1;
  if (kernel->exact < MFFT_EXACT_PARTS) return mfft_table_roots(kernel, length, count, 1, table);
  MFFT_TRY(make(kernel, 2 * count, table));
  for (int64_t i = 0; i < count; i++) {
    mfft_table_put(kernel, table, 2 * i, i, length, 1);
    put_rest(kernel, table, 2 * i + 1, i, length);
  }
  return MFFT_SUCCESS;
}

int mfft_outer_shift(int64_t length) {
  int shift = 0;
  while (((int64_t)1 << (2 * shift)) < length) shift++;
  return shift;
}

mfft_status mfft_tables_make(mfft_pass *pass, mfft_table table[MFFT_TABLES]) {
  const mfft_kernel *kernel = &pass->kernel;
  memset(table, 0, MFFT_TABLES * sizeof *table);
  if (kernel->engine == MFFT_ENGINE_TENSOR || kernel->engine == MFFT_ENGINE_RESIDENT) return mfft_tensor_tables(pass, table);
  if (kernel->engine == MFFT_ENGINE_SPLIT) {
    MFFT_TRY(mfft_split_matrices(kernel, &table[MFFT_TABLE_MATRICES]));
    MFFT_TRY(mfft_split_merges(kernel, &table[MFFT_TABLE_MERGES]));
  }
  int pair = kernel->engine == MFFT_ENGINE_CLUSTER;
  const int chain = kernel->engine == MFFT_ENGINE_BUTTERFLY || kernel->engine == MFFT_ENGINE_ODD || pair;
  if (chain) MFFT_TRY(mfft_table_merges(kernel, &table[MFFT_TABLE_MERGES]));
  if (pair) {
    mfft_kernel second = *kernel;
    second.chain = kernel->second;
    MFFT_TRY(mfft_table_merges(&second, &table[MFFT_TABLE_SECOND]));
  }
  /* A half spectrum in one pass needs a short table of its own; otherwise the circle of 2n serves both ends of a pass. */
  int whole = pass->real_length && kernel->engine != MFFT_ENGINE_REAL && !kernel->mirror;
  int64_t circle = pass->real_length && !whole ? pass->real_length : pass->outer_length;
  if (whole) MFFT_TRY(table_real(kernel, pass->real_length, &table[MFFT_TABLE_REAL]));
  if (circle) {
    int shift = mfft_outer_shift(circle);
    int64_t step = (int64_t)1 << shift;
    pass->args.outer_shift = (unsigned)shift;
    MFFT_TRY(mfft_table_roots(kernel, circle, step, 1, &table[MFFT_TABLE_OUTER_FINE]));
    MFFT_TRY(mfft_table_roots(kernel, circle, circle / step + 1, step, &table[MFFT_TABLE_OUTER_COARSE]));
  }
  return MFFT_SUCCESS;
}

void mfft_tables_free(mfft_table table[MFFT_TABLES]) {
  for (int i = 0; i < MFFT_TABLES; i++) free(table[i].data);
  memset(table, 0, MFFT_TABLES * sizeof *table);
}

void mfft_tables_place(mfft_pass *pass, const void *const address[MFFT_TABLES]) {
  pass->args.merge_table = address[MFFT_TABLE_MERGES];
  pass->args.second_table = address[MFFT_TABLE_SECOND];
  pass->args.matrices = address[MFFT_TABLE_MATRICES];
  pass->args.outer_fine = address[MFFT_TABLE_OUTER_FINE];
  pass->args.outer_coarse = address[MFFT_TABLE_OUTER_COARSE];
  pass->args.real_table = address[MFFT_TABLE_REAL];
}

uint16_t mfft_round_bfloat(double x) {
  float f = (float)x;
  uint32_t bits;
  memcpy(&bits, &f, 4);
  return (uint16_t)((bits + 0x7fff + ((bits >> 16) & 1)) >> 16);
}

uint16_t mfft_round_half(double x) {
  uint16_t sign = signbit(x) ? 0x8000 : 0;
  int exponent;
  double a = fabs(x), m = frexp(a, &exponent); /* a = m 2^exponent, m in [1/2, 1) */
  if (a == 0) return sign;
  if (exponent < -13) m = ldexp(m, exponent + 13), exponent = -13; /* subnormal: fixed spacing of 2^-24 */
  double units = nearbyint(ldexp(m, 11));                          /* 11 bits, ties to even */
  int biased = exponent + 14;
  if (exponent == -13 && units < 1024) return (uint16_t)(sign | (uint16_t)units);
  if (units == 2048) units = 1024, biased++;
  if (biased >= 31) return sign | 0x7c00;
  return (uint16_t)(sign | biased << 10 | ((int)units - 1024));
}
