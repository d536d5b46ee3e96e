// TEST args=fftw
// TEST args=ref
/* Ergun's laws and Parseval's theorem, which need no other transform: linearity, impulse, shift, energy, and forward then
 * backward. */
#include <complex.h>

#include "check.h"

static const int64_t shapes[][3] = {{1, 1, 97}, {1, 1, 360}, {1, 12, 35}, {7, 6, 9}, {16, 1, 17}, {8, 16, 32}};
enum { MOST = 4096 };
static const double bound = 2e-15; /* relative L2 of sums of a few transforms of 4096 points */

static double complex x[MOST], y[MOST], fx[MOST], fy[MOST], z[MOST], fz[MOST];

static double norm(const double complex *a, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) sum += creal(a[i]) * creal(a[i]) + cimag(a[i]) * cimag(a[i]);
  return sqrt(sum);
}

/* Norm of a - w*b. */
static double distance(const double complex *a, double complex w, const double complex *b, int64_t n) {
  double sum = 0;
  for (int64_t i = 0; i < n; i++) {
    double complex d = a[i] - w * b[i];
    sum += creal(d) * creal(d) + cimag(d) * cimag(d);
  }
  return sqrt(sum);
}

static void laws(const int64_t n[3], const char *backend) {
  const double two_pi = 6.283185307179586;
  const int64_t count = n[0] * n[1] * n[2];
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  memcpy(d.n, n, sizeof d.n);
  options.backend = backend;
  options.effort = MFFT_ESTIMATE;
  d.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  if (!plan) return;
  uint64_t state = 205;
  for (int64_t i = 0; i < count; i++) {
    x[i] = test_random(&state) + I * test_random(&state);
    y[i] = test_random(&state) + I * test_random(&state);
  }
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, x, fx));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, y, fy));
#define NAMED "%s %lldx%lldx%lld: %.3g", backend, (long long)n[0], (long long)n[1], (long long)n[2]

  const double complex a = 0.7 - 0.3 * I, b = -0.2 + 1.1 * I;
  for (int64_t i = 0; i < count; i++) z[i] = a * x[i] + b * y[i];
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, z, fz));
  for (int64_t i = 0; i < count; i++) z[i] = a * fx[i] + b * fy[i];
  double off = distance(fz, 1, z, count) / norm(z, count);
  CHECK(off <= bound, "linearity " NAMED, off);

  off = fabs(norm(fx, count) / (norm(x, count) * sqrt((double)count)) - 1);
  CHECK(off <= bound, "Parseval " NAMED, off);

  /* An impulse at p transforms to a plane wave; tested as x + impulse, so that the array has no zeros. */
  const int64_t p[3] = {n[0] / 3, n[1] / 2, n[2] - 1}, at = (p[0] * n[1] + p[1]) * n[2] + p[2];
  memcpy(z, x, sizeof z);
  z[at] += 1;
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, z, fz));
  for (int64_t i = 0; i < count; i++) {
    const int64_t k[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
    double turns = 0;
    for (int c = 0; c < 3; c++) turns += (double)(k[c] * p[c] % n[c]) / (double)n[c];
    z[i] = fx[i] + cexp(-I * two_pi * fmod(turns, 1));
  }
  off = distance(fz, 1, z, count) / norm(z, count);
  CHECK(off <= bound, "impulse " NAMED, off);

  /* A cyclic shift by p multiplies the spectrum by a phase. */
  for (int64_t i = 0; i < count; i++) {
    const int64_t j[3] = {(i / (n[1] * n[2]) + p[0]) % n[0], (i / n[2] % n[1] + p[1]) % n[1], (i % n[2] + p[2]) % n[2]};
    z[(j[0] * n[1] + j[1]) * n[2] + j[2]] = x[i];
  }
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, z, fz));
  for (int64_t i = 0; i < count; i++) {
    const int64_t k[3] = {i / (n[1] * n[2]), i / n[2] % n[1], i % n[2]};
    double turns = 0;
    for (int c = 0; c < 3; c++) turns += (double)(k[c] * p[c] % n[c]) / (double)n[c];
    z[i] = fx[i] * cexp(-I * two_pi * fmod(turns, 1));
  }
  off = distance(fz, 1, z, count) / norm(z, count);
  CHECK(off <= bound, "shift " NAMED, off);

  CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, fx, z));
  off = distance(z, 1, x, count) / norm(x, count);
  CHECK(off <= bound, "there and back " NAMED, off);
  mfft_plan_destroy(plan);
}

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++) laws(shapes[s], argv[1]);
  return test_end();
}
