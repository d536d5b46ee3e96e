/* slab.c: see slab.h. */
#include "show/slab.h"

#include <math.h>
#include <string.h>

#include "catalogue/owned.h"
#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/sweep.h"
#include "mfft_field.h"
#include "mfft_memory.h"

/* A mesh of one cell along the line of sight, so that assignment to it is a projection. */
static mfft_mesh make_mesh(const mfft_catalogue *c, const mfft_slab *slab, const mfft_plane *plane) {
  enum { LEAST = 64, MOST = 1024, IN_A_PIXEL = 2 };
  const double across[2] = {c->length[plane->horizontal], c->length[plane->vertical]}, longer = fmax(across[0], across[1]);
  const double share = slab->thickness / c->unit / c->length[slab->axis];
  double cells = (double)slab->cells;
  mfft_mesh mesh = mfft_catalogue_mesh(c, NULL);
  if (!slab->cells)
    cells = rint(fmin(MOST, fmax(LEAST, sqrt((double)c->all * share / IN_A_PIXEL * longer / fmin(across[0], across[1])))));
  mesh.n[slab->axis] = 1;
  mesh.n[plane->horizontal] = (int64_t)fmax(1, rint(cells * across[0] / longer));
  mesh.n[plane->vertical] = (int64_t)fmax(1, rint(cells * across[1] / longer));
  return mesh;
}

/* Computes the weights: mass of a particle in the slab, 0 for others, divided by the mean mass of a cell of the slab. */
static mfft_status weigh(const mfft_catalogue *c, const mfft_slab *slab, const mfft_owned *owned, void **weight) {
  const int64_t count = owned->particles.count;
  const int single = c->number == MFFT_SNAPSHOT_FLOAT32;
  const double length = c->length[slab->axis], middle = slab->middle / c->unit, half = slab->thickness / c->unit / 2;
  const mfft_status status = mfft_app_alloc(count, sizeof(double), "weights", weight);
  double *value = *weight;
  for (int64_t i = 0; status == MFFT_SUCCESS && i < count; i++) {
    const int64_t at = 3 * i + slab->axis;
    const double x = single ? (double)((float *)owned->position)[at] : ((double *)owned->position)[at];
    const double from = fmod(x - middle, length), off = fabs(from - length * rint(from / length));
    value[i] = off <= half ? (owned->mass ? owned->mass[i] : 1) : 0;
  }
  return mfft_app_agree(status);
}

/* Adds up the masses of all particles, for the mean.  Collective. */
static mfft_status add_masses(const mfft_catalogue *c, const mfft_owned *owned, double *sum) {
  *sum = (double)c->all;
  if (mfft_catalogue_equal_masses(c)) return MFFT_SUCCESS;
  *sum = 0;
  for (int64_t i = 0; i < owned->particles.count; i++) *sum += owned->mass[i];
  mfft_app_reduce(sum, 1, MPI_DOUBLE, MPI_SUM, "adding up masses");
  return mfft_catalogue_check_total(c, *sum);
}

/* Gathers the cells of all ranks on rank 0, times `factor`. */
static void gather_plane(const mfft_box *box, const double *cell, double factor, mfft_plane *plane) {
  int64_t at[3]; /* [axis] */
  for (int more = mfft_box_first(box, at); more; more = mfft_box_next(box, at))
    plane->value[at[plane->vertical] * plane->nh + at[plane->horizontal]] = factor * *cell++;
  mfft_app_reduce_to_root(plane->value, plane->nh * plane->nv, MPI_DOUBLE, MPI_SUM, "combining the parts of the picture");
}

static mfft_status project(const mfft_catalogue *c, const mfft_slab *slab, const mfft_mesh *mesh, mfft_mesh_plan *plan,
                           mfft_particle_mesh particle_mesh, mfft_plane *plane) {
  const mfft_particle_placement here = {.fold = 1};
  mfft_owned owned = {0};
  void *weight = NULL;
  double total = 0;
  mfft_particle_field field;
  mfft_status status = mfft_owned_load(c, mesh, plan->plan, particle_mesh, &here, 0, &owned);
  if (status == MFFT_SUCCESS) status = weigh(c, slab, &owned, &weight);
  if (status == MFFT_SUCCESS) status = add_masses(c, &owned, &total);
  mfft_particle_field_init(&field);
  field.mesh = plan->real.plan;
  field.value = weight;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_DEPOSIT);
  if (status == MFFT_SUCCESS) status = mfft_particles_deposit(particle_mesh, &owned.particles, &field, 1);
  mfft_phase_enter(before);
  if (status == MFFT_SUCCESS) {
    const double share = slab->thickness / c->unit / c->length[slab->axis];
    gather_plane(&plan->real.box, plan->real.plan, mfft_mesh_cells(mesh) / (total * share), plane);
  }
  mfft_free(weight);
  mfft_owned_free(&owned);
  return status;
}

mfft_status mfft_slab_read(const mfft_catalogue *c, const mfft_slab *slab, const mfft_plan_options *options,
                           mfft_plane *plane) {
  static const int others[3][2] = {{1, 2}, {0, 2}, {0, 1}}; /* [line of sight]{horizontal, vertical} */
  static const mfft_sweep_options sweep = {.part_mib = 32};
  const mfft_plan_options how = mfft_catalogue_plan_options(options);
  mfft_particle_mesh_desc desc;
  mfft_particle_mesh particle_mesh = NULL;
  mfft_mesh_plan plan;
  memset(plane, 0, sizeof *plane);
  memset(&plan, 0, sizeof plan);
  plane->horizontal = others[slab->axis][0];
  plane->vertical = others[slab->axis][1];
  const mfft_mesh mesh = make_mesh(c, slab, plane);
  plane->nh = mesh.n[plane->horizontal];
  plane->nv = mesh.n[plane->vertical];
  mfft_particle_mesh_desc_init(&desc);
  memcpy(desc.length, c->length, sizeof desc.length);
  mfft_status status = mfft_app_alloc(plane->nh * plane->nv, sizeof(double), "the picture plane", (void **)&plane->value);
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) {
    memset(plane->value, 0, (size_t)(plane->nh * plane->nv) * sizeof *plane->value);
    status = mfft_mesh_plan_create(&mesh, &how, &sweep, &plan);
  }
  if (status == MFFT_SUCCESS) status = mfft_field_threads(MPI_COMM_WORLD, &desc.threads);
  if (status == MFFT_SUCCESS) status = mfft_particle_mesh_create(plan.plan, &desc, &particle_mesh);
  if (status == MFFT_SUCCESS) status = project(c, slab, &mesh, &plan, particle_mesh, plane);
  mfft_particle_mesh_destroy(particle_mesh);
  mfft_mesh_plan_destroy(&plan);
  return status;
}
