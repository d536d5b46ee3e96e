/* wall.c: see wall.h. */
#include "poisson/wall.h"

#include <string.h>

#include "base/precision.h"
#include "cli/collective.h"
#include "cli/plan_options.h"
#include "cli/report.h"
#include "io/sweep.h"
#include "mfft_memory.h"

int mfft_walls_wanted(const mfft_boundary boundary[3], int gradient) {
  return gradient && (mfft_boundary_wall(boundary[0]) || mfft_boundary_wall(boundary[1]) || mfft_boundary_wall(boundary[2]));
}

/* ---- Planning -------------------------------------------------------------------------------------------------------- */

/* Finds what is moved so that index j of the derivative has the wave number of index j + step of phi. */
static void plan_shift(const mfft_box *modes, int64_t n, int axis, int step, mfft_walls *w) {
  mfft_wall *wall = &w->axis[axis];
  const int64_t lo = modes->lo[axis] + step, hi = modes->hi[axis] + step;
  const int there = mfft_box_cells(modes) > 0;
  wall->split = mfft_app_anywhere(there && mfft_box_side(modes, axis) < n);
  if (wall->split && there && lo >= 0 && hi <= n) {
    wall->from = *modes;
    wall->from.lo[axis] = lo;
    wall->from.hi[axis] = hi;
  } else if (there) {
    size_t bytes = w->element_bytes; /* of a stride of the axis */
    for (int i = 2; modes->order[i] != axis; i--) bytes *= (size_t)mfft_box_side(modes, modes->order[i]);
    wall->offset = step * (int64_t)bytes;
    w->margin = bytes > w->margin ? bytes : w->margin;
  }
}

/* Makes the plan of the force along an axis, on the boxes and the grid of the main plan. */
static mfft_status create_plan(const mfft_desc *desc, const mfft_options *how, mfft_boundary derivative, mfft_plan main,
                               int axis, mfft_walls *w) {
  mfft_desc d = *desc;
  mfft_options o = *how;
  mfft_box box[2]; /* [side] */
  mfft_status status = mfft_plan_box(main, MFFT_IN, &box[MFFT_IN]);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(main, MFFT_OUT, &box[MFFT_OUT]);
  if (status == MFFT_SUCCESS) status = mfft_plan_grid(main, o.grid);
  if (status != MFFT_SUCCESS) return status;
  d.axis_kind[axis] = mfft_boundary_transform(derivative);
  d.in_box = &box[MFFT_IN];
  d.out_box = &box[MFFT_OUT];
  d.allow_destroy_input = 0; /* the spectrum makes other outputs */
  o.backend = w->backend;
  status = mfft_plan_options_create(&d, &o, &w->axis[axis].plan);
  if (status != MFFT_SUCCESS) return status;
  /* The first index of a basis has wave number 0 or 1. */
  const int step = (int)(mfft_boundary_mode(derivative, 0) - mfft_boundary_mode(mfft_boundary_derivative(derivative), 0));
  plan_shift(&box[MFFT_OUT], desc->n[axis], axis, step, w);
  return MFFT_SUCCESS;
}

mfft_status mfft_walls_create(const mfft_desc *desc, const mfft_options *how, const mfft_boundary boundary[3],
                              mfft_plan main, mfft_walls *w) {
  mfft_memory memory = MFFT_MEMORY_HOST;
  memset(w, 0, sizeof *w);
  w->element_bytes = (desc->kind == MFFT_R2R ? 1 : 2) * mfft_real_bytes(desc->precision);
  mfft_status status = mfft_plan_backend(main, &w->backend);
  if (status == MFFT_SUCCESS) status = mfft_plan_memory(main, &memory);
  w->device = memory == MFFT_MEMORY_DEVICE;
  if (status == MFFT_SUCCESS) status = mfft_plan_workspace_bytes(main, &w->work_bytes);
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    size_t bytes = 0;
    if (!mfft_boundary_wall(boundary[a])) continue;
    status = create_plan(desc, how, mfft_boundary_derivative(boundary[a]), main, a, w);
    if (status == MFFT_SUCCESS) status = mfft_plan_workspace_bytes(w->axis[a].plan, &bytes);
    w->work_bytes = bytes > w->work_bytes ? bytes : w->work_bytes;
  }
  return mfft_app_agree(status);
}

