/* estimate.c: see estimate.h. */
#include "power/estimate.h"

#include <inttypes.h>
#include <string.h>

#include "estimate/estimate.h"
#include "estimate/probe.h"
#include "io/rows.h"

/* Adds what a source reads and does; *need: what it holds beside the plan and its arrays. */
static mfft_status add_source(const mfft_power_job *j, const mfft_power_result *r, const mfft_power_source *s,
                              mfft_mesh_plan *plan, mfft_probe_work *work, mfft_estimate *e, mfft_spread_need *need) {
  const mfft_catalogue *c = &s->catalogue;
  mfft_spread spread = {.catalogue = c, .mesh = &j->mesh, .plan = plan, .assignment = (mfft_assignment)s->assign};
  double bytes, seconds;
  *need = (mfft_spread_need){0};
  if (!s->particles) {
    bytes = mfft_mesh_cells(&j->mesh) * (double)mfft_real_bytes(s->info.precision) * r->how.folds;
    mfft_estimate file = {.input = s->path, .read_bytes = bytes};
    const mfft_status status = mfft_estimate_time_files(&file);
    e->read_bytes += bytes;
    e->read_s += file.read_s;
    work->transforms += r->how.folds * mfft_probe_transform(&j->mesh);
    return status;
  }
  spread.interlace = s->interlace;
  spread.placement = (mfft_particle_placement){.fold = 1, .rsd = s->rsd};
  work->assignment = spread.assignment;
  work->threads = plan->threads;
  work->deposits += (double)r->how.folds * s->interlace * (double)c->all;
  work->transforms += (double)r->how.folds * s->interlace * mfft_probe_transform(&j->mesh);
  /* Particles are read for each folding, and for each mesh where they are shifted. */
  bytes = mfft_catalogue_bytes(c, s->rsd != 0) * r->how.folds * (s->interlace > 2 ? s->interlace : 1);
  mfft_status status = mfft_spread_estimate(&spread, need);
  mfft_spread_end(&spread);
  if (status == MFFT_SUCCESS)
    status = mfft_probe_snapshot(c->snapshot, c->types, (int)mfft_catalogue_number_bytes(c->number), bytes, &seconds);
  if (status != MFFT_SUCCESS) return status;
  e->read_bytes += bytes;
  e->read_s += seconds;
  return MFFT_SUCCESS;
}

static void print_inputs(const mfft_power_job *j, const mfft_power_result *r) {
  const mfft_power_source *s = &r->source[0];
  if (s->particles)
    mfft_app_print("%s: %" PRId64 " particles on %" PRId64 "x%" PRId64 "x%" PRId64 " cells, nothing is measured\n", j->input,
                   s->catalogue.all, j->mesh.n[0], j->mesh.n[1], j->mesh.n[2]);
  else
    mfft_app_print("%s: %s %" PRId64 "x%" PRId64 "x%" PRId64 ", nothing is measured\n", j->input, s->info.dataset,
                   j->mesh.n[0], j->mesh.n[1], j->mesh.n[2]);
}

static mfft_status estimate(const mfft_power_job *j, const mfft_power_result *r, const mfft_plan_options *how,
                            mfft_mesh_plan *plan) {
  enum { PAIR = 2 * sizeof(double) };
  mfft_probe_work work = {.plan = how};
  mfft_estimate e = {0};
  mfft_box modes;
  const char *backend;
  double most = 0;
  mfft_status status = mfft_mesh_plan_bytes(plan, &j->p->sweep, &e.host_bytes, &e.device_bytes);
  if (status == MFFT_SUCCESS) status = mfft_plan_box(plan->plan, MFFT_OUT, &modes);
  if (status == MFFT_SUCCESS) status = mfft_plan_backend(plan->plan, &backend);
  for (int i = 0; i < r->sources && status == MFFT_SUCCESS; i++) {
    mfft_spread_need need;
    status = add_source(j, r, &r->source[i], plan, &work, &e, &need);
    if (i) need.meshes += (double)mfft_box_cells(&modes) * PAIR; /* the modes of the first source */
    const double held = need.particles + need.ghosts + need.meshes;
    if (held < most) continue;
    most = held;
    e.particle_bytes = need.particles;
    e.ghost_bytes = need.ghosts;
  }
  e.host_bytes += most;
  if (status == MFFT_SUCCESS) status = mfft_probe(&work, &e.work_s);
  if (status != MFFT_SUCCESS) return status;
  print_inputs(j, r);
  mfft_estimate_print_plan(plan->plan, backend, "double");
  return mfft_estimate_print(&e, "measure");
}

mfft_status mfft_power_estimate(const mfft_power_job *j, const mfft_power_result *r) {
  const int particles = r->source[0].particles || r->source[r->sources - 1].particles;
  const mfft_plan_options how = particles ? mfft_catalogue_plan_options(&j->p->plan) : j->p->plan;
  mfft_mesh_plan plan;
  mfft_status status = mfft_mesh_plan_outline(&j->mesh, &how, &plan);
  if (status == MFFT_SUCCESS) status = mfft_field_threads(MPI_COMM_WORLD, &plan.threads);
  if (status == MFFT_SUCCESS) status = estimate(j, r, &how, &plan);
  mfft_mesh_plan_destroy(&plan);
  return status;
}
