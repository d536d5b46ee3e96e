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

/* Whether a component of the force has a kernel of its own. */
static int has_part(const mfft_open *o, int axis) {
  return axis < 0 || (o->gradient != MFFT_GRADIENT_NONE && o->mesh.boundary[axis] == MFFT_OPEN);
}

static mfft_open_kernel kernel_of(const mfft_open *o, int axis) {
  return (mfft_open_kernel){.kind = o->kind, .axis = axis, .gradient = axis < 0 ? MFFT_GRADIENT_NONE : o->gradient};
}

/* The kernel of an output, for the modes at x and y.  z is the halved axis, whose modes are waves. */
static void load_row(const mfft_open *o, int axis, int64_t x, int64_t y, double *row /* [modes of z] */) {
  const mfft_open_part *part = &o->part[axis + 1];
  const mfft_box *waves = &part->waves;
  const int64_t at[2] = {x, y}, count = mfft_box_side(&o->modes, 2); /* [axis] */
  int64_t first = 0;
  double sign = 1;
  for (int a = 0; a < 2; a++) {
    const int64_t wave = mfft_open_wave(&o->mesh, a, at[a]);
    if (wave < waves->lo[a] || wave >= waves->hi[a]) sign = 0;
    if (a == axis && wave != at[a]) sign = -sign;
    first = first * mfft_box_side(waves, a) + wave - waves->lo[a];
  }
  memset(row, 0, (size_t)count * sizeof *row);
  if (sign == 0) return;
  const double *value = part->value + first * mfft_box_side(waves, 2);
  row += waves->lo[2] - o->modes.lo[2]; /* the first wave, since the box of waves is within that of modes along z */
  for (int64_t i = 0; i < mfft_box_side(waves, 2); i++) row[i] = sign * value[i];
}

/* ---- Creation -------------------------------------------------------------------------------------------------------- */

/* Uploads a kernel, plane by plane, to an array for all modes. */
static mfft_status fill_modal(const mfft_open *o, int axis, char *modal) {
  const int64_t rows = mfft_box_side(&o->modes, 1), count = mfft_box_side(&o->modes, 2);
  const size_t bytes = 2 * (size_t)(rows * count) * mfft_real_bytes(o->precision);
  double *kernel = malloc((size_t)(3 * count + 1) * sizeof *kernel), *row = kernel ? kernel + count : NULL;
  char *plane = malloc(bytes + 1);
  mfft_status status = kernel && plane ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a plane of modes");
  for (int64_t x = o->modes.lo[0]; x < o->modes.hi[0] && status == MFFT_SUCCESS && bytes; x++) {
    for (int64_t y = 0; y < rows; y++) {
      load_row(o, axis, x, o->modes.lo[1] + y, kernel);
      for (int64_t i = 0; i < 2 * count; i++) row[i] = kernel[i / 2];
      mfft_row_store(o->precision, plane, 2 * y * count, 2 * count, row);
    }
    status = mfft_memory_upload(o->backend, modal + (size_t)(x - o->modes.lo[0]) * bytes, plane, bytes);
  }
  free(plane);
  free(kernel);
  return status;
}

