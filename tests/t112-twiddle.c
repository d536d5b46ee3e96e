// TEST
/* The four-step twiddle: exact angles, also for lengths beyond 2^32 and offsets whose product exceeds 2^63, every type, both
 * directions, against roots of unity in quadruple precision. */
#include "local/backend.h"
#include "quad.h"

typedef struct angle_case {
  int64_t n[3], row0, col0, length;
} angle_case;

static const angle_case cases[] = {
    {{1, 1, 1}, 0, 0, 1},
    {{2, 5, 7}, 0, 0, 35},
    {{1, 64, 200}, 3, 11, 12800},
    {{3, 17, 129}, 1000, 77, 1 << 20},
    {{1, 9, 70}, 2147483000, 2147483600, (INT64_C(1) << 62) - 57}, /* products near 2^62 */
    {{1, 9, 70}, 4294967291, 4294967311, INT64_C(4294967291) * 1073741789},
    {{1, 3, 65}, INT64_C(1) << 40, INT64_C(1) << 39, INT64_C(1) << 61}, /* products near 2^79 */
};

static void one(const mfft_backend *backend, const angle_case *c, mfft_precision precision, mfft_direction direction) {
  static const double bound[] = {
      [MFFT_DOUBLE] = 6e-16, [MFFT_SINGLE] = 1.5e-7, [MFFT_HALF] = 1e-3, [MFFT_BFLOAT16] = 8e-3, [MFFT_LONG_DOUBLE] = 6e-19};
  const int64_t count = c->n[0] * c->n[1] * c->n[2];
  const size_t bytes = mfft_real_bytes(precision);
  void *data = malloc((size_t)count * 2 * bytes);
  long double *before = malloc((size_t)count * 2 * sizeof *before);
  uint64_t state = 112;
  for (int64_t i = 0; i < 2 * count; i++) {
    test_store(precision, data, i, test_random(&state) / 3.0L);
    before[i] = test_load(precision, data, i);
  }
  CHECK_OK(backend->twiddle(precision, direction, c->n, c->row0, c->col0, c->length, data, NULL));
  double worst = 0;
  for (int64_t b = 0; b < c->n[0]; b++)
    for (int64_t i = 0; i < c->n[1]; i++)
      for (int64_t j = 0; j < c->n[2]; j++) {
        const int64_t at = 2 * ((b * c->n[1] + i) * c->n[2] + j);
        /* The product of the two factors modulo the length by repeated addition, which does not overflow. */
        unsigned long long m = 0, row = (unsigned long long)((c->row0 + i) % c->length),
                           times = (unsigned long long)((c->col0 + j) % c->length), length = (unsigned long long)c->length;
        for (; times; times >>= 1) {
          if (times & 1) m = (m + row) % length;
          row = 2 * row % length;
        }
        const quad_complex root = quad_root((int64_t)m, c->length);
        const long double re = (long double)root.re, im = (direction == MFFT_FORWARD ? -1 : 1) * (long double)root.im;
        long double want_re = before[at] * re - before[at + 1] * im, want_im = before[at] * im + before[at + 1] * re;
        double off = (double)hypotl(test_load(precision, data, at) - want_re, test_load(precision, data, at + 1) - want_im);
        double size = (double)hypotl(before[at], before[at + 1]);
        if (size > 0.05 && !(off / size <= worst)) worst = off / size;
      }
  CHECK(worst <= bound[precision], "%s precision %d length %lld: relative error %.3g, bound %.3g", backend->name,
        (int)precision, (long long)c->length, worst, bound[precision]);
  free(before);
  free(data);
}

int main(void) {
  static const char *const name[] = {"fftw", "ref"};
  for (int b = 0; b < 2; b++) {
    const mfft_backend *backend = NULL;
    CHECK_OK(mfft_backend_find(name[b], &backend));
    for (size_t c = 0; backend && c < sizeof cases / sizeof *cases; c++)
      for (int precision = 0; precision < MFFT_PRECISION_COUNT; precision++)
        for (int direction = 0; direction < 2; direction++)
          one(backend, &cases[c], (mfft_precision)precision, (mfft_direction)direction);
  }
  return test_end();
}
