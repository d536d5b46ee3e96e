/* open.c: see open.h. */
#include "poisson/open.h"

#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/sweep.h"
#include "mfft_array.h"
#include "mfft_memory.h"

/* The row of the kernel for the modes at x and y. z is the halved axis, whose modes are waves. */
static const double *row_of(const mfft_open *o, int64_t x, int64_t y) {
  const int64_t dx = mfft_open_wave(&o->mesh, 0, x) - o->waves.lo[0], dy = mfft_open_wave(&o->mesh, 1, y) - o->waves.lo[1];
  return o->kernel + (dx * mfft_box_side(&o->waves, 1) + dy) * mfft_box_side(&o->waves, 2);
}

/* Uploads the kernel, plane by plane. */
static mfft_status fill_modal(const mfft_open *o) {
  const int64_t rows = mfft_box_side(&o->modes, 1), count = mfft_box_side(&o->modes, 2);
  const size_t bytes = 2 * (size_t)(rows * count) * mfft_real_bytes(o->precision);
  double *row = malloc((size_t)(2 * count + 1) * sizeof *row);
  void *plane = malloc(bytes + 1);
  mfft_status status = row && plane ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a plane of modes");
  for (int64_t x = o->modes.lo[0]; x < o->modes.hi[0] && status == MFFT_SUCCESS && bytes; x++) {
    for (int64_t y = 0; y < rows; y++) {
      const double *kernel = row_of(o, x, o->modes.lo[1] + y);
      for (int64_t i = 0; i < 2 * count; i++) row[i] = kernel[i / 2];
      mfft_row_store(o->precision, plane, 2 * y * count, 2 * count, row);
    }
    status = mfft_memory_upload(o->backend, (char *)o->modal + (size_t)(x - o->modes.lo[0]) * bytes, plane, bytes);
  }
  free(plane);
  free(row);
  return status;
}

/* Moves the kernel to the memory of a plan on a device. */
static mfft_status move_kernel(mfft_open *o) {
  size_t bytes;
  mfft_status status = mfft_plan_bytes(o->plan, MFFT_OUT, &bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(o->plan, bytes, "the Green function in k-space", &o->modal);
  if (status == MFFT_SUCCESS) status = fill_modal(o);
  mfft_free(o->kernel);
  o->kernel = NULL;
  return mfft_app_agree(status);
}

mfft_status mfft_open_create(mfft_open_kind kind, const mfft_open_mesh *mesh, mfft_plan plan, mfft_precision precision,
                             void *spectrum, mfft_open *o) {
  void *kernel = NULL;
  mfft_memory memory = MFFT_MEMORY_HOST;
  memset(o, 0, sizeof *o);
  o->mesh = *mesh;
  o->precision = precision;
  o->plan = plan;
  o->spectrum = spectrum;
  mfft_status status = mfft_plan_box(plan, MFFT_OUT, &o->modes);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(plan, &o->backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(plan, &memory);
  if (status == MFFT_SUCCESS) {
    o->waves = mfft_open_waves(mesh, &o->modes);
    status = mfft_app_alloc(mfft_box_cells(&o->waves), sizeof(double), "the Green function in k-space", &kernel);
  }
  o->kernel = kernel;
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_open_kernel(kind, mesh, &o->waves, o->kernel);
  return status == MFFT_SUCCESS && memory == MFFT_MEMORY_DEVICE ? move_kernel(o) : status;
}

void mfft_open_destroy(mfft_open *o) {
  mfft_free(o->kernel);
  if (o->modal) mfft_memory_free(o->backend, o->modal);
  memset(o, 0, sizeof *o);
}

/* Multiplies on the host, row by row. */
static mfft_status multiply_rows(mfft_open *o, double factor) {
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

mfft_status mfft_open_multiply(mfft_open *o, double factor) {
  if (!o->modal) return multiply_rows(o, factor);
  return mfft_plan_multiply_add(o->plan, MFFT_OUT, factor, o->spectrum, o->modal, 0, o->spectrum);
}
