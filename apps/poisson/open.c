/* open.c: see open.h. */
#include "poisson/open.h"

#include <stdlib.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "io/rows.h"
#include "io/sweep.h"
#include "mfft_memory.h"

/* The row of the array at x and y of the doubled mesh, in real numbers from its start. */
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

/* Lays the kernel over the doubled mesh. */
static mfft_status spread_kernel(const mfft_open *o, const mfft_box *box, const int64_t n[3], const mfft_open_values *v,
                                 void *array) {
  const int64_t count = mfft_box_side(box, 2), rows = mfft_box_side(&v->box, 1), columns = mfft_box_side(&v->box, 2);
  double *row = malloc((size_t)(count + 1) * sizeof *row);
  if (!row) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the doubled mesh");
  for (int64_t x = box->lo[0]; x < box->hi[0]; x++)
    for (int64_t y = box->lo[1]; y < box->hi[1]; y++) {
      const int64_t dx = cells_from_0(x, n[0]) - v->box.lo[0], dy = cells_from_0(y, n[1]) - v->box.lo[1];
      const double *from = v->value + (dx * rows + dy) * columns;
      for (int64_t i = 0; i < count; i++) row[i] = from[cells_from_0(box->lo[2] + i, n[2]) - v->box.lo[2]];
      mfft_row_store(o->precision, array, row_of(box, x, y), count, row);
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

/* Transforms the kernel by a plan of the doubled mesh, which is gone afterwards. */
static mfft_status make_kernel(mfft_open_kind kind, const int64_t n[3], const double spacing[3], mfft_plan doubled,
                               mfft_open *o) {
  mfft_open_values values = {.value = NULL};
  mfft_box box;
  size_t bytes = 0;
  void *array = NULL;
  mfft_status status = mfft_plan_box(doubled, MFFT_IN, &box);
  if (status == MFFT_SUCCESS) status = mfft_plan_bytes(doubled, MFFT_IN, &bytes);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc((int64_t)bytes, 1, "the kernel on the doubled mesh", &array);
  status = mfft_app_agree(status);
  const mfft_box wanted = status == MFFT_SUCCESS ? distances_of(&box, n) : (mfft_box){{0}, {0}, {0}};
  if (status == MFFT_SUCCESS) status = mfft_open_kernel(kind, n, spacing, &wanted, &values);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(spread_kernel(o, &box, n, &values, array));
  mfft_free(values.value);
  if (status == MFFT_SUCCESS) status = mfft_execute(doubled, MFFT_FORWARD, array, o->spectrum);
  mfft_free(array);
  return status == MFFT_SUCCESS ? mfft_app_agree(keep_kernel(o)) : status;
}

mfft_status mfft_open_create(mfft_open_kind kind, const double spacing[3], const mfft_desc *desc,
                             const mfft_options *options, mfft_plan plan, void *spectrum, mfft_open *o) {
  mfft_desc whole = *desc;
  mfft_options how = *options;
  mfft_plan doubled = NULL;
  void *kernel = NULL;
  memset(o, 0, sizeof *o);
  o->plan = plan;
  o->precision = desc->precision;
  o->spectrum = spectrum;
  mfft_status status = mfft_plan_box(plan, MFFT_OUT, &o->modes);
  memset(whole.given, 0, sizeof whole.given);
  whole.out_box = &o->modes;
  whole.allow_destroy_input = 1;
  how.effort = MFFT_ESTIMATE;
  if (status == MFFT_SUCCESS)
    status = mfft_app_alloc(mfft_box_cells(&o->modes), sizeof(double), "the Green function in k-space", &kernel);
  o->kernel = kernel;
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_plan_options_create(&whole, &how, &doubled);
  if (status == MFFT_SUCCESS) status = make_kernel(kind, desc->given, spacing, doubled, o);
  mfft_plan_destroy(doubled);
  return status;
}

void mfft_open_destroy(mfft_open *o) {
  mfft_free(o->kernel);
  memset(o, 0, sizeof *o);
}

/* ---- Solving --------------------------------------------------------------------------------------------------------- */

mfft_status mfft_open_multiply(mfft_open *o, double factor) {
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
