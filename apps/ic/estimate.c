/* estimate.c: see estimate.h. */
#include "ic/estimate.h"

#include <inttypes.h>
#include <math.h>

#include "base/precision.h"
#include "cli/process.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "estimate/estimate.h"
#include "ic/make.h"

/* Adds up the most memory that this rank holds at a time: the density, also on the finer mesh, the second derivatives there,
 * and the modes of the second order, in the memory of the plan; displacements and velocities, and a column of them that is
 * being written, on the host. */
static mfft_status count_memory(const mfft_ic_values *c, const mfft_mesh *mesh, const mfft_mesh_plan *plan,
                                mfft_estimate *e) {
  enum { PAIR = 2 * sizeof(double), LATTICE = 6 * sizeof(double), COLUMN = 3 * sizeof(double) };
  mfft_mesh_plan fine = {0};
  mfft_mesh padded = *mesh;
  mfft_box points, modes, fine_points;
  double host = 0, device = 0;
  mfft_status status = mfft_mesh_plan_bytes(plan, &c->sweep, &e->host_bytes, &e->device_bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_IN, &points);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_OUT, &modes);
  if (status != MFFT_SUCCESS) return status;
  const double point = (double)mfft_box_cells(&points), column = c->output ? COLUMN * point : 0;
  e->host_bytes += LATTICE * point;
  e->particle_bytes = LATTICE * point + column;
  if (!c->order) {
    e->host_bytes += column;
    return MFFT_SUCCESS;
  }
  for (int axis = 0; axis < 3; axis++) padded.n[axis] = mfft_lpt_fine_side(mesh->n[axis]);
  status = mfft_mesh_filtered_outline(&padded, &c->plan, &fine);
  if (status == MFFT_SUCCESS) status = mfft_mesh_plan_bytes(&fine, &c->sweep, &host, &device);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(fine.plan, MFFT_IN, &fine_points);
  mfft_mesh_plan_destroy(&fine);
  if (status != MFFT_SUCCESS) return status;
  const double second = PAIR * (double)mfft_box_cells(&modes);
  const double fields = MFFT_LPT_FIELDS * sizeof(double) * (double)mfft_box_cells(&fine_points);
  double *mine = e->device_bytes > 0 ? &device : &host;
  *mine += second + fields + (mfft_app_ranks() > 1 ? 0.5 * second : 0); /* a quarter of the modes moves at a time */
  e->host_bytes += fmax(host, column + (e->device_bytes > 0 ? 0 : second));
  e->device_bytes += device;
  return MFFT_SUCCESS;
}

/* Seconds of the work, from those of a lattice of 64^3. */
static mfft_status time_work(const mfft_ic_values *c, const mfft_background *background, const mfft_mesh *mesh,
                             double *seconds) {
  mfft_ic_values small = *c;
  mfft_mesh coarse = *mesh;
  mfft_mesh_plan plan;
  mfft_lattice lattice = {.mesh = &coarse};
  mfft_lpt lpt = {.mesh = &coarse, .plan = &plan};
  for (int axis = 0; axis < 3; axis++) coarse.n[axis] = mesh->n[axis] < 64 ? mesh->n[axis] : 64;
  small.density = small.linear.table = NULL;
  if (isnan(small.linear.cosmology.sigma8)) small.linear.cosmology.sigma8 = 1; /* any: the waves take as long */
  const double cells = mfft_mesh_cells(mesh), few = mfft_mesh_cells(&coarse);
  mfft_status status = mfft_app_agree(mfft_mesh_filtered_create(&coarse, &c->plan, &c->sweep, &plan));
  const double begin = mfft_process_now();
  if (status == MFFT_SUCCESS) status = mfft_ic_compute(&small, background, NULL, &lpt, &lattice);
  *seconds = mfft_app_slowest(mfft_process_now() - begin) * (cells * log2(cells)) / (few * log2(few));
  mfft_progress_end();
  mfft_lattice_free(&lattice);
  mfft_lpt_free(&lpt);
  mfft_mesh_plan_destroy(&plan);
  return status;
}

mfft_status mfft_ic_estimate(const mfft_ic_values *c, const mfft_background *background, const mfft_field_info *info,
                             const mfft_mesh *mesh, const mfft_mesh_plan *plan) {
  const double cells = mfft_mesh_cells(mesh), real = (double)mfft_real_bytes((mfft_precision)c->precision);
  const double id = cells < UINT32_MAX ? sizeof(uint32_t) : sizeof(uint64_t);
  mfft_estimate e = {.input = c->density, .output = c->output ? c->output : c->displacements};
  const char *backend;
  mfft_spectrum spectrum = {0};
  mfft_status status = c->density ? MFFT_SUCCESS : mfft_spectrum_load(&c->linear, c->redshift, mesh, &spectrum);
  mfft_spectrum_free(&spectrum);
  if (status == MFFT_SUCCESS) status = count_memory(c, mesh, plan, &e);
  if (c->density) e.read_bytes = cells * (double)mfft_real_bytes(info->precision);
  if (c->output) e.write_bytes += cells * ((6 + c->masses) * real + id);
  if (c->displacements) e.write_bytes += cells * 4 * real;
  if (status == MFFT_SUCCESS) status = time_work(c, background, mesh, &e.work_s);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(plan->plan, &backend);
  if (status != MFFT_SUCCESS) return status;
  mfft_app_print("%" PRId64 "^3 particles in %g Mpc/h -> %s, nothing is written\n", mesh->n[0], mesh->length[0], e.output);
  mfft_estimate_print_plan(plan->plan, backend, "double");
  return mfft_estimate_print(&e, "make");
}
