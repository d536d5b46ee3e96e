/* mesh.c: see mesh.h. */
#include "mesh/mesh.h"

#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/report.h"
#include "io/rows.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"

double mfft_mesh_cells(const mfft_mesh *mesh) { return (double)mesh->n[0] * (double)mesh->n[1] * (double)mesh->n[2]; }
double mfft_mesh_volume(const mfft_mesh *mesh) { return mesh->length[0] * mesh->length[1] * mesh->length[2]; }

static mfft_status allocate(const mfft_mesh *mesh, double part_mib, mfft_mesh_plan *p) {
  const double two_pi = 6.283185307179586476925;
  mfft_status status = mfft_swept_create(p->plan, MFFT_IN, part_mib, 0, "the field", &p->real);
  if (status == MFFT_SUCCESS)
    status = mfft_swept_create(p->plan, MFFT_OUT, part_mib, 0, "the transform of the field", &p->modes);
  const mfft_box *box = &p->modes.box;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    int64_t count = box->hi[a] - box->lo[a];
    status = mfft_app_alloc(count, sizeof(double), "wave numbers", (void **)&p->k[a]);
    for (int64_t i = 0; status == MFFT_SUCCESS && i < count; i++)
      p->k[a][i] = two_pi * (double)mfft_wave_number(box->lo[a] + i, mesh->n[a]) / mesh->length[a];
  }
  return status;
}

mfft_status mfft_mesh_plan_create(const mfft_mesh *mesh, const mfft_plan_options *options, const mfft_sweep_options *sweep,
                                  mfft_mesh_plan *plan) {
  mfft_desc desc;
  mfft_options how;
  mfft_status status;
  memset(plan, 0, sizeof *plan);
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  memcpy(desc.n, mesh->n, sizeof desc.n);
  desc.kind = MFFT_R2C;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.allow_destroy_input = 1;
  how.effort = MFFT_ESTIMATE; /* each plan runs once or twice */
  mfft_plan_options_apply(options, &how);
  status = mfft_plan_options_create(&desc, &how, &plan->plan);
  return status == MFFT_SUCCESS ? allocate(mesh, sweep->part_mib, plan) : status;
}

void mfft_mesh_plan_destroy(mfft_mesh_plan *plan) {
  mfft_plan_destroy(plan->plan);
  mfft_swept_destroy(&plan->real);
  mfft_swept_destroy(&plan->modes);
  for (int a = 0; a < 3; a++) mfft_free(plan->k[a]);
  memset(plan, 0, sizeof *plan);
}

mfft_status mfft_mesh_transform(mfft_mesh_plan *plan, mfft_direction direction) {
  const int forward = direction == MFFT_FORWARD;
  mfft_status status = mfft_execute(plan->plan, direction, forward ? plan->real.plan : plan->modes.plan,
                                    forward ? plan->modes.plan : plan->real.plan);
  return status == MFFT_SUCCESS ? mfft_plan_synchronize(plan->plan) : status;
}

typedef struct moments {
  mfft_exact_sum sum, squares; /* of the values, and of the squares of what remains without the mean */
  double mean, rest;           /* the mean is their sum */
  double range[2];             /* -min, max */
  double *row;                 /* [cells of a row] */
} moments;

static mfft_status add_values(void *context, const mfft_box *part, void *data) {
  moments *m = context;
  const double *field = data;
  const int64_t count = mfft_box_cells(part);
  mfft_exact_add(&m->sum, field, count);
  for (int64_t i = 0; i < count; i++) {
    m->range[0] = fmax(m->range[0], -field[i]);
    m->range[1] = fmax(m->range[1], field[i]);
  }
  return MFFT_SUCCESS;
}

static mfft_status add_squares(void *context, const mfft_box *part, void *data) {
  moments *m = context;
  const double *field = data;
  const int64_t side = mfft_box_side(part, 2), rows = mfft_box_side(part, 0) * mfft_box_side(part, 1);
  for (int64_t r = 0; r < rows; r++) {
    for (int64_t i = 0; i < side; i++) m->row[i] = (field[r * side + i] - m->mean) - m->rest;
    const double square = mfft_row_dot(m->row, m->row, side);
    mfft_exact_add(&m->squares, &square, 1);
  }
  return MFFT_SUCCESS;
}

static mfft_status find_moments(const mfft_mesh *mesh, mfft_mesh_plan *plan, moments *m) {
  const double cells = mfft_mesh_cells(mesh);
  mfft_status status = mfft_app_agree(mfft_sweep(&plan->real, MFFT_SWEEP_READS, add_values, m));
  if (status != MFFT_SUCCESS) return status;
  mfft_exact_gather(&m->sum);
  mfft_app_reduce(m->range, 2, MPI_DOUBLE, MPI_MAX, "the range of the field");
  m->mean = mfft_exact_mean(&m->sum, cells, &m->rest);
  status = mfft_app_agree(mfft_sweep(&plan->real, MFFT_SWEEP_READS, add_squares, m));
  if (status == MFFT_SUCCESS) mfft_exact_gather(&m->squares);
  return status;
}

mfft_status mfft_mesh_stats(const mfft_mesh *mesh, mfft_mesh_plan *plan, mfft_stats *stats) {
  moments m = {.range = {-INFINITY, -INFINITY}};
  void *row = NULL;
  mfft_status status =
      mfft_app_agree(mfft_app_alloc(mfft_box_side(&plan->real.box, 2), sizeof(double), "a row of the field", &row));
  m.row = row;
  if (status == MFFT_SUCCESS) status = find_moments(mesh, plan, &m);
  mfft_free(row);
  if (status != MFFT_SUCCESS) return status;
  const double squares = mfft_exact_value(&m.squares, NULL), deviation = sqrt(squares / mfft_mesh_cells(mesh));
  *stats = (mfft_stats){m.mean, deviation, 0 - m.range[0], 0 + m.range[1]};
  const int held = isnormal(squares) || stats->min == stats->max; /* a sum of squares that has all its digits */
  if (isfinite(stats->mean) && isfinite(stats->deviation) && held) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_NONFINITE,
                       "the field, from %.3g to %.3g, has mean %.3g and standard deviation %.3g, whose squares double "
                       "precision cannot hold; choose other units",
                       stats->min, stats->max, stats->mean, stats->deviation);
}
