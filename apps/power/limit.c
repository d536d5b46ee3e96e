/* limit.c: see limit.h. */
#include "power/limit.h"

#include <math.h>

#include "base/wave_number.h"

static double sinc_power(double x, int order) {
  const double sinc = fabs(x) > 1e-12 ? sin(x) / x : 1;
  return pow(sinc * sinc, order);
}

/* Relative error of the power of a mode at x Nyquist wave numbers on each axis: the larger of the error by aliasing for a
 * flat spectrum, and of that by the window for a steep spectrum, which has no aliases. */
static double error_at(const double x[3], mfft_compensation compensation, int order, int interlace) {
  enum { REACH = 2, CYCLE = 1 << 20 };
  double window = 1, divided = 1, images = 0;
  for (int axis = 0; axis < 3; axis++) {
    window *= sinc_power(MFFT_PI / 2 * x[axis], order);
    divided *= mfft_window_power(compensation, order, llround(x[axis] * CYCLE / 2), CYCLE);
  }
  for (int i = -REACH; i <= REACH; i++)
    for (int j = -REACH; j <= REACH; j++)
      for (int l = -REACH; l <= REACH; l++) {
        if ((i + j + l) % interlace) continue;
        const int n[3] = {i, j, l}; /* [axis] */
        double image = 1;
        for (int axis = 0; axis < 3; axis++) image *= sinc_power(MFFT_PI / 2 * (x[axis] + 2 * n[axis]), order);
        images += image;
      }
  return fmax(fabs(images / divided - 1), fabs(window / divided - 1));
}

double mfft_power_limit(const mfft_mesh *mesh, mfft_compensation compensation, int order, int interlace) {
  enum { STEPS = 400 };
  static const double direction[][3] = {{1, 0, 0},
                                        {0.70710678118654752, 0.70710678118654752, 0},
                                        {0.57735026918962576, 0.57735026918962576, 0.57735026918962576}};
  const double nyquist = mfft_mesh_nyquist(mesh);
  if (order == 0) return INFINITY;
  for (int step = 1; step <= STEPS; step++)
    for (int d = 0; d < 3; d++) {
      double x[3]; /* [axis] */
      for (int axis = 0; axis < 3; axis++) x[axis] = direction[d][axis] * step / STEPS;
      if (error_at(x, compensation, order, interlace) > MFFT_LIMIT_ERROR) return nyquist * (step - 1) / STEPS;
    }
  return nyquist;
}
