// TEST labels=apps
// Rows of the four precisions: every 16-bit number is unchanged by a conversion to double and back, and halves are rounded
// to nearest even.  Products with several vectors have the bits of those with one, and magnitudes those of the numbers.
#include "../apps/io/rows.c"
#include "check.h"

/* The value of a finite half from its definition. */
static double half_value(uint16_t h) {
  int exponent = h >> 10 & 31, mantissa = h & 1023;
  double value = exponent ? ldexp(1024 + mantissa, exponent - 25) : ldexp(mantissa, -24);
  return h & 0x8000 ? -value : value;
}

/* Rows of every length to some vectors' worth, from any address. */
static void check_products(void) {
  enum { MOST = 23, VECTORS = 7 };
  double row[MOST + 1], values[VECTORS][MOST + 1], product[VECTORS + 1];
  const double *vector[VECTORS];
  uint64_t seed = 5;
  for (int i = 0; i <= MOST; i++) {
    row[i] = test_random(&seed);
    for (int v = 0; v < VECTORS; v++) values[v][i] = test_random(&seed);
  }
  for (int count = 0; count <= MOST; count++)
    for (int vectors = 1; vectors <= VECTORS; vectors++) {
      const double *from = row + (count < MOST && vectors % 2);
      for (int v = 0; v < vectors; v++) vector[v] = values[v] + (count < MOST);
      product[vectors] = 77;
      mfft_row_products(from, vector, vectors, count, product);
      for (int v = 0; v < vectors; v++) {
        const double want = mfft_row_dot(from, vector[v], count);
        CHECK(product[v] == want, "%d of %d, %d numbers: %.17g, want %.17g", v, vectors, count, product[v], want);
      }
      CHECK(product[vectors] == 77, "after %d products", vectors);
    }
}

static void check_magnitudes(void) {
  enum { MOST = 11 };
  const double special[] = {NAN, -NAN, INFINITY, -INFINITY}, numbers[] = {-DBL_MAX, 0x1p-1074, -3, 0x1p-1030};
  double row[MOST];
  for (int count = 0; count <= MOST; count++)
    for (int at = 0; at < count; at++) {
      for (int i = 0; i < 4; i++) {
        memset(row, 0, sizeof row);
        row[at] = numbers[i];
        CHECK(mfft_row_magnitude(row, count) == fabs(numbers[i]), "%g at %d of %d", numbers[i], at, count);
        row[count - 1 - at] = special[i];
        CHECK(isinf(mfft_row_magnitude(row, count)), "%g at %d of %d", special[i], count - 1 - at, count);
        CHECK(magnitude(row, count) == INFINITY, "%g at %d of %d, by any processor", special[i], count - 1 - at, count);
      }
    }
  CHECK(mfft_row_magnitude(row, 0) == 0, "no numbers");
}

int main(void) {
  check_products();
  check_magnitudes();
  for (uint32_t i = 0; i < 65536; i++) {
    uint16_t in = (uint16_t)i, out = 0;
    double value;
    mfft_row_load(MFFT_HALF, &in, 0, 1, &value);
    mfft_row_store(MFFT_HALF, &out, 0, 1, &value);
    int finite = (in >> 10 & 31) != 31, nan = !finite && (in & 1023);
    CHECK(nan ? isnan(value) : !finite ? isinf(value) : value == half_value(in), "half %04x reads %g", in, value);
    CHECK(nan ? (out & 0x7fff) > 0x7c00 : out == in, "half %04x comes back as %04x", in, out);
    mfft_row_load(MFFT_BFLOAT16, &in, 0, 1, &value);
    mfft_row_store(MFFT_BFLOAT16, &out, 0, 1, &value);
    CHECK(isnan(value) ? (out & 0x7fff) > 0x7f80 : out == in, "bfloat16 %04x comes back as %04x", in, out);
  }
  /* Between neighbours: values below the middle are rounded down, above it up, and the middle to the even one. */
  for (uint16_t h = 0; h < 0x7bff; h++) {
    double low = half_value(h), high = half_value((uint16_t)(h + 1)), middle = (low + high) / 2;
    double row[3] = {middle * (1 - 0x1p-20), middle, middle * (1 + 0x1p-20)};
    uint16_t out[3];
    mfft_row_store(MFFT_HALF, out, 0, 3, row);
    CHECK(out[0] == h && out[2] == h + 1 && out[1] == (h & 1 ? h + 1 : h), "between %g and %g: %04x %04x %04x", low, high,
          out[0], out[1], out[2]);
  }
  double big[4] = {65504, 65519.9, 65520, -1e30};
  uint16_t out[4];
  mfft_row_store(MFFT_HALF, out, 0, 4, big);
  CHECK(out[0] == 0x7bff && out[1] == 0x7bff && out[2] == 0x7c00 && out[3] == 0xfc00, "the edge of the range");

  /* Offsets count reals; neighbours are untouched. */
  float singles[4] = {1, 2, 3, 4};
  double two[2] = {0.1, 7};
  mfft_row_store(MFFT_SINGLE, singles, 1, 2, two);
  CHECK(singles[0] == 1 && singles[1] == 0.1f && singles[2] == 7 && singles[3] == 4, "single store");
  mfft_row_load(MFFT_SINGLE, singles, 2, 2, two);
  CHECK(two[0] == 7 && two[1] == 4, "single load");
  CHECK(mfft_real_bytes(MFFT_DOUBLE) == 8 && mfft_real_bytes(MFFT_HALF) == 2, "bytes");
  return test_end();
}
