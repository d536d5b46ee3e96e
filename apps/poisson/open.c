/* open.c: see open.h. */
#include "poisson/open.h"

#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/sweep.h"
#include "mfft_memory.h"

mfft_box mfft_open_box(const mfft_box *padded, const int64_t n[3]) {
  mfft_box box = *padded;
  for (int a = 0; a < 3; a++)
    if (box.hi[a] > n[a]) box.hi[a] = n[a];
  for (int a = 0; a < 3; a++)
    if (box.lo[a] >= box.hi[a]) memset(&box, 0, sizeof box); /* no rows of the field */
  return box;
}

/* Offset of row (x, y) of an array of a box, in real numbers. */
static int64_t row_of(const mfft_box *box, int64_t x, int64_t y) {
  return ((x - box->lo[0]) * mfft_box_side(box, 1) + y - box->lo[1]) * mfft_box_side(box, 2);
}

/* ---- The kernel ------------------------------------------------------------------------------------------------------ */

/* Distance in cells of index i of the doubled mesh from 0 or from the nearest image of 0. */
static int64_t cells_from_0(int64_t i, int64_t n) { return i <= n ? i : 2 * n - i; }

/* The ranges of distances that occur along the axes of a box of the doubled mesh. */
static mfft_box distances_of(const mfft_box *padded, const int64_t n[3]) {
  mfft_box box = {{0, 0, 0}, {0, 0, 0}, {0, 1, 2}};
  if (!mfft_box_cells(padded)) return box;
  for (int a = 0; a < 3; a++) {
    const int64_t first = cells_from_0(padded->lo[a], n[a]), last = cells_from_0(padded->hi[a] - 1, n[a]);
    const int has_largest = padded->lo[a] <= n[a] && padded->hi[a] > n[a]; /* distances ascend to n, then descend */
    box.lo[a] = first < last ? first : last;
    box.hi[a] = (has_largest ? n[a] : first > last ? first : last) + 1;
  }
  return box;
}

/* Copies the Green function to every point of the doubled mesh, by distance. */
static mfft_status spread_kernel(mfft_open *o, const int64_t n[3], const mfft_open_values *v) {
  const mfft_box *box = &o->padded;
  const int64_t count = mfft_box_side(box, 2), rows = mfft_box_side(&v->box, 1), columns = mfft_box_side(&v->box, 2);
  double *row = malloc((size_t)(count + 1) * sizeof *row);
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the doubled mesh");
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++) {
      const int64_t dx = cells_from_0(x, n[0]) - v->box.lo[0], dy = cells_from_0(y, n[1]) - v->box.lo[1];
      const double *from = v->value + (dx * rows + dy) * columns;
      for (int64_t i = 0; i < count; i++) row[i] = from[cells_from_0(box->lo[2] + i, n[2]) - v->box.lo[2]];
      mfft_row_store(o->precision, o->array, row_of(box, x, y), count, row);
    }
  free(row);
  return MFFT_SUCCESS;
}

/* Stores the real parts of the spectrum; the spectrum of an even function is real. */
static mfft_status keep_kernel(mfft_open *o) {
  const int64_t count = mfft_box_side(&o->modes, 2), rows = mfft_box_side(&o->modes, 0) * mfft_box_side(&o->modes, 1);
  double *row = malloc((size_t)(2 * count + 1) * sizeof *row);
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the spectrum");
  for (int64_t r = 0; r < rows; r++) {
    mfft_row_load(o->precision, o->spectrum, 2 * r * count, 2 * count, row);
    for (int64_t i = 0; i < count; i++) o->kernel[r * count + i] = row[2 * i];
  }
  free(row);
  return MFFT_SUCCESS;
}

