/* source.c: see source.h. */
#include "power/source.h"

#include <math.h>
#include <string.h>

#include "cli/phases.h"
#include "cli/progress.h"
#include "cli/report.h"
#include "io/rows.h"
#include "poisson/contrast.h"

/* ---- Opening --------------------------------------------------------------------------------------------------------- */

static mfft_status open_snapshot(const mfft_power_values *v, mfft_power_source *s) {
  double factor;
  mfft_status status = mfft_catalogue_open(s->path, &v->catalogue, &v->boxsize, &s->catalogue);
  if (status != MFFT_SUCCESS || !v->rsd) return status;
  status = mfft_catalogue_redshift_space(&s->catalogue, v->omega_m, v->omega_lambda, &factor);
  if (status == MFFT_SUCCESS) s->rsd = factor * s->catalogue.velocity / s->catalogue.to_mpc_h;
  return status;
}

mfft_status mfft_power_source_open(const char *path, const mfft_power_values *v, mfft_power_source *s) {
  memset(s, 0, sizeof *s);
  s->path = path;
  s->shot = NAN;
  if (!v->untrusted.untrusted) { /* the copies that --untrusted makes are fields */
    const mfft_status status = mfft_catalogue_probe(path, &s->particles);
    if (status != MFFT_SUCCESS) return status;
  }
  if (s->particles) return open_snapshot(v, s);
  mfft_mesh mesh;
  return mfft_input_open(path, v->dataset, &v->boxsize, &s->info, &mesh);
}

void mfft_power_source_close(mfft_power_source *s) {
  if (s->particles) mfft_catalogue_close(&s->catalogue);
  memset(s, 0, sizeof *s);
}

mfft_status mfft_power_source_mesh(const mfft_power_source *s, const mfft_power_values *v, const mfft_power_source *other,
                                   mfft_mesh *mesh) {
  mfft_cli_sizes n = v->n;
  memset(mesh, 0, sizeof *mesh); /* padding too, since meshes are compared by memcmp */
  if (!s->particles) {
    memcpy(mesh->n, s->info.n, sizeof mesh->n);
    return mfft_input_lengths(s->path, &s->info, &v->boxsize, mesh->length);
  }
  if (!n.count && other && !other->particles) {
    n.count = 3;
    memcpy(n.v, other->info.n, sizeof n.v);
  }
  *mesh = mfft_catalogue_mesh(&s->catalogue, &n);
  return MFFT_SUCCESS;
}

/* Shot noise that the file of a field states, in the unit of its own box; NAN: it does not, or the field is no contrast. */
static double field_shot(const mfft_power_source *s, const mfft_power_values *v) {
  const int contrast = v->field == MFFT_FIELD_DENSITY || !strcmp(s->info.dataset, "delta");
  return contrast && s->info.shot_noise > 0 && !v->boxsize.count ? s->info.shot_noise : NAN;
}

mfft_status mfft_power_source_window(mfft_power_source *s, const mfft_power_values *v, const mfft_power_how *how,
                                     const mfft_power_source *other) {
  const int stated = s->particles ? 0 : s->info.window_order;
  s->assign = how->assign;
  s->interlace = how->interlace;
  if (s->particles) return MFFT_SUCCESS;
  s->shot = field_shot(s, v);
  s->assign = stated ? stated : v->assign >= 0 || v->like >= 0 ? how->assign : 0;
  s->interlace = s->info.interlacing > 1 ? s->info.interlacing : 1;
  if (!stated || v->assign < 0 || v->assign == stated || (other && other->particles)) return MFFT_SUCCESS;
  return mfft_app_fail(
      MFFT_ERR_ARG,
      "--assign is not the %s by which '%s' was made, as its attribute WindowOrder says; omit the option, or "
      "give --compensate none to keep the window",
      mfft_cli_choice_name(MFFT_POWER_ASSIGNS, stated), s->path);
}

double mfft_power_redshift(const mfft_power_source *s) {
  if (s->particles) return s->catalogue.info.redshift;
  return s->info.has_redshift ? s->info.redshift : NAN;
}

/* ---- The field ------------------------------------------------------------------------------------------------------- */

typedef struct contrast {
  double mean, factor;
} contrast;

static mfft_status contrast_part(void *context, const mfft_box *part, void *data) {
  const contrast *c = context;
  double *field = data;
  for (int64_t i = 0, cells = mfft_box_cells(part); i < cells; i++) field[i] = (field[i] - c->mean) * c->factor;
  return MFFT_SUCCESS;
}

/* Computes the contrast of the field without its mean, whose rounding error would add to the modes. */
static mfft_status make_contrast(const mfft_power_source *s, const mfft_power_values *v, mfft_mesh_plan *plan) {
  contrast c = {.mean = s->stats.mean};
  mfft_status status = mfft_contrast_factor(v->field, s->path, s->stats.mean, s->stats.deviation, &c.factor);
  if (status != MFFT_SUCCESS) return status;
  return mfft_sweep(&plan->real, MFFT_SWEEP_READS | MFFT_SWEEP_WRITES, contrast_part, &c);
}

static mfft_status transform_field(mfft_power_source *s, const mfft_power_values *v, const mfft_mesh *mesh,
                                   mfft_mesh_plan *plan) {
  mfft_input_found found;
  mfft_status status = mfft_input_read(s->path, &s->info, MFFT_DOUBLE, v->allow_nonfinite, &plan->real, &found);
  if (status != MFFT_SUCCESS) return status;
  mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CONTRAST);
  status = mfft_app_agree(mfft_mesh_stats(mesh, plan, &s->stats));
  if (status == MFFT_SUCCESS) status = mfft_app_agree(make_contrast(s, v, plan));
  mfft_phase_enter(before);
  if (status != MFFT_SUCCESS) return status;
  if (mfft_row_uniform(s->info.precision, s->stats.mean, s->stats.deviation))
    mfft_app_note("the field is uniform: it varies by no more than the rounding of its values, and P(k) is their power");
  s->scale = 1 / mfft_mesh_cells(mesh);
  mfft_progress_start("transforming", 0);
  before = mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  status = mfft_mesh_transform(plan, MFFT_FORWARD);
  mfft_phase_enter(before);
  return status;
}

/* ---- The particles --------------------------------------------------------------------------------------------------- */

mfft_status mfft_power_source_transform(mfft_power_source *s, const mfft_power_values *v, int fold, const double los[3],
                                        int centered, const mfft_mesh *mesh, mfft_mesh_plan *plan) {
  if (!s->particles) return transform_field(s, v, mesh, plan);
  mfft_spread spread = {.catalogue = &s->catalogue,
                        .mesh = mesh,
                        .plan = plan,
                        .assignment = (mfft_assignment)s->assign,
                        .centered = centered,
                        .interlace = s->interlace,
                        .placement = {.fold = fold, .rsd = s->rsd}};
  memcpy(spread.placement.los, los, sizeof spread.placement.los);
  mfft_status status = s->assign > 0 ? mfft_spread_begin(&spread)
                                     : mfft_app_fail(MFFT_ERR_ARG,
                                                     "--assign none: '%s' contains particles; give ngp, cic, tsc or pcs "
                                                     "to assign them to a mesh",
                                                     s->path);
  if (status == MFFT_SUCCESS) status = mfft_spread_modes(&spread, MFFT_SPREAD_MASS);
  if (status == MFFT_SUCCESS) {
    s->scale = 1 / spread.weight;
    s->shot = mfft_mesh_volume(mesh) * spread.squares / (spread.weight * spread.weight);
  }
  mfft_spread_end(&spread);
  return status;
}
