/* linear.c: see linear.h. */
#include "ic/linear.h"

#include <math.h>

#include "base/wave_number.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "ic/mode_noise.h"
#include "mfft_memory.h"

typedef struct colours {
  const mfft_mesh *mesh;
  const mfft_mesh_plan *plan;
  const mfft_spectrum *spectrum;
  uint64_t seed;
  double *deviation; /* [squares] rms of a mode by m^2 = mx^2 + my^2 + mz^2; below 0: not computed yet */
} colours;

/* The rms of a mode, from a table: a cube has few different m^2, and the spectrum takes a dozen transcendental functions. */
static double deviation(colours *c, int64_t square) {
  if (c->deviation[square] < 0) {
    const double k = 2 * MFFT_PI * sqrt((double)square) / c->mesh->length[0];
    c->deviation[square] = sqrt(mfft_spectrum_value(c->spectrum, k) / mfft_mesh_volume(c->mesh)) * mfft_mesh_cells(c->mesh);
  }
  return c->deviation[square];
}

static mfft_status fill_part(void *context, const mfft_box *part, void *data) {
  colours *c = context;
  const int64_t *n = c->mesh->n;
  double *mode = data;
  int64_t m[3];
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++) {
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++)
      for (int64_t z = part->lo[2]; z < part->hi[2]; z++, mode += 2) {
        m[0] = mfft_signed_mode(x, n[0]);
        m[1] = mfft_signed_mode(y, n[1]);
        m[2] = z;
        const int edge = mfft_is_nyquist(m[0], n[0]) || mfft_is_nyquist(m[1], n[1]) || mfft_is_nyquist(m[2], n[2]);
        const double size = edge ? 0 : deviation(c, m[0] * m[0] + m[1] * m[1] + m[2] * m[2]);
        mfft_mode_noise(c->seed, m[0], m[1], m[2], &mode[0], &mode[1]);
        mode[0] *= size;
        mode[1] *= size;
      }
    mfft_progress_step(x + 1 - c->plan->modes.box.lo[0]);
  }
  return MFFT_SUCCESS;
}

mfft_status mfft_linear_modes(const mfft_spectrum *spectrum, uint64_t seed, const mfft_mesh *mesh, mfft_mesh_plan *plan) {
  colours c = {.mesh = mesh, .plan = plan, .spectrum = spectrum, .seed = seed};
  const int64_t half = mesh->n[0] / 2, squares = 3 * half * half + 1;
  void *table = NULL;
  mfft_status status = mfft_app_alloc(squares, sizeof(double), "a table of the spectrum", &table);
  c.deviation = table;
  for (int64_t i = 0; status == MFFT_SUCCESS && i < squares; i++) c.deviation[i] = -1;
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) {
    mfft_progress_start("making the density", mfft_box_side(&plan->modes.box, 0));
    status = mfft_app_agree(mfft_sweep(&plan->modes, MFFT_SWEEP_WRITES, fill_part, &c));
  }
  mfft_free(table);
  return status;
}
