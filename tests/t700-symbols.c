// TEST labels=apps
// The one-axis functions of the Poisson kernels against their formulas in long double, their parity, and their zeros.
#include "../apps/cli/name_list.c"
#include "../apps/io/rows.c"
#include "../apps/mesh/window.c"
#include "../apps/poisson/boundary.c"
#include "../apps/poisson/greens.c"
#include "check.h"

static const long double PI_L = 3.14159265358979323846264338327950288L;

/* slope: the factor by which the formula amplifies the rounding of its argument. */
static void close_to_sloped(double got, long double want, long double scale, long double slope, const char *what, int64_t m,
                            int64_t n) {
  CHECK(fabsl((long double)got - want) <= 8e-16L * (slope * fabsl(want) + 1e-3L * scale),
        "%s m=%lld n=%lld: %.17g, want %.17Lg", what, (long long)m, (long long)n, got, want);
}

static void close_to(double got, long double want, long double scale, const char *what, int64_t m, int64_t n) {
  close_to_sloped(got, want, scale, 1, what, m, n);
}

int main(void) {
  static const int64_t lengths[] = {1, 2, 3, 4, 5, 8, 31, 32, 63, 64, 100};
  double h = 0.37, rs = 0.5;
  for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
    int64_t n = lengths[i];
    for (int64_t m = -n; m <= 2 * n; m++) {
      int64_t s = ((m % n) + n) % n;
      if (2 * s > n) s -= n;
      int odd_zero = s == 0 || 2 * s == n;
      long double w = 2 * PI_L * s / n, k = w / h, hh = (long double)h * h, top = PI_L * PI_L / hh;
      close_to(mfft_symbol_laplacian(MFFT_LAPLACIAN_SPECTRAL, m, n, h), k * k, top, "k^2", m, n);
      close_to(mfft_symbol_laplacian(MFFT_LAPLACIAN_FD2, m, n, h), (2 - 2 * cosl(w)) / hh, top, "fd2", m, n);
      close_to(mfft_symbol_laplacian(MFFT_LAPLACIAN_FD4, m, n, h), (30 - 32 * cosl(w) + 2 * cosl(2 * w)) / (12 * hh), top,
               "fd4", m, n);
      double spectral = mfft_symbol_gradient(MFFT_GRADIENT_SPECTRAL, m, n, h);
      double fd4 = mfft_symbol_gradient(MFFT_GRADIENT_FD4, m, n, h);
      close_to(spectral, odd_zero ? 0 : k, PI_L / h, "i k", m, n);
      close_to(fd4, odd_zero ? 0 : (8 * sinl(w) - sinl(2 * w)) / (6 * h), PI_L / h, "i fd4", m, n);
      CHECK(!odd_zero || (spectral == 0 && fd4 == 0), "an odd kernel at m=%lld of n=%lld is not exactly zero", (long long)m,
            (long long)n);
      CHECK(mfft_symbol_gradient(MFFT_GRADIENT_FD4, -m, n, h) == -fd4 || odd_zero, "fd4 is not odd");
      CHECK(mfft_symbol_gradient(MFFT_GRADIENT_NONE, m, n, h) == 0, "no gradient");
      for (int order = 1; order <= 4; order++) {
        long double sinc = s ? sinl(w / 2) / (w / 2) : 1;
        close_to_sloped(mfft_assignment_window(order, m, n), powl(sinc, order), 1, 2 * order, "window", m, n);
      }
      close_to_sloped(mfft_symbol_split(m, n, h, rs), expl(-k * k * rs * rs), 1, 2 + 2 * k * k * rs * rs, "split", m, n);
    }
  }
  CHECK(mfft_symbol_split(5, 32, h, 0) == 1, "no split is 1");

  /* Tables, and the cell length from which the short-range split is measured. */
  mfft_greens_spec spec = {.n = {8, 6, 5},
                           .length = {8, 12, 20},
                           .laplacian = MFFT_LAPLACIAN_FD2,
                           .window_order = 3,
                           .deconvolve = 2,
                           .asmth = 1.25};
  CHECK(mfft_greens_split_scale(&spec) == 5, "rs is 1.25 of the widest cell, 4");
  CHECK(!mfft_greens_unfiltered(&spec), "filtered");
  mfft_greens greens;
  CHECK_OK(mfft_greens_create(&spec, &greens));
  CHECK(greens.force[0] == NULL, "no gradient was requested");
  close_to_sloped(greens.filter[1][2], expl(-powl(2 * PI_L * 2 / 12 * 5, 2)) / powl(sinl(PI_L / 3) / (PI_L / 3), 6), 1, 50,
                  "filter", 2, 6);
  close_to(greens.laplacian[2][4], (2 - 2 * cosl(2 * PI_L / 5)) / 16, 1, "table fd2", 4, 5);
  mfft_greens_destroy(&greens);
  mfft_greens_destroy(&greens);
  spec.deconvolve = 0;
  spec.asmth = 0;
  CHECK(mfft_greens_unfiltered(&spec), "unfiltered");
  return test_end();
}
