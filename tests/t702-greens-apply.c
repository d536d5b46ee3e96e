// TEST labels=apps
// The loop over modes against the kernel of each single mode, on a whole spectrum and on boxes cut out of it; the power of
// an output against the sum over the whole spectrum.
#include <complex.h>

#include "../apps/greens.c"
#include "../apps/rows.c"
#include "check.h"

/* The kernel of one mode straight from the symbols. */
static double complex kernel_of(const mfft_greens_spec *spec, int axis, const int64_t m[3]) {
  double sum = 0, filter = 1, rs = mfft_greens_split_scale(spec);
  if (m[0] == 0 && m[1] == 0 && m[2] == 0) return 0;
  for (int a = 0; a < 3; a++) {
    double h = spec->length[a] / (double)spec->n[a];
    sum += mfft_symbol_laplacian(spec->laplacian, m[a], spec->n[a], h);
    filter *= mfft_symbol_split(m[a], spec->n[a], h, rs);
    for (int d = 0; d < spec->deconvolve; d++) filter /= mfft_symbol_window(spec->window_order, m[a], spec->n[a]);
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
  static double complex spectrum[COUNT], out[COUNT], part[COUNT];
  uint64_t seed = 1;
  for (int i = 0; i < COUNT; i++) spectrum[i] = test_random(&seed) + I * test_random(&seed);

  for (int axis = -1; axis < 3; axis++) {
    mfft_box whole = {{0, 0, 0}, {NX, NY, NZ}, {0, 1, 2}};
    CHECK_OK(mfft_greens_apply(&greens, &whole, MFFT_DOUBLE, axis, 2.5, spectrum, out));
    double power = 0, got = 0;
    for (int64_t x = 0; x < NX; x++)
      for (int64_t y = 0; y < NY; y++)
        for (int64_t z = 0; z < NZ; z++) {
          int64_t m[3] = {x, y, z}, i = (x * NY + y) * NZ + z;
          double complex want = 2.5 * spectrum[i] * kernel_of(&spec, axis, m);
          CHECK(cabs(out[i] - want) <= 1e-14 * cabs(want), "axis %d mode %lld %lld %lld", axis, (long long)x, (long long)y,
                (long long)z);
          power += (z == 0 || z == 4 ? 1 : 2) * cabs(want) * cabs(want) / (2.5 * 2.5);
        }
    CHECK(out[0] == 0, "the mean is not zero");
    CHECK_OK(mfft_greens_power(&greens, &whole, MFFT_DOUBLE, axis, spectrum, &got));
    CHECK(fabs(got - power) <= 1e-13 * power, "power %g, want %g", got, power);

    /* A box inside, in place, and an empty one. */
    mfft_box box = {{1, 2, 1}, {4, 5, 4}, {0, 1, 2}};
    int64_t j = 0;
    for (int64_t x = 1; x < 4; x++)
      for (int64_t y = 2; y < 5; y++)
        for (int64_t z = 1; z < 4; z++) part[j++] = spectrum[(x * NY + y) * NZ + z];
    CHECK_OK(mfft_greens_apply(&greens, &box, MFFT_DOUBLE, axis, 2.5, part, part));
    j = 0;
    for (int64_t x = 1; x < 4; x++)
      for (int64_t y = 2; y < 5; y++)
        for (int64_t z = 1; z < 4; z++, j++) CHECK(part[j] == out[(x * NY + y) * NZ + z], "box, axis %d", axis);
    mfft_box empty = {{2, 2, 2}, {2, 5, 4}, {0, 1, 2}};
    CHECK_OK(mfft_greens_apply(&greens, &empty, MFFT_DOUBLE, axis, 1, NULL, NULL));

    /* Single precision rounds the same numbers. */
    float single[2 * COUNT], single_out[2 * COUNT];
    for (int i = 0; i < COUNT; i++) single[2 * i] = (float)creal(spectrum[i]), single[2 * i + 1] = (float)cimag(spectrum[i]);
    CHECK_OK(mfft_greens_apply(&greens, &whole, MFFT_SINGLE, axis, 2.5, single, single_out));
    for (int i = 0; i < COUNT; i++)
      CHECK(cabs(single_out[2 * i] + I * single_out[2 * i + 1] - out[i]) <= 2e-7 * cabs(out[i]), "single, axis %d", axis);
  }
  mfft_greens_destroy(&greens);
  return test_end();
}
