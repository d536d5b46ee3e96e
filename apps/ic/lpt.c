/* lpt.c: see lpt.h. */
#include "ic/lpt.h"

#include <string.h>

#include "cli/progress.h"
#include "cli/report.h"
#include "mfft_array.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

int64_t mfft_lpt_fine_side(int64_t n) { return 3 * ((n + 1) / 2); }

static void free_array(const mfft_mesh_plan *plan, void *array) {
  const char *backend = NULL;
  if (array && mfft_plan_backend(plan->plan, &backend) == MFFT_SUCCESS) mfft_memory_free(backend, array);
}

void mfft_lpt_free(mfft_lpt *lpt) {
  free_array(lpt->plan, lpt->second);
  lpt->second = NULL;
}

/* ---- Derivatives ------------------------------------------------------------------------------------------------------ */

/* Tables of one axis. */
typedef struct tables {
  double *slope[3];  /* [axis][modes] k, and 0 at n/2 */
  double *square[3]; /* [axis][modes] k^2 */
  double *both[3];   /* [axis][modes] slope^2 */
} tables;

static void free_tables(tables *t) {
  for (int a = 0; a < 3; a++) mfft_free(t->slope[a]), mfft_free(t->square[a]), mfft_free(t->both[a]);
}

static mfft_status make_tables(const mfft_mesh *mesh, tables *t) {
  mfft_status status = MFFT_SUCCESS;
  memset(t, 0, sizeof *t);
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    const int64_t n = mesh->n[a], count = a == 2 ? n / 2 + 1 : n;
    status = mfft_mesh_wave_numbers(mesh, a, &t->slope[a]);
    if (status == MFFT_SUCCESS) status = mfft_app_alloc(count, sizeof(double), "wave numbers", (void **)&t->square[a]);
    if (status == MFFT_SUCCESS) status = mfft_app_alloc(count, sizeof(double), "wave numbers", (void **)&t->both[a]);
    for (int64_t i = 0; i < count && status == MFFT_SUCCESS; i++) {
      t->square[a][i] = t->slope[a][i] * t->slope[a][i];
      if (2 * i == n) t->slope[a][i] = 0;
      t->both[a][i] = t->slope[a][i] * t->slope[a][i];
    }
  }
  return mfft_app_agree(status);
}

/* Transforms modes with a filter, NULL: without. */
static mfft_status make_field(const mfft_mesh_plan *plan, const mfft_filter *filter, const void *modes, void *real) {
  mfft_status status = mfft_app_agree(mfft_plan_set_filter(plan->plan, MFFT_BACKWARD, filter));
  if (status == MFFT_SUCCESS) status = mfft_execute(plan->plan, MFFT_BACKWARD, modes, real);
  return status == MFFT_SUCCESS ? mfft_plan_synchronize(plan->plan) : status;
}

static mfft_filter over_square(const tables *t, double scale, int quarter_turns) {
  mfft_filter filter;
  mfft_filter_init(&filter);
  for (int a = 0; a < 3; a++) filter.divisor[a] = t->square[a];
  filter.scale = scale;
  filter.quarter_turns = quarter_turns;
  return filter;
}

mfft_status mfft_lpt_displacement(mfft_lpt *lpt, int order, int axis) {
  tables t;
  if (!order) return make_field(lpt->plan, NULL, lpt->plan->modes.plan, lpt->plan->real.plan);
  mfft_status status = make_tables(lpt->mesh, &t);
  /* phi = -delta / k^2: psi1 = -i k phi1, grad phi2 = i k phi2 */
  mfft_filter filter = over_square(&t, order == 1 ? 1 : 1 / lpt->ratio, order == 1 ? 1 : 3);
  filter.factor[axis] = t.slope[axis];
  if (status == MFFT_SUCCESS)
    status = make_field(lpt->plan, &filter, order == 1 ? lpt->plan->modes.plan : lpt->second, lpt->plan->real.plan);
  free_tables(&t);
  return status;
}

/* ---- The second order ------------------------------------------------------------------------------------------------ */

