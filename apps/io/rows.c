#include "io/rows.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* ---- The 16-bit formats ---------------------------------------------------------------------------------------------- */

static uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static float float_of(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

/* Without branches, so that loops over them are vectorised. */
static float float_of_half(uint16_t half) {
  const uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = (uint32_t)(half & 0x7fff) << 13;
  const uint32_t special = magnitude >= 0x0f800000 ? 0x7f800000 : 0; /* infinity, NaN */
  return float_of(sign | special | bits_of(float_of(magnitude) * 0x1p112f));
}

/* To nearest, ties to even. */
static uint16_t half_of_float(float value) {
  const uint32_t sign = bits_of(value) >> 16 & 0x8000, bits = bits_of(value) & 0x7fffffff;
  const uint32_t normal = (bits + (bits >> 13 & 1) + 0xfff - (112u << 23)) >> 13;
  const uint32_t small = bits_of(float_of(bits) + 0.5f) - 0x3f000000; /* the sum has the spacing of the subnormals, 2^-24 */
  const uint32_t large = bits > 0x7f800000 ? 0x7e00 : 0x7c00;         /* NaN; 65536 and more */
  return (uint16_t)(sign | (bits >= 0x47800000 ? large : bits < 0x38800000 ? small : normal));
}

static float float_of_bfloat16(uint16_t value) { return float_of((uint32_t)value << 16); }

static uint16_t bfloat16_of_float(float value) {
  uint32_t bits = bits_of(value);
  if ((bits & 0x7fffffff) > 0x7f800000) return (uint16_t)(bits >> 16 | 64); /* NaN stays NaN */
  return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---- Rows, one pair of functions a precision ------------------------------------------------------------------------- */

#define ROW_FUNCTIONS(name, type, to_double, from_double)                                  \
  static void load_##name(const void *array, int64_t first, int64_t count, double *row) {  \
    const type *source = (const type *)array + first;                                      \
    for (int64_t i = 0; i < count; i++) row[i] = (double)to_double(source[i]);             \
  }                                                                                        \
  static void store_##name(void *array, int64_t first, int64_t count, const double *row) { \
    type *target = (type *)array + first;                                                  \
    for (int64_t i = 0; i < count; i++) target[i] = from_double(row[i]);                   \
  }
#define DOUBLE_AS_IS(x)       (x)
#define FLOAT_AS_IS(x)        (x)
#define FLOAT_OF_DOUBLE(x)    ((float)(x))
#define HALF_OF_DOUBLE(x)     half_of_float((float)(x))
#define BFLOAT16_OF_DOUBLE(x) bfloat16_of_float((float)(x))
ROW_FUNCTIONS(double, double, DOUBLE_AS_IS, DOUBLE_AS_IS)
ROW_FUNCTIONS(long_double, long double, DOUBLE_AS_IS, DOUBLE_AS_IS)
ROW_FUNCTIONS(single, float, FLOAT_AS_IS, FLOAT_OF_DOUBLE)
ROW_FUNCTIONS(half, uint16_t, float_of_half, HALF_OF_DOUBLE)
ROW_FUNCTIONS(bfloat16, uint16_t, float_of_bfloat16, BFLOAT16_OF_DOUBLE)

static const struct {
  double epsilon, smallest, largest;
  void (*load)(const void *, int64_t, int64_t, double *);
  void (*store)(void *, int64_t, int64_t, const double *);
} formats[] = {
    /* [mfft_precision] */
    [MFFT_DOUBLE] = {0x1p-53, DBL_MIN, DBL_MAX, load_double, store_double},
    [MFFT_SINGLE] = {0x1p-24, FLT_MIN, FLT_MAX, load_single, store_single},
    [MFFT_HALF] = {0x1p-11, 0x1p-14, 65504, load_half, store_half},
    [MFFT_BFLOAT16] = {0x1p-8, 0x1p-126, 0x1.fep127, load_bfloat16, store_bfloat16},
    [MFFT_LONG_DOUBLE] = {LDBL_EPSILON / 2, DBL_MIN, DBL_MAX, load_long_double, store_long_double},
};

