/* probe.c: see probe.h. */
#include "estimate/probe.h"

#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/process.h"
#include "cli/report.h"
#include "gen/noise.h"
#include "io/placed.h"
#include "mfft_array.h"
#include "mfft_memory.h"

enum { SIDE = 64 };

typedef struct probe {
  const mfft_probe_work *work;
  mfft_plan plan;
  mfft_particle_mesh mesh;
  mfft_particles particles;
  void *position, *value; /* [count][3], [count] doubles */
  mfft_placed placed[2];  /* both in the memory of the plan */
  void *real, *modes;
  double deposit_s, gather_s, transform_s;
} probe;

double mfft_probe_transform(const mfft_mesh *mesh) { return mfft_mesh_cells(mesh) * fmax(1, log2(mfft_mesh_cells(mesh))); }

static mfft_status make_plan(probe *p) {
  mfft_desc desc;
  mfft_options how;
  mfft_desc_init(&desc);
  mfft_options_init(&how);
  for (int a = 0; a < 3; a++) desc.n[a] = SIDE;
  desc.kind = MFFT_R2C;
  desc.precision = p->work->precision;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.allow_destroy_input = 1;
  how.effort = MFFT_ESTIMATE;
  mfft_plan_options_apply(p->work->plan, &how);
  how.reproducible = p->work->reproducible;
  return mfft_plan_options_create(&desc, &how, &p->plan);
}

static mfft_status make_array(mfft_plan plan, mfft_side side, void **array) {
  size_t bytes;
  const mfft_status status = mfft_plan_bytes(plan, side, &bytes);
  return status == MFFT_SUCCESS ? mfft_plan_array(plan, bytes, "a small mesh", array) : status;
}

/* Numbers to transform, where no deposit makes them. */
static mfft_status fill(probe *p) {
  mfft_normal normal;
  mfft_normal_init(&normal);
  return mfft_plan_fill_normal(p->plan, MFFT_IN, &normal, p->real);
}

/* A particle somewhere in each cell of this rank. */
static mfft_status make_particles(probe *p) {
  mfft_box box;
  mfft_particles_init(&p->particles);
  mfft_status status = mfft_plan_box(p->plan, MFFT_IN, &box);
  if (status != MFFT_SUCCESS) return status;
  const int64_t count = mfft_box_cells(&box);
  status = mfft_app_alloc(count, 3 * sizeof(double), "particles", &p->position);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(count, sizeof(double), "values of particles", &p->value);
  if (status != MFFT_SUCCESS) return status;
  double *x = p->position;
  int64_t at[3]; /* [axis] */
  for (at[0] = box.lo[0]; at[0] < box.hi[0] && count; at[0]++)
    for (at[1] = box.lo[1]; at[1] < box.hi[1]; at[1]++)
      for (at[2] = box.lo[2]; at[2] < box.hi[2]; at[2]++)
        for (int a = 0; a < 3; a++, x++) *x = (double)at[a] + 0.5 + 0.99 * mfft_noise((uint64_t)(x - (double *)p->position));
  const char *device = mfft_placed_device(p->plan);
  status = mfft_placed_create(device, p->position, count, 3 * sizeof(double), "particles", &p->placed[0]);
  if (status == MFFT_SUCCESS)
    status = mfft_placed_create(device, p->value, count, sizeof(double), "values of particles", &p->placed[1]);
  if (status == MFFT_SUCCESS) status = mfft_placed_put(&p->placed[0], (size_t)count * 3 * sizeof(double));
  p->particles.count = count;
  for (int a = 0; a < 3; a++) p->particles.position[a] = (double *)p->placed[0].data + a;
  p->particles.stride = 3;
  return status;
}

static mfft_status make_mesh(probe *p) {
  mfft_particle_mesh_desc desc;
  mfft_particle_mesh_desc_init(&desc);
  for (int a = 0; a < 3; a++) desc.length[a] = SIDE;
  desc.assignment = p->work->assignment;
  desc.threads = p->work->threads;
  const mfft_status status = mfft_app_agree(make_particles(p));
  return status == MFFT_SUCCESS ? mfft_particle_mesh_create(p->plan, &desc, &p->mesh) : status;
}

