/* setup.c: preparation of a run of nbody from its snapshot and options, and its plan. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "catalogue/catalogue.h"
#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "io/placed.h"
#include "mesh/blocks.h"
#include "nbody/run.h"

mfft_status mfft_nbody_name(const mfft_nbody_values *v, const char *words, char name[MFFT_NBODY_NAME_BYTES]) {
  const int length = snprintf(name, MFFT_NBODY_NAME_BYTES, "%s-%s", v->output, words);
  if (length < MFFT_NBODY_NAME_BYTES) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "--output: the name has %zu bytes; give one of at most %d", strlen(v->output),
                       MFFT_NBODY_NAME_BYTES - 64);
}

/* Sets the type of the particles: of the option, or the only one in the snapshot. */
static mfft_status find_type(mfft_nbody *r) {
  const mfft_snapshot_info *info = &r->info;
  int found = 0;
  r->type = r->v->type == INT64_MIN ? -1 : (int)r->v->type;
  for (int t = 0; t < info->types && r->v->type == INT64_MIN; t++)
    if (info->count[t] > 0) {
      r->type = t;
      found++;
    }
  if (found > 1)
    return mfft_app_fail(
        MFFT_ERR_ARG, "'%s' has particles of several types; choose one by --type, such as 1 for dark matter", r->v->input);
  if (r->type < 0 || r->type >= info->types || info->count[r->type] == 0)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' has no particles of type %d; see `mergefft info %s`", r->v->input,
                         r->type < 0 ? 1 : r->type, r->v->input);
  r->all = info->count[r->type];
  return MFFT_SUCCESS;
}

static mfft_status find_units(mfft_nbody *r) {
  const mfft_snapshot_info *info = &r->info;
  const double a = info->time;
  const int in_file = info->length_mpc_h > 0 && info->velocity_km_s > 0;
  const int units = r->v->units < 0 ? MFFT_LENGTHS_AUTO : r->v->units == 0 ? MFFT_LENGTHS_MPC : MFFT_LENGTHS_KPC;
  const mfft_status status = mfft_catalogue_length_unit(r->v->input, info, units, &r->length_unit);
  if (status != MFFT_SUCCESS) return status;
  if (!in_file && r->v->units < 0)
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' does not contain its units; give the unit of its lengths by --units mpc or --units kpc",
                         r->v->input);
  if (!(a > 0 && fabs(a * (1 + info->redshift) - 1) < 1e-4))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' has Time %g and Redshift %g; Time must be the scale factor 1 / (1 + Redshift) of a "
                         "cosmological run",
                         r->v->input, a, info->redshift);
  r->velocity_unit = (in_file ? info->velocity_km_s : sqrt(a)) * a / 100; /* GADGET divides velocities by sqrt(a) */
  r->mass_unit = in_file ? info->mass_1e10_msun_h : 0;
  for (int axis = 0; axis < 3; axis++) {
    r->mesh.length[axis] = info->box_size[axis] * r->length_unit;
    if (!(r->mesh.length[axis] > 0 && isfinite(r->mesh.length[axis])))
      return mfft_app_fail(MFFT_ERR_ARG, "'%s' has a BoxSize of %g; a periodic box is needed", r->v->input,
                           info->box_size[axis]);
  }
  return MFFT_SUCCESS;
}

static mfft_status find_cosmology(mfft_nbody *r) {
  const mfft_nbody_values *v = r->v;
  mfft_cosmology c = {.omega_m = v->omega_m, .omega_lambda = v->omega_lambda};
  if (isnan(c.omega_m)) c.omega_m = r->info.has_cosmology ? r->info.omega_m : NAN;
  if (isnan(c.omega_m)) return mfft_app_fail(MFFT_ERR_ARG, "'%s' does not contain its cosmology; give --omega-m", v->input);
  if (isnan(c.omega_lambda))
    c.omega_lambda = r->info.has_cosmology && isnan(v->omega_m) ? r->info.omega_lambda : 1 - c.omega_m;
  if (mfft_background_create(&c, 0, &r->background))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "Omega_m %g with Omega_Lambda %g: the expansion of such a universe reverses between its "
                         "beginning and a = %g; choose other densities",
                         c.omega_m, c.omega_lambda, MFFT_BACKGROUND_A_MAX);
  return MFFT_SUCCESS;
}

void mfft_nbody_redshift(const mfft_nbody_schedule *s, int step, char text[MFFT_NBODY_REDSHIFT_BYTES]) {
  enum { DIGITS = 1000 };
  const double z = rint(DIGITS * mfft_schedule_redshift(s->a[step])) / DIGITS;
  snprintf(text, MFFT_NBODY_REDSHIFT_BYTES, "z%.3f", z != 0 ? z : 0); /* never -0.000 */
}

/* Checks that outputs differ in the redshifts of their file names. */
static mfft_status check_names(const mfft_nbody *r) {
  const mfft_nbody_schedule *s = &r->schedule;
  char name[2][MFFT_NBODY_REDSHIFT_BYTES] = {"", ""};
  for (int i = 0; i <= s->steps; i++) {
    if (!s->output[i]) continue;
    memcpy(name[0], name[1], sizeof name[0]);
    mfft_nbody_redshift(s, i, name[1]);
    if (!strcmp(name[0], name[1]))
      return mfft_app_fail(MFFT_ERR_ARG, "--outputs: two have the redshift %s, rounded as in file names; omit one of them",
                           name[0] + 1);
  }
  return MFFT_SUCCESS;
}

