/* linear.c: see linear.h. */
#include "ic/linear.h"

#include <math.h>

#include "base/wave_number.h"
#include "cli/report.h"
#include "mfft_array.h"
#include "mfft_memory.h"

mfft_status mfft_linear_modes(const mfft_spectrum *spectrum, uint64_t seed, const mfft_mesh *mesh, mfft_mesh_plan *plan) {
  const int64_t half = mesh->n[0] / 2, squares = 3 * half * half + 1;
  mfft_mode_noise noise;
  void *table = NULL;
  mfft_status status = mfft_app_agree(mfft_app_alloc(squares, sizeof(double), "a table of the spectrum", &table));
  if (status != MFFT_SUCCESS) return status;
  double *deviation = table;
  deviation[0] = 0;
  for (int64_t i = 1; i < squares; i++) { /* a cube has few different m.m, and a value of the spectrum takes long */
    const double k = 2 * MFFT_PI * sqrt((double)i) / mesh->length[0];
    deviation[i] = sqrt(mfft_spectrum_value(spectrum, k) / mfft_mesh_volume(mesh)) * mfft_mesh_cells(mesh);
  }
  mfft_mode_noise_init(&noise);
  noise.seed = seed;
  noise.deviation = deviation;
  noise.squares = squares;
  noise.threads = plan->threads;
  status = mfft_app_agree(mfft_plan_fill_modes(plan->plan, &noise, plan->modes.plan));
  mfft_free(table);
  return status;
}
