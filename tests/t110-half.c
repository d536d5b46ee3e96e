// TEST
/* The 16-bit types: every value converted to double and back, and rounding to nearest even between neighbours, against
 * arithmetic. */
#include "local/host/half.h"
#include "transform.h"

static void check_type(int exponent_bits, mfft_precision precision, float (*to)(uint16_t), uint16_t (*of)(float)) {
  int wrong = 0;
  for (uint32_t u = 0; u < 65536; u++) {
    double want = test_decode16((uint16_t)u, exponent_bits);
    float got = to((uint16_t)u);
    wrong += isnan(want) ? !isnan(got) : want != (double)got || !signbit(want) != !signbit(got);
    wrong += isnan(want) ? !isnan(test_decode16(of(got), exponent_bits)) : of(got) != u;
  }
  CHECK(wrong == 0, "%d of 65536 values of precision %d change when converted to double and back", wrong, (int)precision);

  uint64_t state = 110;
  for (int i = 0; i < 2000000 && wrong < 5; i++) {
    float x = (float)(test_random(&state) * ldexp(1, (int)(test_random(&state) * 60)));
    if (i % 3 == 0) { /* halfway between neighbours and next to it */
      uint16_t u = (uint16_t)(state >> 20 & 0x7fff);
      float a = to(u), b = to((uint16_t)(u + 1));
      if (!isfinite(a) || !isfinite(b)) continue;
      x = (a + b) / 2;
      if (i % 2) x = nextafterf(x, i % 4 == 1 ? 0 : INFINITY);
    }
    if (of(x) != test_encode16(x, exponent_bits)) {
      wrong++;
      CHECK(0, "%a is stored as %#x, not %#x", x, of(x), test_encode16(x, exponent_bits));
    }
  }
  const float big[] = {65519.f, 65520.f, 65536.f, 1e30f, 3.4028235e38f, INFINITY};
  for (size_t i = 0; i < sizeof big / sizeof *big; i++)
    CHECK(of(big[i]) == test_encode16(big[i], exponent_bits) && of(-big[i]) == test_encode16(-big[i], exponent_bits), "%g",
          big[i]);
}

static void check_rows(mfft_precision precision, int exponent_bits) {
  enum { N = 7 };
  const mfft_half_rows *rows = mfft_half_rows_of(precision);
  uint16_t stored[6 * N], back[6 * N]; /* complex, stride 3 complexes */
  float work[4 * N];
  uint64_t state = 111;
  for (int i = 0; i < 6 * N; i++) stored[i] = test_encode16(test_random(&state), exponent_bits);
  memset(back, 0, sizeof back);
  rows->to_float(N, 2, stored, 6, work, 4);
  rows->of_float(N, 2, 0.5f, work, 4, back, 6);
  for (int i = 0; i < N; i++)
    for (int p = 0; p < 6; p++)
      CHECK(
          back[6 * i + p] == (p < 2 ? test_encode16(test_decode16(stored[6 * i + p], exponent_bits) / 2, exponent_bits) : 0),
          "row element %d, real %d", i, p);
}

/* Long contiguous rows, which vector instructions may convert, give the results of single values. */
static void check_long_rows(mfft_precision precision, float (*to)(uint16_t), uint16_t (*of)(float)) {
  enum { N = 65536 + 5 };
  static uint16_t stored[N];
  static float wide[N];
  const mfft_half_rows *rows = mfft_half_rows_of(precision);
  int wrong = 0;
  for (int i = 0; i < N; i++) stored[i] = (uint16_t)i;
  rows->to_float(N, 1, stored, 1, wide, 1);
  for (int i = 0; i < N; i++) wrong += isnan(wide[i]) ? !isnan(to(stored[i])) : wide[i] != to(stored[i]);
  CHECK(wrong == 0, "%d of %d values of precision %d differ in a long row", wrong, N, (int)precision);

  uint64_t state = 112;
  for (int i = 0; i < N; i++) wide[i] = (float)ldexp(test_random(&state), (int)(test_random(&state) * 70));
  rows->of_float(N, 1, 0.25f, wide, 1, stored, 1);
  for (int i = 0; i < N; i++) wrong += stored[i] != of(wide[i] * 0.25f);
  CHECK(wrong == 0, "%d of %d values of precision %d are stored otherwise in a long row", wrong, N, (int)precision);
}

int main(void) {
  check_type(5, MFFT_HALF, mfft_half_to_float, mfft_half_of_float);
  check_type(8, MFFT_BFLOAT16, mfft_bfloat16_to_float, mfft_bfloat16_of_float);
  check_long_rows(MFFT_HALF, mfft_half_to_float, mfft_half_of_float);
  check_long_rows(MFFT_BFLOAT16, mfft_bfloat16_to_float, mfft_bfloat16_of_float);
  check_rows(MFFT_HALF, 5);
  check_rows(MFFT_BFLOAT16, 8);
  CHECK(mfft_half_rows_of(MFFT_DOUBLE) == NULL && mfft_half_rows_of(MFFT_SINGLE) == NULL, "wide types have rows");
  return test_end();
}