static mfft_status find_times(mfft_nbody *r) {
  const mfft_nbody_values *v = r->v;
  if (r->info.time < MFFT_BACKGROUND_A_MIN || r->info.time >= v->until)
    return mfft_app_fail(MFFT_ERR_ARG, "'%s' is at a = %g, and --until is %g; choose a later end", v->input, r->info.time,
                         v->until);
  const mfft_status status =
      mfft_schedule_create(r->info.time, v->until, (int)v->steps, v->spacing, v->outputs, &r->schedule);
  return status == MFFT_SUCCESS ? check_names(r) : status;
}

/* Default of the mesh: at least twice as many cells along a side as particles along the side of a cube, a fast length. */
static void find_mesh(mfft_nbody *r) {
  const int64_t side = mfft_next_fast_length(2 * (int64_t)ceil(cbrt((double)r->all) - 1e-9));
  for (int axis = 0; axis < 3; axis++) r->mesh.n[axis] = r->v->n.count ? r->v->n.v[axis] : side;
}

static mfft_status find_columns(mfft_nbody *r) {
  enum { MOST = 256 };
  mfft_snapshot_column column[MOST];
  int count = 0;
  const mfft_status status = mfft_snapshot_columns(r->input, r->type, column, MOST, &count);
  for (int i = 0; i < count && i < MOST && status == MFFT_SUCCESS; i++) {
    r->has_ids |= !strcmp(column[i].name, "ParticleIDs");
    r->wide |= !strcmp(column[i].name, "Coordinates") && column[i].number == MFFT_SNAPSHOT_FLOAT64;
  }
  return status;
}

mfft_status mfft_nbody_open(mfft_nbody *r) {
  mfft_snapshot_info_init(&r->info);
  mfft_status status = mfft_snapshot_open(MPI_COMM_WORLD, r->v->input, &r->input);
  if (status == MFFT_SUCCESS) status = mfft_snapshot_query(r->input, &r->info);
  if (status == MFFT_SUCCESS) status = find_type(r);
  if (status == MFFT_SUCCESS) status = find_columns(r);
  if (status == MFFT_SUCCESS) status = find_units(r);
  if (status == MFFT_SUCCESS) status = find_cosmology(r);
  if (status == MFFT_SUCCESS) status = find_times(r);
  r->stepping = &mfft_steppings[r->v->kick];
  find_mesh(r);
  return status;
}

/* Chooses the arrays of particles that the run needs. */
static void choose_arrays(mfft_nbody *r) {
  int *wants = r->bodies.wants;
  for (int axis = 0; axis < 3; axis++) {
    wants[MFFT_BODY_X + axis] = wants[MFFT_BODY_P + axis] = wants[MFFT_BODY_G + axis] = 1;
    wants[MFFT_BODY_S1 + axis] = wants[MFFT_BODY_S2 + axis] = r->stepping->with_lpt;
  }
  wants[MFFT_BODY_INDEX] = 1;
  wants[MFFT_BODY_MASS] = !(r->info.mass[r->type] > 0);
  wants[MFFT_BODY_PHI] = !r->v->no_energy;
}

int mfft_nbody_reproduces(const char *backend) { return strcmp(backend, "cuda") != 0; }

int mfft_nbody_in_place(const mfft_nbody_values *v, const char *backend) {
  return strcmp(backend, "cuda") != 0 || v->gradient == MFFT_GREEN_GRADIENT_MESH;
}

int mfft_nbody_blocks(const mfft_nbody_values *v, const char *backend) {
  return mfft_blocks_choose(v->blocks, v->gradient == MFFT_GREEN_GRADIENT_MESH, backend);
}

mfft_status mfft_nbody_plan(mfft_nbody *r) {
  mfft_desc desc;
  mfft_options options;
  mfft_particle_mesh_desc geometry;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  mfft_particle_mesh_desc_init(&geometry);
  memcpy(desc.n, r->mesh.n, sizeof desc.n);
  desc.kind = MFFT_R2C;
  desc.precision = r->v->precision ? MFFT_SINGLE : MFFT_DOUBLE;
  desc.order = MFFT_ORDER_TRANSPOSED;
  desc.filtered = 1u << MFFT_BACKWARD;
  options.effort = MFFT_ESTIMATE;
  mfft_plan_options_apply(&r->v->plan, &options);
  if (!options.backend) options.backend = "fftw"; /* where a run has the same bits on any number of ranks */
  options.reproducible = mfft_nbody_reproduces(options.backend);
  if (mfft_nbody_in_place(r->v, options.backend)) { /* the mesh shares its arrays with the plan */
    desc.placement = MFFT_IN_PLACE;
    options.user_workspace = 1;
    options.late_window = mfft_nbody_blocks(r->v, options.backend) > 0; /* the plan transforms densities alone, if at all */
  }
  mfft_status status = mfft_plan_options_create(&desc, &options, &r->plan);
  memcpy(geometry.length, r->mesh.length, sizeof geometry.length);
  geometry.assignment = (mfft_assignment)(r->v->assign + 1);
  geometry.threads = (int)r->v->plan.threads;
  geometry.blocks = mfft_nbody_blocks(r->v, options.backend);
  if (status == MFFT_SUCCESS) status = mfft_particle_mesh_create(r->plan, &geometry, &r->particle_mesh);
  choose_arrays(r);
  if (status == MFFT_SUCCESS) r->bodies.device = mfft_placed_device(r->plan);
  return status;
}

void mfft_nbody_close(mfft_nbody *r) {
  mfft_bodies_free(&r->bodies);
  mfft_particle_mesh_destroy(r->particle_mesh);
  mfft_plan_destroy(r->plan);
  mfft_energy_free(&r->energy);
  mfft_schedule_free(&r->schedule);
  mfft_background_free(&r->background);
  mfft_snapshot_close(&r->input);
  mfft_field_abandon(&r->owned);
}