mfft_status mfft_walls_bytes(const mfft_walls *w, mfft_plan main, size_t *bytes) {
  size_t work, window;
  mfft_status status = mfft_plan_workspace_bytes(main, &work);
  *bytes = 2 * w->margin + w->work_bytes - work;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    if (!w->axis[a].plan) continue;
    status = mfft_plan_window_bytes(w->axis[a].plan, &window);
    *bytes += window + (size_t)mfft_box_cells(&w->axis[a].from) * w->element_bytes;
  }
  return status;
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------------- */

/* Allocates the spectrum with its margins, which are 0. */
static mfft_status allocate_spectrum(mfft_walls *w, mfft_plan main, void **spectrum) {
  void *zero = NULL;
  size_t out;
  mfft_status status = mfft_plan_bytes(main, MFFT_OUT, &out);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(main, out + 2 * w->margin, "the spectrum", &w->array);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc((int64_t)w->margin, 1, "the margin of the spectrum", &zero);
  if (status == MFFT_SUCCESS) {
    memset(zero, 0, w->margin);
    status = mfft_memory_upload(w->backend, w->array, zero, w->margin);
    if (status == MFFT_SUCCESS) status = mfft_memory_upload(w->backend, (char *)w->array + w->margin + out, zero, w->margin);
    *spectrum = (char *)w->array + w->margin;
  }
  mfft_free(zero);
  return status;
}

/* Makes the exchange of a shift, and its target. */
static mfft_status create_exchange(mfft_walls *w, const mfft_options *how, mfft_plan main, mfft_wall *wall) {
  mfft_exchange_desc desc;
  mfft_exchange_options options;
  void *window = NULL;
  mfft_exchange_desc_init(&desc);
  mfft_exchange_options_init(&options);
  desc.element_bytes = (int64_t)w->element_bytes;
  desc.to = wall->from;
  options.transport = how->transport;
  if (w->device) options.backend = w->backend;
  mfft_status status = mfft_app_agree(mfft_plan_box(main, MFFT_OUT, &desc.from));
  if (status == MFFT_SUCCESS) status = mfft_exchange_create(MPI_COMM_WORLD, &desc, &options, &wall->exchange);
  if (status == MFFT_SUCCESS) status = mfft_exchange_window(wall->exchange, &window);
  if (status == MFFT_SUCCESS && !window)
    status =
        mfft_plan_array(main, (size_t)mfft_box_cells(&wall->from) * w->element_bytes, "the shifted spectrum", &wall->moved);
  return mfft_app_agree(status);
}

mfft_status mfft_walls_allocate(mfft_walls *w, const mfft_options *how, mfft_plan main, void **spectrum) {
  void *work = NULL;
  mfft_status status = allocate_spectrum(w, main, spectrum);
  if (status == MFFT_SUCCESS) status = mfft_plan_array(main, w->work_bytes, "the workspace", &work);
  w->work = work;
  if (status == MFFT_SUCCESS) status = mfft_plan_set_workspace(main, work, w->work_bytes);
  status = mfft_app_agree(status);
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    mfft_wall *wall = &w->axis[a];
    if (!wall->plan) continue;
    status = mfft_plan_set_workspace(wall->plan, work, w->work_bytes);
    if (status == MFFT_SUCCESS && wall->split) status = create_exchange(w, how, main, wall);
  }
  return mfft_app_agree(status);
}

void mfft_walls_destroy(mfft_walls *w) {
  for (int a = 0; a < 3; a++) {
    mfft_exchange_destroy(w->axis[a].exchange);
    mfft_plan_destroy(w->axis[a].plan);
    if (w->axis[a].moved) mfft_memory_free(w->backend, w->axis[a].moved);
  }
  if (w->work) mfft_memory_free(w->backend, w->work);
  if (w->array) mfft_memory_free(w->backend, w->array);
  memset(w, 0, sizeof *w);
}

mfft_status mfft_wall_shift(const mfft_wall *wall, void *spectrum, void **shifted) {
  void *target = wall->moved;
  mfft_status status = MFFT_SUCCESS;
  *shifted = (char *)spectrum + wall->offset;
  if (!wall->exchange) return status;
  if (!target) status = mfft_exchange_window(wall->exchange, &target);
  if (status == MFFT_SUCCESS) status = mfft_exchange_execute(wall->exchange, spectrum, target);
  if (status == MFFT_SUCCESS) status = mfft_exchange_synchronize(wall->exchange);
  if (mfft_box_cells(&wall->from)) *shifted = target;
  return mfft_app_agree(status);
}
