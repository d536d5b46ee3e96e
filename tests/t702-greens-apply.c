// TEST labels=apps
// The filters of all outputs against the kernel of each single mode, and the power of the outputs against the sum over the
// whole spectrum.
#include <complex.h>

#include "../apps/cli/name_list.c"
#include "../apps/io/rows.c"
#include "../apps/mesh/window.c"
#include "../apps/poisson/boundary.c"
#include "../apps/poisson/greens.c"
#include "check.h"
#include "mfft_spectrum.h"

/* The kernel of one mode, from the symbols. */
static double complex kernel_of(const mfft_greens_spec *spec, int axis, const int64_t m[3]) {
  double sum = 0, filter = 1, rs = mfft_greens_split_scale(spec);
  if (m[0] == 0 && m[1] == 0 && m[2] == 0) return 0;
  for (int a = 0; a < 3; a++) {
    double h = spec->length[a] / (double)spec->n[a];
    sum += mfft_symbol_laplacian(spec->laplacian, m[a], spec->n[a], h);
    filter *= mfft_symbol_split(m[a], spec->n[a], h, rs);
    for (int d = 0; d < spec->deconvolve; d++) filter /= mfft_assignment_window(spec->window_order, m[a], spec->n[a]);
  }
  double complex kernel = -filter / sum;
  if (axis >= 0)
    kernel *= -I * mfft_symbol_gradient(spec->gradient, m[axis], spec->n[axis], spec->length[axis] / (double)spec->n[axis]);
  return kernel;
}

int main(void) {
  mfft_greens_spec spec = {.n = {6, 5, 8},
                           .length = {3, 10, 4},
                           .laplacian = MFFT_LAPLACIAN_FD4,
                           .gradient = MFFT_GRADIENT_FD4,
                           .window_order = 2,
                           .deconvolve = 1,
                           .asmth = 0.25};
  enum { NX = 6, NY = 5, NZ = 5, COUNT = NX * NY * NZ };
  mfft_greens greens;
  CHECK_OK(mfft_greens_create(&spec, &greens));
  static double complex spectrum[COUNT];
  uint64_t seed = 1;
  for (int i = 0; i < COUNT; i++) spectrum[i] = test_random(&seed) + I * test_random(&seed);

  /* The filter of each output, by the formula of mfft.h. */
  static const double complex turn[] = {1, I, -1, -I};
  mfft_box whole = {{0, 0, 0}, {NX, NY, NZ}, {0, 1, 2}};
  double power[4] = {0}, got[4] = {0}, parts[4] = {0};
  for (int axis = -1; axis < 3; axis++) {
    mfft_filter f = mfft_greens_filter(&greens, axis, 2.5);
    for (int64_t x = 0; x < NX; x++)
      for (int64_t y = 0; y < NY; y++)
        for (int64_t z = 0; z < NZ; z++) {
          int64_t m[3] = {x, y, z}, i = (x * NY + y) * NZ + z;
          double complex want = 2.5 * kernel_of(&spec, axis, m);
          double divisor = f.divisor[0][x] + f.divisor[1][y] + f.divisor[2][z];
          double value = divisor == 0 ? f.singular : f.factor[0][x] * f.factor[1][y] * f.factor[2][z] / divisor;
          double complex is = f.scale * value * turn[f.quarter_turns];
          CHECK(cabs(is - want) <= 1e-14 * cabs(want), "axis %d mode %lld %lld %lld", axis, (long long)x, (long long)y,
                (long long)z);
          power[axis + 1] += (z == 0 || z == 4 ? 1 : 2) * pow(cabs(want * spectrum[i]) / 2.5, 2);
        }
  }
  CHECK_OK(mfft_greens_power(&greens, &whole, MFFT_DOUBLE, spectrum, got));
  for (int64_t x = 0; x < NX; x++) { /* the same from its planes, and an empty box */
    mfft_box plane = {{x, 0, 0}, {x + 1, NY, NZ}, {0, 1, 2}}, empty = {{2, 2, 2}, {2, 5, 4}, {0, 1, 2}};
    CHECK_OK(mfft_greens_power(&greens, &plane, MFFT_DOUBLE, spectrum + x * NY * NZ, parts));
    CHECK_OK(mfft_greens_power(&greens, &empty, MFFT_DOUBLE, NULL, parts));
  }
  for (int o = 0; o < 4; o++)
    CHECK(fabs(got[o] - power[o]) <= 1e-13 * power[o] && fabs(parts[o] - power[o]) <= 1e-13 * power[o],
          "output %d: power %g and %g, want %g", o, got[o], parts[o], power[o]);
  mfft_greens_destroy(&greens);
  return test_end();
}