/* The source of phi2 from second derivatives: d00 d11 + d00 d22 + d11 d22 - d01^2 - d02^2 - d12^2. */
typedef struct building {
  mfft_mesh_plan *plan;
  tables t;
  double scale;                       /* of a derivative */
  double *field[1 + MFFT_LPT_FIELDS]; /* the plan's own, then others: the last is the source */
} building;

/* The derivative by axes a and b in a field. */
static mfft_status differentiate(const building *b, int axis, int other, double *field) {
  mfft_filter filter = over_square(&b->t, b->scale, 0);
  filter.factor[axis] = axis == other ? b->t.both[axis] : b->t.slope[axis];
  if (axis != other) filter.factor[other] = b->t.slope[other];
  return make_field(b->plan, &filter, b->plan->modes.plan, field);
}

static mfft_status add(const building *b, double alpha, const double *x, const double *y, double beta) {
  return mfft_app_agree(mfft_plan_multiply_add(b->plan->plan, MFFT_IN, alpha, x, y, beta, b->field[MFFT_LPT_FIELDS]));
}

static mfft_status build_source(const building *b) {
  static const int mixed[3][2] = {{0, 1}, {0, 2}, {1, 2}}; /* [pair][axes of the mixed derivative] */
  mfft_status status = MFFT_SUCCESS;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    mfft_progress_step(a);
    status = differentiate(b, a, a, b->field[a]);
  }
  for (int p = 0; p < 3 && status == MFFT_SUCCESS; p++)
    status = add(b, 1, b->field[mixed[p][0]], b->field[mixed[p][1]], p > 0);
  for (int p = 0; p < 3 && status == MFFT_SUCCESS; p++) {
    mfft_progress_step(3 + p);
    status = differentiate(b, mixed[p][0], mixed[p][1], b->field[0]);
    if (status == MFFT_SUCCESS) status = add(b, -1, b->field[0], b->field[0], 1);
  }
  return status;
}

/* The modes of delta on the finer mesh, the source there, and its modes on the mesh. */
static mfft_status find_second(mfft_lpt *lpt, building *b) {
  mfft_mesh_plan *fine = b->plan;
  mfft_status status = mfft_plan_copy_modes(lpt->plan->plan, lpt->plan->modes.plan, fine->plan, fine->modes.plan);
  if (status == MFFT_SUCCESS) status = build_source(b);
  if (status == MFFT_SUCCESS) status = mfft_execute(fine->plan, MFFT_FORWARD, b->field[MFFT_LPT_FIELDS], fine->modes.plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(fine->plan);
  return status == MFFT_SUCCESS ? mfft_plan_copy_modes(fine->plan, fine->modes.plan, lpt->plan->plan, lpt->second) : status;
}

mfft_status mfft_lpt_second(mfft_lpt *lpt, const mfft_plan_options *options, const mfft_sweep_options *sweep) {
  mfft_mesh fine = *lpt->mesh;
  mfft_mesh_plan plan;
  building b = {.plan = &plan};
  for (int axis = 0; axis < 3; axis++) fine.n[axis] = mfft_lpt_fine_side(fine.n[axis]);
  lpt->ratio = b.scale = mfft_mesh_cells(&fine) / mfft_mesh_cells(lpt->mesh);
  mfft_progress_start("second order", 6);
  mfft_status status = mfft_app_agree(mfft_mesh_filtered_create(&fine, options, sweep, &plan));
  b.field[0] = plan.real.plan;
  if (status == MFFT_SUCCESS) status = make_tables(&fine, &b.t);
  mfft_status allocated = status;
  for (int i = 1; i <= MFFT_LPT_FIELDS && allocated == MFFT_SUCCESS; i++)
    allocated = mfft_plan_array(plan.plan, plan.real.bytes, "a second derivative", (void **)&b.field[i]);
  if (allocated == MFFT_SUCCESS)
    allocated = mfft_plan_array(lpt->plan->plan, lpt->plan->modes.bytes, "the modes of the second order", &lpt->second);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(allocated);
  if (status == MFFT_SUCCESS) status = find_second(lpt, &b);
  for (int i = 1; i <= MFFT_LPT_FIELDS; i++) free_array(&plan, b.field[i]);
  free_tables(&b.t);
  mfft_mesh_plan_destroy(&plan);
  return status;
}
