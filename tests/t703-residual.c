// TEST labels=apps
// The residual by random projections: rounding for plane waves and their exact potentials, the size of an error that was
// added, and the same numbers from parts as from the whole.
#include <mpi.h>

#include "../apps/cli/collective.c"
#include "../apps/cli/name_list.c"
#include "../apps/io/rows.c"
#include "../apps/mesh/exact_sum.c"
#include "../apps/mesh/window.c"
#include "../apps/poisson/boundary.c"
#include "../apps/poisson/greens.c"
#include "../apps/poisson/residual.c"
#include "check.h"

enum { NX = 12, NY = 9, NZ = 16, COUNT = NX * NY * NZ };

/* sqrt(mean (r.e)^2) / |c rho| for the whole arrays. */
static double estimate(const mfft_greens_spec *spec, double c, const double *rho, const double *phi) {
  mfft_residual residual;
  mfft_box whole = {{0, 0, 0}, {NX, NY, NZ}, {0, 1, 2}};
  mfft_projection source = {.sum[0].nan = 0}, laplacian = {.sum[0].nan = 0};
  double error = 0, norm = 0;
  CHECK_OK(mfft_residual_create(spec, &residual));
  CHECK_OK(mfft_residual_project(&residual, MFFT_RESIDUAL_FILTER, &whole, MFFT_DOUBLE, rho, &source));
  CHECK_OK(mfft_residual_project(&residual, MFFT_RESIDUAL_LAPLACIAN, &whole, MFFT_DOUBLE, phi, &laplacian));
  for (int p = 0; p < MFFT_PROJECTIONS; p++)
    error += pow(mfft_projection_value(&laplacian, p) - c * mfft_projection_value(&source, p), 2) / MFFT_PROJECTIONS;
  for (int i = 0; i < COUNT; i++) norm += c * c * rho[i] * rho[i];

  /* Two parts, one after the other, give the result of the whole. */
  mfft_box part[2] = {{{0, 0, 0}, {5, NY, NZ}, {0, 1, 2}}, {{5, 0, 0}, {NX, NY, NZ}, {0, 1, 2}}};
  mfft_projection parts = {.sum[0].nan = 0};
  CHECK_OK(mfft_residual_project(&residual, MFFT_RESIDUAL_LAPLACIAN, &part[0], MFFT_DOUBLE, phi, &parts));
  CHECK_OK(mfft_residual_project(&residual, MFFT_RESIDUAL_LAPLACIAN, &part[1], MFFT_DOUBLE, phi + 5 * NY * NZ, &parts));
  for (int p = 0; p < MFFT_PROJECTIONS; p++)
    CHECK(mfft_projection_value(&parts, p) == mfft_projection_value(&laplacian, p),
          "the projection of two parts is not that of the whole");

  /* The results of ranks add up to that of the whole. */
  mfft_projection other = {.sum[0].nan = 0}, one = {.sum[0].nan = 0};
  CHECK_OK(mfft_residual_project(&residual, MFFT_RESIDUAL_LAPLACIAN, &part[0], MFFT_DOUBLE, phi, &one));
  CHECK_OK(mfft_residual_project(&residual, MFFT_RESIDUAL_LAPLACIAN, &part[1], MFFT_DOUBLE, phi + 5 * NY * NZ, &other));
  for (int p = 0; p < MFFT_PROJECTIONS; p++) {
    double a = mfft_projection_value(&one, p), b = mfft_projection_value(&other, p),
           whole_share = mfft_projection_value(&laplacian, p);
    CHECK(fabs(a + b - whole_share) <= 1e-10 * sqrt(norm), "parts %g + %g, whole %g", a, b, whole_share);
  }

  /* Merged they equal that of the whole, bit by bit. */
  mfft_projection_merge(&other, &one);
  for (int p = 0; p < MFFT_PROJECTIONS; p++)
    CHECK(mfft_projection_value(&other, p) == mfft_projection_value(&laplacian, p), "two projections that were merged");
  mfft_residual_destroy(&residual);
  mfft_residual_destroy(&residual);
  return sqrt(error / norm);
}

int main(void) {
  static double rho[COUNT], phi[COUNT], wrong[COUNT];
  static const int64_t modes[][3] = {{1, 0, 0}, {2, 3, 5}, {0, 4, 7}, {6, 0, 8}, {5, 1, 8}};
  const int64_t n[3] = {NX, NY, NZ};
  for (int laplacian = MFFT_LAPLACIAN_SPECTRAL; laplacian <= MFFT_LAPLACIAN_FD4; laplacian++)
    for (int filtered = 0; filtered < 2; filtered++) {
      mfft_greens_spec spec = {.n = {NX, NY, NZ},
                               .length = {3, 2.7, 2},
                               .laplacian = laplacian,
                               .window_order = 2,
                               .deconvolve = 2 * filtered,
                               .asmth = 0.6 * filtered};
      memset(rho, 0, sizeof rho);
      memset(phi, 0, sizeof phi);
      double c = 3, phi_power = 0, rs = mfft_greens_split_scale(&spec);
      for (size_t w = 0; w < sizeof modes / sizeof *modes; w++) {
        double symbol = 0, filter = 1; /* direct formulas, not those of greens.c */
        for (int a = 0; a < 3; a++) {
          double h = spec.length[a] / (double)n[a], angle = 2 * MFFT_PI * (double)modes[w][a] / (double)n[a];
          symbol += laplacian == MFFT_LAPLACIAN_SPECTRAL ? angle * angle / (h * h)
                    : laplacian == MFFT_LAPLACIAN_FD2    ? (2 - 2 * cos(angle)) / (h * h)
                                                         : (30 - 32 * cos(angle) + 2 * cos(2 * angle)) / (12 * h * h);
          if (filtered) {
            filter *= exp(-angle * angle * rs * rs / (h * h));
            if (angle > 0) filter /= pow(sin(angle / 2) / (angle / 2), 4);
          }
        }
        for (int64_t x = 0, i = 0; x < NX; x++)
          for (int64_t y = 0; y < NY; y++)
            for (int64_t z = 0; z < NZ; z++, i++) {
              double turns =
                  (double)(modes[w][0] * x) / NX + (double)(modes[w][1] * y) / NY + (double)(modes[w][2] * z) / NZ;
              double wave = cos(2 * MFFT_PI * turns);
              rho[i] += wave;
              phi[i] -= c * filter / symbol * wave;
            }
      }
      double good = estimate(&spec, c, rho, phi);
      CHECK(good < 3e-13, "laplacian %d filtered %d: residual of the exact solution %g", laplacian, filtered, good);

      /* One wrong element, then a potential that is 1 % too deep. */
      memcpy(wrong, phi, sizeof phi);
      for (int i = 0; i < COUNT; i++) phi_power += phi[i] * phi[i];
      wrong[777] += 1e-3 * sqrt(phi_power / COUNT);
      double one = estimate(&spec, c, rho, wrong);
      CHECK(one > 1e-6, "laplacian %d filtered %d: one wrong element of %d gives %g", laplacian, filtered, COUNT, one);
      if (filtered) continue;
      for (int i = 0; i < COUNT; i++) wrong[i] = 1.01 * phi[i];
      double deep = estimate(&spec, c, rho, wrong);
      CHECK(deep > 0.005 && deep < 0.02, "laplacian %d: an error of 0.01 is estimated as %g", laplacian, deep);
    }
  return test_end();
}