/* Moves a kernel to the memory of a plan on a device. */
static mfft_status move_kernel(mfft_open *o, int axis) {
  mfft_open_part *part = &o->part[axis + 1];
  size_t bytes;
  mfft_status status = mfft_plan_bytes(o->plan, MFFT_OUT, &bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(o->plan, bytes, "a Green function in k-space", &part->modal);
  if (status == MFFT_SUCCESS) status = fill_modal(o, axis, part->modal);
  mfft_free(part->value);
  part->value = NULL;
  return mfft_app_agree(status);
}

static mfft_status create_part(mfft_open *o, int axis) {
  const mfft_open_kernel kernel = kernel_of(o, axis);
  mfft_open_part *part = &o->part[axis + 1];
  void *value = NULL;
  mfft_status status = mfft_app_alloc(mfft_box_cells(&part->waves), sizeof(double), "a Green function in k-space", &value);
  part->value = value;
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = mfft_open_kernel_compute(&kernel, &o->mesh, &part->waves, part->value);
  return status == MFFT_SUCCESS && o->device && !o->one_array ? move_kernel(o, axis) : status;
}

mfft_status mfft_open_begin(const mfft_open_request *request, mfft_open *o) {
  mfft_memory memory = MFFT_MEMORY_HOST;
  *o = (mfft_open){.mesh = request->mesh,
                   .kind = request->kind,
                   .gradient = request->gradient,
                   .precision = request->precision,
                   .plan = request->plan,
                   .one_array = request->one_array && request->gradient != MFFT_GRADIENT_NONE};
  mfft_status status = mfft_plan_box(o->plan, MFFT_OUT, &o->modes);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(o->plan, &o->backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(o->plan, &memory);
  o->device = memory == MFFT_MEMORY_DEVICE;
  for (int axis = -1; axis < 3 && status == MFFT_SUCCESS; axis++) {
    const mfft_open_kernel kernel = kernel_of(o, axis);
    if (!has_part(o, axis)) continue;
    status = mfft_open_kernel_check(&kernel, &o->mesh);
    o->part[axis + 1].waves = mfft_open_waves(&kernel, &o->mesh, &o->modes);
  }
  return status;
}

size_t mfft_open_making_bytes(const mfft_open *o) {
  size_t most = 0;
  for (int axis = -1; axis < 3; axis++) {
    const mfft_open_kernel kernel = kernel_of(o, axis);
    const size_t bytes = has_part(o, axis) ? mfft_open_kernel_bytes(&kernel, &o->mesh) : 0;
    if (bytes > most) most = bytes;
  }
  return most;
}

mfft_status mfft_open_bytes(const mfft_open *o, size_t *host, size_t *device) {
  size_t modal;
  const mfft_status status = mfft_plan_bytes(o->plan, MFFT_OUT, &modal);
  *host = mfft_open_making_bytes(o);
  *device = 0;
  if (status != MFFT_SUCCESS) return status;
  size_t kept = 0; /* bytes of kernels on the host at once: of all, or the most if each is moved to a device */
  for (int axis = -1; axis < 3; axis++) {
    const size_t bytes = (size_t)mfft_box_cells(&o->part[axis + 1].waves) * sizeof(double);
    if (!o->device || o->one_array)
      kept += bytes;
    else if (has_part(o, axis)) {
      kept = bytes > kept ? bytes : kept;
      *device += modal;
    }
  }
  *host += kept;
  return MFFT_SUCCESS;
}

mfft_status mfft_open_create(const void *spectrum, void *product, mfft_open *o) {
  mfft_status status = MFFT_SUCCESS;
  o->spectrum = spectrum;
  o->product = product;
  for (int axis = -1; axis < 3 && status == MFFT_SUCCESS; axis++)
    if (has_part(o, axis)) status = create_part(o, axis);
  return status;
}

void mfft_open_destroy(mfft_open *o) {
  for (int i = 0; i < MFFT_OPEN_PARTS; i++) {
    mfft_free(o->part[i].value);
    if (o->part[i].modal) mfft_memory_free(o->backend, o->part[i].modal);
  }
  memset(o, 0, sizeof *o);
}

/* ---- Outputs --------------------------------------------------------------------------------------------------------- */

/* Multiplies on the host, row by row. */
static mfft_status multiply_rows(mfft_open *o, int axis, double factor) {
  const int64_t count = mfft_box_side(&o->modes, 2);
  int64_t first = 0;
  double *kernel = malloc((size_t)(3 * count + 1) * sizeof *kernel), *row = kernel ? kernel + count : NULL;
  if (!kernel) return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for a row of the spectrum");
  for (int64_t x = o->modes.lo[0]; x < o->modes.hi[0]; x++)
    for (int64_t y = o->modes.lo[1]; y < o->modes.hi[1]; y++, first += 2 * count) {
      load_row(o, axis, x, y, kernel);
      mfft_row_load(o->precision, o->spectrum, first, 2 * count, row);
      for (int64_t i = 0; i < 2 * count; i++) row[i] *= factor * kernel[i / 2];
      mfft_row_store(o->precision, o->product, first, 2 * count, row);
    }
  free(kernel);
  return MFFT_SUCCESS;
}

mfft_status mfft_open_multiply(mfft_open *o, int axis, double factor) {
  const int part = has_part(o, axis) ? axis : -1; /* along a periodic axis the filter makes the force of phi */
  const void *modal = o->one_array ? o->product : o->part[part + 1].modal;
  if (!o->device) return multiply_rows(o, part, factor);
  const mfft_status status = o->one_array ? fill_modal(o, part, o->product) : MFFT_SUCCESS;
  return status == MFFT_SUCCESS ? mfft_plan_multiply_add(o->plan, MFFT_OUT, factor, o->spectrum, modal, 0, o->product)
                                : status;
}

mfft_filter mfft_open_filter(const mfft_open *o, int axis, double *const gradient[3]) {
  mfft_filter filter;
  mfft_filter_init(&filter);
  if (axis < 0) return filter;
  if (!has_part(o, axis)) filter.factor[axis] = gradient[axis];
  filter.scale = -1; /* force = -gradient(phi) */
  filter.quarter_turns = mfft_boundary_quarter_turns(o->mesh.boundary[axis]);
  return filter;
}