/* One round; the first makes space, the second is timed. */
static mfft_status run(probe *p) {
  mfft_particle_field field;
  mfft_particle_field_init(&field);
  field.mesh = p->real;
  mfft_status status = MFFT_SUCCESS;
  const double begin = mfft_process_now();
  if (p->mesh) status = mfft_particles_deposit(p->mesh, &p->particles, &field, 1);
  const double deposited = mfft_process_now();
  if (status == MFFT_SUCCESS) status = mfft_execute(p->plan, MFFT_FORWARD, p->real, p->modes);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(p->plan);
  const double transformed = mfft_process_now();
  field.value = p->placed[1].data;
  if (status == MFFT_SUCCESS && p->mesh) status = mfft_particles_gather(p->mesh, &p->particles, &field, 1);
  p->gather_s = mfft_process_now() - transformed;
  p->transform_s = transformed - deposited;
  p->deposit_s = deposited - begin;
  return mfft_app_agree(status);
}

static void free_arrays(probe *p) {
  const char *backend = NULL;
  if (p->plan && mfft_plan_backend(p->plan, &backend) == MFFT_SUCCESS) {
    if (p->real) mfft_memory_free(backend, p->real);
    if (p->modes) mfft_memory_free(backend, p->modes);
  }
  for (int i = 0; i < 2; i++) mfft_placed_free(&p->placed[i]);
  mfft_free(p->position);
  mfft_free(p->value);
  mfft_particle_mesh_destroy(p->mesh);
  mfft_plan_destroy(p->plan);
}

mfft_status mfft_probe(const mfft_probe_work *work, double *seconds) {
  static const double cells = (double)SIDE * SIDE * SIDE;
  probe p = {.work = work};
  mfft_status status = mfft_app_agree(make_plan(&p));
  if (status == MFFT_SUCCESS && work->assignment) status = make_mesh(&p);
  if (status == MFFT_SUCCESS) status = make_array(p.plan, MFFT_IN, &p.real);
  if (status == MFFT_SUCCESS) status = make_array(p.plan, MFFT_OUT, &p.modes);
  status = mfft_app_agree(status);
  for (int round = 0; round < 2 && status == MFFT_SUCCESS; round++) {
    if (!work->assignment) status = mfft_app_agree(fill(&p));
    if (status == MFFT_SUCCESS) status = run(&p);
  }
  if (status == MFFT_SUCCESS)
    *seconds = work->deposits * mfft_app_slowest(p.deposit_s) / cells +
               work->gathers * mfft_app_slowest(p.gather_s) / cells +
               work->transforms * mfft_app_slowest(p.transform_s) / (cells * log2(cells));
  free_arrays(&p);
  return status;
}

mfft_status mfft_probe_snapshot(mfft_snapshot snapshot, unsigned types, int stored, double bytes, double *seconds) {
  enum { MOST = 64 << 20, EACH = 3 * sizeof(double) };
  int64_t first, count, all;
  void *position = NULL;
  mfft_status status = mfft_snapshot_share(snapshot, types, &first, &count, &all);
  const int64_t most = MOST / EACH / mfft_app_ranks();
  count = count < most ? count : most;
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(count, EACH, "positions", &position);
  status = mfft_app_agree(status);
  const double begin = mfft_process_now();
  if (status == MFFT_SUCCESS)
    status = mfft_snapshot_read(snapshot, types, "Coordinates", first, count, MFFT_SNAPSHOT_FLOAT64, 3, position);
  double read = (double)count * 3 * stored;
  mfft_app_reduce(&read, 1, MPI_DOUBLE, MPI_SUM, "adding up what was read");
  *seconds = mfft_app_slowest(mfft_process_now() - begin) * (read > 0 ? bytes / read : 0);
  mfft_free(position);
  return status;
}
