/* estimate.c: see estimate.h. */
#include "density/estimate.h"

#include <inttypes.h>

#include "base/precision.h"
#include "cli/report.h"
#include "estimate/estimate.h"
#include "estimate/probe.h"

mfft_status mfft_density_estimate(const mfft_density_values *d, int datasets, mfft_spread *s) {
  const mfft_catalogue *c = s->catalogue;
  const mfft_plan_options how = mfft_catalogue_plan_options(&d->plan);
  mfft_probe_work work = {.plan = &how, .assignment = s->assignment, .threads = s->plan->threads};
  mfft_estimate e = {.output = d->output, .read_bytes = mfft_catalogue_bytes(c, s->velocity)};
  mfft_spread_need need = {0};
  char types[128];
  e.write_bytes = datasets * mfft_mesh_cells(s->mesh) * (double)mfft_real_bytes((mfft_precision)d->precision);
  work.deposits = datasets * s->interlace * (double)c->all;
  work.transforms = s->interlace > 1 ? datasets * (s->interlace + 1) * mfft_probe_transform(s->mesh) : 0;
  mfft_status status = mfft_mesh_plan_bytes(s->plan, &d->sweep, &e.host_bytes, &e.device_bytes);
  if (status == MFFT_SUCCESS) status = mfft_spread_estimate(s, &need);
  e.particle_bytes = need.particles;
  e.ghost_bytes = need.ghosts;
  e.host_bytes += need.particles + need.ghosts + need.meshes;
  if (status == MFFT_SUCCESS)
    status =
        mfft_probe_snapshot(c->snapshot, c->types, (int)mfft_catalogue_number_bytes(c->number), e.read_bytes, &e.read_s);
  if (status == MFFT_SUCCESS) status = mfft_probe(&work, &e.work_s);
  if (status != MFFT_SUCCESS) return status;
  mfft_catalogue_name_types(c, types, sizeof types);
  mfft_app_print("%s: %" PRId64 " particles of %s on %" PRId64 "x%" PRId64 "x%" PRId64 " cells -> %s, nothing is written\n",
                 c->path, c->all, types, s->mesh->n[0], s->mesh->n[1], s->mesh->n[2], d->output);
  mfft_estimate_print_plan(s->plan->plan, how.backend, "double");
  return mfft_estimate_print(&e, "deposit");
}