static mfft_status make_kernel(mfft_open_kind kind, const int64_t n[3], const double spacing[3], mfft_open *o) {
  mfft_open_values values = {.value = NULL};
  const mfft_box wanted = distances_of(&o->padded, n);
  mfft_status status = mfft_open_kernel(kind, n, spacing, &wanted, &values);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(spread_kernel(o, n, &values));
  mfft_free(values.value);
  if (status == MFFT_SUCCESS) status = mfft_execute(o->plan, MFFT_FORWARD, o->array, o->spectrum);
  return status == MFFT_SUCCESS ? mfft_app_agree(keep_kernel(o)) : status;
}

mfft_status mfft_open_create(mfft_open_kind kind, const int64_t n[3], const double spacing[3], mfft_precision precision,
                             mfft_plan plan, void *spectrum, mfft_open *o) {
  size_t bytes;
  void *kernel = NULL;
  memset(o, 0, sizeof *o);
  o->plan = plan;
  o->precision = precision;
  o->spectrum = spectrum;
  mfft_status status = mfft_plan_box(plan, MFFT_IN, &o->padded);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan, MFFT_OUT, &o->modes);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(plan, MFFT_IN, &bytes);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc((int64_t)bytes, 1, "the doubled mesh", &o->array);
  if (status == MFFT_SUCCESS)
    status = mfft_app_alloc(mfft_box_cells(&o->modes), sizeof(double), "the Green function in k-space", &kernel);
  o->kernel = kernel;
  o->field = mfft_open_box(&o->padded, n);
  status = mfft_app_agree(status);
  return status == MFFT_SUCCESS ? make_kernel(kind, n, spacing, o) : status;
}

void mfft_open_destroy(mfft_open *o) {
  mfft_free(o->array);
  mfft_free(o->kernel);
  memset(o, 0, sizeof *o);
}

/* ---- Solving --------------------------------------------------------------------------------------------------------- */

mfft_status mfft_open_forward(mfft_open *o, const void *field) {
  const size_t real = mfft_row_real_bytes(o->precision), count = (size_t)mfft_box_side(&o->field, 2);
  memset(o->array, 0, (size_t)mfft_box_cells(&o->padded) * real);
  for (int64_t x = o->field.lo[0]; x < o->field.hi[0]; x++)
    for (int64_t y = o->field.lo[1]; y < o->field.hi[1]; y++)
      memcpy((char *)o->array + (size_t)row_of(&o->padded, x, y) * real,
             (const char *)field + (size_t)row_of(&o->field, x, y) * real, count * real);
  return mfft_execute(o->plan, MFFT_FORWARD, o->array, o->spectrum);
}

static mfft_status multiply_spectrum(mfft_open *o, double factor) {
  const int64_t count = mfft_box_side(&o->modes, 2), rows = mfft_box_side(&o->modes, 0) * mfft_box_side(&o->modes, 1);
  double *row = malloc((size_t)(2 * count + 1) * sizeof *row);
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the spectrum");
  for (int64_t r = 0; r < rows; r++) {
    const double *kernel = o->kernel + r * count;
    mfft_row_load(o->precision, o->spectrum, 2 * r * count, 2 * count, row);
    for (int64_t i = 0; i < 2 * count; i++) row[i] *= factor * kernel[i / 2];
    mfft_row_store(o->precision, o->spectrum, 2 * r * count, 2 * count, row);
  }
  free(row);
  return MFFT_SUCCESS;
}

mfft_status mfft_open_backward(mfft_open *o, double factor, void *field) {
  const size_t real = mfft_row_real_bytes(o->precision), count = (size_t)mfft_box_side(&o->field, 2);
  mfft_status status = mfft_app_agree(multiply_spectrum(o, factor));
  if (status == MFFT_SUCCESS) status = mfft_execute(o->plan, MFFT_BACKWARD, o->spectrum, o->array);
  if (status != MFFT_SUCCESS) return status;
  for (int64_t x = o->field.lo[0]; x < o->field.hi[0]; x++)
    for (int64_t y = o->field.lo[1]; y < o->field.hi[1]; y++)
      memcpy((char *)field + (size_t)row_of(&o->field, x, y) * real,
             (const char *)o->array + (size_t)row_of(&o->padded, x, y) * real, count * real);
  return MFFT_SUCCESS;
}
