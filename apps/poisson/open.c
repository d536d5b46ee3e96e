/* open.c: see open.h. */
#include "poisson/open.h"

#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/sweep.h"
#include "mfft_memory.h"

mfft_status mfft_open_create(mfft_open_kind kind, const mfft_open_mesh *mesh, mfft_plan plan, mfft_precision precision,
                             void *spectrum, mfft_open *o) {
  void *kernel = NULL;
  memset(o, 0, sizeof *o);
  o->mesh = *mesh;
  o->precision = precision;
  o->spectrum = spectrum;
  mfft_status status = mfft_plan_box(plan, MFFT_OUT, &o->modes);
  if (status == MFFT_SUCCESS) {
    o->waves = mfft_open_waves(mesh, &o->modes);
    status = mfft_app_alloc(mfft_box_cells(&o->waves), sizeof(double), "the Green function in k-space", &kernel);
  }
  o->kernel = kernel;
  status = mfft_app_agree(status);
  return status == MFFT_SUCCESS ? mfft_open_kernel(kind, mesh, &o->waves, o->kernel) : status;
}

void mfft_open_destroy(mfft_open *o) {
  mfft_free(o->kernel);
  memset(o, 0, sizeof *o);
}

/* The row of the kernel for the modes at x and y. z is the halved axis, whose modes are waves. */
static const double *row_of(const mfft_open *o, int64_t x, int64_t y) {
  const int64_t dx = mfft_open_wave(&o->mesh, 0, x) - o->waves.lo[0], dy = mfft_open_wave(&o->mesh, 1, y) - o->waves.lo[1];
  return o->kernel + (dx * mfft_box_side(&o->waves, 1) + dy) * mfft_box_side(&o->waves, 2);
}

mfft_status mfft_open_multiply(mfft_open *o, double factor) {
  const int64_t count = mfft_box_side(&o->modes, 2);
  int64_t first = 0;
  double *row = malloc((size_t)(2 * count + 1) * sizeof *row);
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the spectrum");
  for (int64_t x = o->modes.lo[0]; x < o->modes.hi[0]; x++)
    for (int64_t y = o->modes.lo[1]; y < o->modes.hi[1]; y++, first += 2 * count) {
      const double *kernel = row_of(o, x, y);
      mfft_row_load(o->precision, o->spectrum, first, 2 * count, row);
      for (int64_t i = 0; i < 2 * count; i++) row[i] *= factor * kernel[i / 2];
      mfft_row_store(o->precision, o->spectrum, first, 2 * count, row);
    }
  free(row);
  return MFFT_SUCCESS;
}