double mfft_row_epsilon(mfft_precision precision) { return formats[precision].epsilon; }
int mfft_row_uniform(mfft_precision precision, double mean, double deviation) {
  return deviation <= mfft_row_epsilon(precision) * fabs(mean);
}
double mfft_row_smallest_normal(mfft_precision precision) { return formats[precision].smallest; }
double mfft_row_largest_finite(mfft_precision precision) { return formats[precision].largest; }

void mfft_row_load(mfft_precision precision, const void *array, int64_t first, int64_t count, double *row) {
  formats[precision].load(array, first, count, row);
}

void mfft_row_store(mfft_precision precision, void *array, int64_t first, int64_t count, const double *row) {
  formats[precision].store(array, first, count, row);
}

/* ---- Arithmetic ------------------------------------------------------------------------------------------------------ */

double mfft_row_dot(const double *a, const double *b, int64_t count) {
  double lane[4] = {0, 0, 0, 0}; /* four sums, so that the compiler may use vectors */
  int64_t i = 0;
  for (; i + 4 <= count; i += 4)
    for (int l = 0; l < 4; l++) lane[l] += a[i + l] * b[i + l];
  for (; i < count; i++) lane[0] += a[i] * b[i];
  return (lane[0] + lane[1]) + (lane[2] + lane[3]);
}

/* Magnitudes are compared as integers, as which they have the same order, infinities and NaN above all: loops over four of
 * them at a time are vectorised. */
static inline __attribute__((always_inline)) double magnitude(const double *row, int64_t count) {
  const int64_t whole = count / 4 * 4;
  int64_t lane[4] = {0}, bits; /* [lane] */
  double largest;
  for (int64_t i = 0; i < whole; i += 4)
    for (int l = 0; l < 4; l++) {
      memcpy(&bits, &row[i + l], sizeof bits);
      bits &= INT64_MAX;
      lane[l] = bits > lane[l] ? bits : lane[l];
    }
  for (int64_t i = whole; i < count; i++) {
    memcpy(&bits, &row[i], sizeof bits);
    bits &= INT64_MAX;
    lane[0] = bits > lane[0] ? bits : lane[0];
  }
  for (int l = 1; l < 4; l++) lane[0] = lane[l] > lane[0] ? lane[l] : lane[0];
  memcpy(&largest, &lane[0], sizeof largest);
  return largest <= DBL_MAX ? largest : INFINITY;
}

#if defined(__x86_64__) && defined(__GNUC__)
__attribute__((target("avx2"))) static double magnitude_avx2(const double *row, int64_t count) {
  return magnitude(row, count);
}

/* The four sums of mfft_row_dot as one vector, with the same bits, for four vectors at a time: one alone waits for each of
 * its additions. */
typedef double lanes __attribute__((vector_size(32), aligned(sizeof(double)), may_alias));
__attribute__((target("avx2"))) static void four_products(const double *row, const double *const vector[4], int64_t count,
                                                          double product[4]) {
  const int64_t whole = count / 4 * 4;
  lanes sum[4] = {{0}};
  for (int64_t i = 0; i < whole; i += 4) {
    const lanes some = *(const lanes *)(const void *)(row + i);
    for (int v = 0; v < 4; v++) sum[v] += some * *(const lanes *)(const void *)(vector[v] + i);
  }
  for (int v = 0; v < 4; v++) {
    for (int64_t i = whole; i < count; i++) sum[v][0] += row[i] * vector[v][i];
    product[v] = (sum[v][0] + sum[v][1]) + (sum[v][2] + sum[v][3]);
  }
}

static int has_avx2(void) { return __builtin_cpu_supports("avx2"); }
#else
static double magnitude_avx2(const double *row, int64_t count) { return magnitude(row, count); }
static void four_products(const double *row, const double *const vector[4], int64_t count, double product[4]) {
  for (int v = 0; v < 4; v++) product[v] = mfft_row_dot(row, vector[v], count);
}
static int has_avx2(void) { return 0; }
#endif

double mfft_row_magnitude(const double *row, int64_t count) {
  return has_avx2() ? magnitude_avx2(row, count) : magnitude(row, count);
}

void mfft_row_products(const double *row, const double *const vector[], int vectors, int64_t count, double *product) {
  int v = 0;
  for (; v + 4 <= vectors && has_avx2(); v += 4) four_products(row, vector + v, count, product + v);
  for (; v < vectors; v++) product[v] = mfft_row_dot(row, vector[v], count);
}
