/* lpt.c: see lpt.h. */
#include "ic/lpt.h"

#include <string.h>

#include "base/wave_number.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "ic/pad.h"
#include "mfft_memory.h"

enum { PAIR = 2 }; /* a complex number is two doubles */

static mfft_status modes_array(const mfft_mesh_plan *plan, const char *what, double **array) {
  void *made = NULL;
  const mfft_status status = mfft_app_alloc(PAIR * mfft_box_cells(&plan->modes.box), sizeof(double), what, &made);
  *array = made;
  return mfft_app_agree(status);
}

void mfft_lpt_free(mfft_lpt *lpt) {
  mfft_free(lpt->delta);
  mfft_free(lpt->second);
  lpt->delta = lpt->second = NULL;
}

/* ---- Modes to and from the arrays of a plan -------------------------------------------------------------------------- */

/* The factor of a mode: 1 for a copy, i k_axis sign / k^2 for a gradient, k_a k_b / k^2 for a second derivative of phi1. */
typedef enum factor { COPY, GRADIENT, SECOND } factor;
typedef struct pass {
  const mfft_mesh_plan *plan;
  const mfft_mesh *mesh;
  double *modes; /* [cells of the mode box][2] */
  factor factor;
  int a, b;
  double sign;
} pass;

/* Wave number of index i of an axis; in a derivative it is 0 at n/2. */
static double wave(const pass *p, int axis, int64_t i) {
  return 2 * MFFT_PI / p->mesh->length[axis] * (double)mfft_wave_number(i, p->mesh->n[axis]);
}
static double slope(const pass *p, int axis, int64_t i) { return 2 * i == p->mesh->n[axis] ? 0 : wave(p, axis, i); }

static void put_mode(const pass *p, const int64_t i[3], const double from[PAIR], double to[PAIR]) {
  const double k[3] = {wave(p, 0, i[0]), wave(p, 1, i[1]), wave(p, 2, i[2])}, k2 = k[0] * k[0] + k[1] * k[1] + k[2] * k[2];
  const double over = k2 > 0 ? 1 / k2 : 0;
  if (p->factor == GRADIENT) {
    const double f = p->sign * slope(p, p->a, i[p->a]) * over;
    to[0] = -f * from[1];
    to[1] = f * from[0];
  } else {
    const double f = p->factor == COPY ? 1 : slope(p, p->a, i[p->a]) * slope(p, p->b, i[p->b]) * over;
    to[0] = f * from[0];
    to[1] = f * from[1];
  }
}

/* Fills a part of plan->modes from p->modes. */
static mfft_status fill_part(void *context, const mfft_box *part, void *data) {
  const pass *p = context;
  const mfft_box *box = &p->plan->modes.box;
  double *to = data;
  int64_t i[3];
  for (i[0] = part->lo[0]; i[0] < part->hi[0]; i[0]++)
    for (i[1] = part->lo[1]; i[1] < part->hi[1]; i[1]++) {
      const int64_t row = (i[0] - box->lo[0]) * mfft_box_side(box, 1) + i[1] - box->lo[1];
      const double *from = p->modes + PAIR * (row * mfft_box_side(box, 2) + part->lo[2] - box->lo[2]);
      for (i[2] = part->lo[2]; i[2] < part->hi[2]; i[2]++, to += PAIR, from += PAIR) put_mode(p, i, from, to);
    }
  return MFFT_SUCCESS;
}

static mfft_status take_part(void *context, const mfft_box *part, void *data) {
  const pass *p = context;
  const mfft_box *box = &p->plan->modes.box;
  const double *from = data;
  for (int64_t x = part->lo[0]; x < part->hi[0]; x++)
    for (int64_t y = part->lo[1]; y < part->hi[1]; y++) {
      const int64_t row = (x - box->lo[0]) * mfft_box_side(box, 1) + y - box->lo[1], count = PAIR * mfft_box_side(part, 2);
      memcpy(p->modes + PAIR * (row * mfft_box_side(box, 2) + part->lo[2] - box->lo[2]), from, (size_t)count * sizeof *from);
      from += count;
    }
  return MFFT_SUCCESS;
}

static mfft_status take(mfft_mesh_plan *plan, double *modes) {
  pass p = {.plan = plan, .modes = modes};
  return mfft_app_agree(mfft_sweep(&plan->modes, MFFT_SWEEP_READS, take_part, &p));
}

/* Fills plan->modes and transforms it to plan->real. */
static mfft_status make_field(pass *p, mfft_mesh_plan *plan) {
  const mfft_status status = mfft_app_agree(mfft_sweep(&plan->modes, MFFT_SWEEP_WRITES, fill_part, p));
  return status == MFFT_SUCCESS ? mfft_mesh_transform(plan, MFFT_BACKWARD) : status;
}

mfft_status mfft_lpt_take(mfft_lpt *lpt) {
  const mfft_status status = modes_array(lpt->plan, "the modes of the density", &lpt->delta);
  return status == MFFT_SUCCESS ? take(lpt->plan, lpt->delta) : status;
}

mfft_status mfft_lpt_give(mfft_lpt *lpt) {
  pass p = {.plan = lpt->plan, .mesh = lpt->mesh, .modes = lpt->delta, .factor = COPY};
  return mfft_app_agree(mfft_sweep(&lpt->plan->modes, MFFT_SWEEP_WRITES, fill_part, &p));
}

