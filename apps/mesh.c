/* mesh.c: see mesh.h. */
#include "mesh.h"

#include <math.h>
#include <string.h>

#include "report.h"

double mfft_mesh_cells(const mfft_mesh *mesh) { return (double)mesh->n[0] * (double)mesh->n[1] * (double)mesh->n[2]; }
double mfft_mesh_volume(const mfft_mesh *mesh) { return mesh->length[0] * mesh->length[1] * mesh->length[2]; }

static mfft_status allocate(const mfft_mesh *mesh, mfft_mesh_plan *p) {
  const double two_pi = 6.283185307179586476925;
  mfft_status status = mfft_twin_create(p->plan, (size_t)p->real_count * sizeof(double), "the field", &p->real_twin);
  if (status == MFFT_SUCCESS)
    status =
        mfft_twin_create(p->plan, (size_t)p->mode_count * 2 * sizeof(double), "the transform of the field", &p->mode_twin);
  p->real = p->real_twin.host;
  p->modes = p->mode_twin.host;
  for (int a = 0; a < 3 && status == MFFT_SUCCESS; a++) {
    int64_t count = p->mode_box.hi[a] - p->mode_box.lo[a];
    status = mfft_app_alloc(count, sizeof(double), "wave numbers", (void **)&p->k[a]);
    for (int64_t i = 0; status == MFFT_SUCCESS && i < count; i++)
      p->k[a][i] = two_pi * (double)mfft_wave_number(p->mode_box.lo[a] + i, mesh->n[a]) / mesh->length[a];
  }
  return status;
}

mfft_status mfft_mesh_plan_create(const mfft_mesh *mesh, const mfft_plan_options *options, mfft_mesh_plan *plan) {
  mfft_desc desc;
  mfft_status status;
  memset(plan, 0, sizeof *plan);
  mfft_desc_init(&desc);
  memcpy(desc.n, mesh->n, sizeof desc.n);
  desc.kind = MFFT_R2C;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.allow_destroy_input = 1;
  desc.effort = MFFT_ESTIMATE; /* each plan runs once or twice */
  mfft_plan_options_apply(options, &desc);
  status = mfft_plan_options_create(&desc, &plan->plan);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_IN, &plan->real_box);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_OUT, &plan->mode_box);
  if (status == MFFT_SUCCESS) status = mfft_plan_count(plan->plan, MFFT_IN, &plan->real_count);
  if (status == MFFT_SUCCESS) status = mfft_plan_count(plan->plan, MFFT_OUT, &plan->mode_count);
  if (status == MFFT_SUCCESS) status = allocate(mesh, plan);
  return status;
}

void mfft_mesh_plan_destroy(mfft_mesh_plan *plan) {
  mfft_plan_destroy(plan->plan);
  mfft_twin_destroy(&plan->real_twin);
  mfft_twin_destroy(&plan->mode_twin);
  for (int a = 0; a < 3; a++) mfft_free(plan->k[a]);
  memset(plan, 0, sizeof *plan);
}

mfft_status mfft_mesh_transform(mfft_mesh_plan *plan, mfft_direction direction) {
  const mfft_twin *from = direction == MFFT_FORWARD ? &plan->real_twin : &plan->mode_twin;
  const mfft_twin *to = direction == MFFT_FORWARD ? &plan->mode_twin : &plan->real_twin;
  mfft_status status = mfft_app_agree(mfft_twin_upload(from));
  if (status != MFFT_SUCCESS) return status;
  status = mfft_execute(plan->plan, direction, from->plan, to->plan);
  return status == MFFT_SUCCESS ? mfft_twin_download(to, plan->plan) : status;
}

int64_t mfft_box_cells(const mfft_box *box) {
  int64_t count = 1;
  for (int a = 0; a < 3; a++) count *= box->hi[a] > box->lo[a] ? box->hi[a] - box->lo[a] : 0;
  return count;
}

mfft_stats mfft_mesh_stats(const mfft_mesh *mesh, const mfft_box *box, const double *field) {
  int64_t count = mfft_box_cells(box);
  double cells = mfft_mesh_cells(mesh), sum = 0, squares = 0;
  double range[2] = {-INFINITY, -INFINITY}; /* -min, max */
  for (int64_t i = 0; i < count; i++) {
    sum += field[i];
    range[0] = fmax(range[0], -field[i]);
    range[1] = fmax(range[1], field[i]);
  }
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, range, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  double mean = sum / cells;
  for (int64_t i = 0; i < count; i++) squares += (field[i] - mean) * (field[i] - mean);
  MPI_Allreduce(MPI_IN_PLACE, &squares, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  mfft_stats stats = {mean, sqrt(squares / cells), 0 - range[0], range[1]};
  return stats;
}