mfft_status mfft_lpt_displacement(mfft_lpt *lpt, int order, int axis) {
  pass p = {.plan = lpt->plan, .mesh = lpt->mesh, .factor = GRADIENT, .a = axis};
  p.modes = order == 1 ? lpt->delta : lpt->second;
  p.sign = order == 1 ? 1 : -1; /* phi = -delta / k^2: psi1 = -i k phi1, grad phi2 = i k phi2 */
  return make_field(&p, lpt->plan);
}

/* ---- The second order ------------------------------------------------------------------------------------------------ */

/* State of computing the source of phi2, which takes one second derivative after another: with d0, d1, d2 on the diagonal it
 * is d0 d1 + (d0 + d1) d2 minus the squares of the other three. */
typedef struct building {
  const mfft_box *box;
  double *source, *sum; /* [cells of the real box] */
  int step;             /* 0 to 5 */
} building;
static const int derivative[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};

static mfft_status add_part(void *context, const mfft_box *part, void *data) {
  const building *b = context;
  const int64_t face = mfft_box_side(b->box, 1) * mfft_box_side(b->box, 2);
  const double *d = data;
  int64_t at = (part->lo[0] - b->box->lo[0]) * face + (part->lo[1] - b->box->lo[1]) * mfft_box_side(b->box, 2) +
               part->lo[2] - b->box->lo[2]; /* parts are whole rows in C order */
  for (int64_t i = 0, count = mfft_box_cells(part); i < count; i++, at++) {
    if (b->step == 0) {
      b->sum[at] = d[i];
    } else if (b->step == 1) {
      b->source[at] = b->sum[at] * d[i];
      b->sum[at] += d[i];
    } else {
      b->source[at] += b->step == 2 ? b->sum[at] * d[i] : -d[i] * d[i];
    }
  }
  return MFFT_SUCCESS;
}

static mfft_status give_part(void *context, const mfft_box *part, void *data) {
  const building *b = context;
  const int64_t ny = mfft_box_side(b->box, 1), nz = mfft_box_side(b->box, 2);
  const int64_t at = ((part->lo[0] - b->box->lo[0]) * ny + part->lo[1] - b->box->lo[1]) * nz + part->lo[2] - b->box->lo[2];
  memcpy(data, b->source + at, (size_t)mfft_box_cells(part) * sizeof *b->source);
  return MFFT_SUCCESS;
}

static mfft_status build_source(const mfft_mesh *fine, mfft_mesh_plan *plan, double *modes, building *b) {
  mfft_status status = MFFT_SUCCESS;
  for (b->step = 0; b->step < 6 && status == MFFT_SUCCESS; b->step++) {
    pass p = {.plan = plan, .mesh = fine, .modes = modes, .factor = SECOND};
    p.a = derivative[b->step][0];
    p.b = derivative[b->step][1];
    mfft_progress_step(b->step);
    status = make_field(&p, plan);
    if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_sweep(&plan->real, MFFT_SWEEP_READS, add_part, b));
  }
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_sweep(&plan->real, MFFT_SWEEP_WRITES, give_part, b));
  if (status == MFFT_SUCCESS) status = mfft_mesh_transform(plan, MFFT_FORWARD);
  return status == MFFT_SUCCESS ? take(plan, modes) : status;
}

mfft_status mfft_lpt_second(mfft_lpt *lpt, const mfft_plan_options *options, const mfft_sweep_options *sweep) {
  mfft_mesh fine = *lpt->mesh;
  mfft_mesh_plan plan;
  building b = {.box = &plan.real.box};
  double *modes = NULL;
  void *source = NULL, *sum = NULL;
  for (int axis = 0; axis < 3; axis++) fine.n[axis] = mfft_pad_side(fine.n[axis]);
  const double ratio = mfft_mesh_cells(&fine) / mfft_mesh_cells(lpt->mesh);
  mfft_progress_start("second order", 6);
  mfft_status status = mfft_mesh_plan_create(&fine, options, sweep, &plan);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = modes_array(&plan, "the modes of a mesh of 3/2 the side", &modes);
  if (status == MFFT_SUCCESS) {
    status = mfft_app_alloc(mfft_box_cells(b.box), sizeof(double), "the source of the second order", &source);
    if (status == MFFT_SUCCESS) status = mfft_app_alloc(mfft_box_cells(b.box), sizeof(double), "a second derivative", &sum);
    status = mfft_app_agree(status);
    b.source = source;
    b.sum = sum;
  }
  if (status == MFFT_SUCCESS)
    status = mfft_pad(lpt->mesh, &lpt->plan->modes.box, lpt->delta, &fine, &plan.modes.box, modes, 1, ratio);
  if (status == MFFT_SUCCESS) status = build_source(&fine, &plan, modes, &b);
  if (status == MFFT_SUCCESS) status = modes_array(lpt->plan, "the modes of the second order", &lpt->second);
  if (status == MFFT_SUCCESS)
    status = mfft_pad(lpt->mesh, &lpt->plan->modes.box, lpt->second, &fine, &plan.modes.box, modes, 0, 1 / ratio);
  mfft_free(modes);
  mfft_free(source);
  mfft_free(sum);
  mfft_mesh_plan_destroy(&plan);
  return status;
}
