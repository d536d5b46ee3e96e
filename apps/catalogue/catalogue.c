/* catalogue.c: see catalogue.h. */
#include "catalogue/catalogue.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/phases.h"
#include "cli/report.h"
#include "mfft_memory.h"

const mfft_cli_option mfft_catalogue_options_table[] = {
    {"type", 0, MFFT_CLI_TEXT, offsetof(mfft_catalogue_options, types), "LIST",
     .help = "types of the particles of a snapshot, such as 1 or 0,1,4; default: all"},
    {"units", 0, MFFT_CLI_CHOICE, offsetof(mfft_catalogue_options, units), "UNIT",
     "unit of length of a snapshot.  auto: as in the file, results in Mpc/h; stored: results in the unit of the file; mpc, "
     "kpc: of a file that does not state it, Mpc/h or kpc/h, results in Mpc/h, and velocities as in GADGET, in km/s over "
     "sqrt(a)",
     .fallback = "auto", .choices = "auto|stored|mpc|kpc"},
    {"unweighted", 0, MFFT_CLI_FLAG, offsetof(mfft_catalogue_options, unweighted), NULL,
     .help = "count every particle of a snapshot as a mass of 1, whatever its mass; for galaxies and others without masses"},
    {0}};

mfft_status mfft_catalogue_probe(const char *path, int *is) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_OPEN);
  const mfft_status status = mfft_snapshot_probe(MPI_COMM_WORLD, path, is);
  mfft_phase_enter(before);
  return status;
}

/* ---- Opening --------------------------------------------------------------------------------------------------------- */

static mfft_status choose_types(const char *list, mfft_catalogue *c) {
  const mfft_snapshot_info *info = &c->info;
  for (const char *at = list; at;) {
    char *end;
    const long type = strtol(at, &end, 10);
    if (end == at || (*end && *end != ',') || type < 0 || type >= MFFT_SNAPSHOT_TYPES)
      return mfft_app_fail(MFFT_ERR_ARG, "--type %s must be a list of types of particles, such as 1 or 0,1,4", list);
    if (type >= info->types || info->count[type] == 0)
      return mfft_app_fail(MFFT_ERR_ARG, "--type %s: '%s' has no particles of type %ld; `mergefft info` lists its types",
                           list, c->path, type);
    c->types |= 1u << type;
    at = *end ? end + 1 : NULL;
  }
  for (int type = 0; type < info->types && !list; type++)
    if (info->count[type] > 0) c->types |= 1u << type;
  return c->types ? MFFT_SUCCESS : mfft_app_fail(MFFT_ERR_ARG, "'%s' contains no particles; give another snapshot", c->path);
}

/* Refuses a header whose Time and Redshift are of two epochs, since some results have the one and some the other.  In a run
 * without expansion Redshift is 0 and Time any; a Time of 0 is that of writers who do not state it. */
static mfft_status check_epoch(const mfft_catalogue *c) {
  const double a = c->info.time, z = c->info.redshift;
  if (z == 0 || a == 0 || fabs(a * (1 + z) - 1) <= 1e-3) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "'%s' has Time %g and Redshift %g; Time must be the scale factor 1 / (1 + Redshift), or Redshift 0 "
                       "for a run without expansion: correct its header",
                       c->path, a, z);
}

mfft_status mfft_catalogue_length_unit(const char *path, const mfft_snapshot_info *info, int units, double *to_mpc_h) {
  const double stated = info->length_mpc_h, given = units == MFFT_LENGTHS_MPC ? 1 : units == MFFT_LENGTHS_KPC ? 1e-3 : 0;
  *to_mpc_h = stated > 0 ? stated : given;
  if (!(given > 0) || fabs(*to_mpc_h / given - 1) < 1e-6) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "--units %s: '%s' states that its unit of length is %g Mpc/h; omit --units",
                       units == MFFT_LENGTHS_MPC ? "mpc" : "kpc", path, stated);
}

double mfft_catalogue_gadget_root(const mfft_snapshot_info *info) {
  const int still = info->redshift == 0 && fabs(info->time - 1) > 1e-4;
  return info->time > 0 && !still ? sqrt(info->time) : 1;
}

/* Sets the units of lengths and velocities from the file or, where it does not state them, from the option. */
static mfft_status choose_units(int units, mfft_catalogue *c) {
  const mfft_status status = mfft_catalogue_length_unit(c->path, &c->info, units, &c->to_mpc_h);
  if (status != MFFT_SUCCESS) return status;
  c->velocity = c->info.velocity_km_s;
  if (units >= MFFT_LENGTHS_MPC && !(c->velocity > 0))
    c->velocity = c->info.time > 0 ? mfft_catalogue_gadget_root(&c->info) : 0;
  c->unit = units == MFFT_LENGTHS_STORED || !(c->to_mpc_h > 0) ? 1 : c->to_mpc_h;
  return MFFT_SUCCESS;
}

static mfft_status choose_box(const mfft_cli_reals *boxsize, mfft_catalogue *c) {
  int differs = 0;
  for (int axis = 0; axis < 3; axis++) {
    double *length = &c->length[axis];
    *length = boxsize && boxsize->count ? boxsize->v[axis] / c->unit : c->info.box_size[axis];
    if (*length == 0)
      return mfft_app_fail(MFFT_ERR_ARG, "'%s' does not contain the side of its box; give it by --boxsize", c->path);
    if (!(*length * c->unit >= MFFT_LENGTH_MIN && *length * c->unit <= MFFT_LENGTH_MAX))
      return mfft_app_fail(MFFT_ERR_ARG, "BoxSize of '%s' is %g; give the side of the box by --boxsize, from %g to %g",
                           c->path, *length, MFFT_LENGTH_MIN, MFFT_LENGTH_MAX);
    const double stated = c->info.box_size[axis];
    if (stated > 0 && fabs(*length - stated) > 1e-6 * stated && !differs++)
      mfft_app_note("--boxsize %g: the box of '%s' is %g; particles beyond the side given are wrapped into it",
                    *length * c->unit, c->path, stated * c->unit);
  }
  return MFFT_SUCCESS;
}

/* The failure of a type without a column of masses that can be read: the column is damaged, or there is none.  Collective.
 */
static mfft_status refuse_masses(const mfft_catalogue *c, int type) {
  double mass;
  const mfft_status status =
      mfft_snapshot_read(c->snapshot, 1u << type, "Masses", 0, mfft_app_rank() == 0, MFFT_SNAPSHOT_FLOAT64, 1, &mass);
  if (status != MFFT_SUCCESS && status != MFFT_ERR_ARG) return status;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "'%s' has no masses of particles of type %d, in MassTable or a column Masses; give --unweighted "
                       "to count each as 1, or other types by --type",
                       c->path, type);
}

/* Sets the type of numbers in memory: FLOAT32 if all types store their positions as FLOAT32.  Refuses types without masses.
 * Collective. */
static mfft_status choose_number(mfft_catalogue *c) {
  enum { MOST = 256 };
  mfft_snapshot_column column[MOST];
  c->number = MFFT_SNAPSHOT_FLOAT32;
  for (int type = 0; type < c->info.types; type++) {
    int count = 0, weighed = c->unweighted || c->info.mass[type] > 0;
    if (!(c->types >> type & 1)) continue;
    const mfft_status status = mfft_snapshot_columns(c->snapshot, type, column, MOST, &count);
    if (status != MFFT_SUCCESS) return status;
    for (int i = 0; i < count && i < MOST; i++) {
      if (!strcmp(column[i].name, "Coordinates") && column[i].number != MFFT_SNAPSHOT_FLOAT32)
        c->number = MFFT_SNAPSHOT_FLOAT64;
      weighed |= !strcmp(column[i].name, "Masses");
    }
    if (!weighed && count <= MOST) return refuse_masses(c, type);
  }
  return MFFT_SUCCESS;
}

static mfft_status open_catalogue(const mfft_catalogue_options *options, const mfft_cli_reals *boxsize, mfft_catalogue *c) {
  mfft_status status = mfft_snapshot_open(MPI_COMM_WORLD, c->path, &c->snapshot);
  if (status != MFFT_SUCCESS) return status;
  mfft_snapshot_info_init(&c->info);
  status = mfft_snapshot_query(c->snapshot, &c->info);
  if (status != MFFT_SUCCESS) return status;
  status = check_epoch(c);
  if (status != MFFT_SUCCESS) return status;
  status = choose_types(options->types, c);
  if (status != MFFT_SUCCESS) return status;
  status = choose_units(options->units, c);
  if (status != MFFT_SUCCESS) return status;
  status = choose_box(boxsize, c);
  if (status != MFFT_SUCCESS) return status;
  status = choose_number(c);
  if (status != MFFT_SUCCESS) return status;
  return mfft_snapshot_share(c->snapshot, c->types, &c->first, &c->count, &c->all);
}

mfft_status mfft_catalogue_open(const char *path, const mfft_catalogue_options *options, const mfft_cli_reals *boxsize,
                                mfft_catalogue *c) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_OPEN);
  memset(c, 0, sizeof *c);
  c->path = path;
  c->unweighted = options->unweighted;
  const mfft_status status = mfft_app_agree(open_catalogue(options, boxsize, c));
  mfft_phase_enter(before);
  return status;
}

void mfft_catalogue_close(mfft_catalogue *c) {
  mfft_snapshot_close(&c->snapshot);
  memset(c, 0, sizeof *c);
}

/* ---- Columns --------------------------------------------------------------------------------------------------------- */

size_t mfft_catalogue_number_bytes(mfft_snapshot_number number) {
  static const unsigned char bytes[MFFT_SNAPSHOT_NUMBER_COUNT] = {
      [MFFT_SNAPSHOT_FLOAT32] = 4, [MFFT_SNAPSHOT_FLOAT64] = 8, [MFFT_SNAPSHOT_INT32] = 4,
      [MFFT_SNAPSHOT_INT64] = 8,   [MFFT_SNAPSHOT_UINT32] = 4,  [MFFT_SNAPSHOT_UINT64] = 8};
  return bytes[number];
}

mfft_status mfft_catalogue_read(const mfft_catalogue *c, const char *name, mfft_snapshot_number number, int components,
                                void **column) {
  const size_t bytes = (size_t)components * mfft_catalogue_number_bytes(number);
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_READ);
  *column = NULL;
  mfft_status status = mfft_app_agree(mfft_app_alloc(c->count, bytes, name, column));
  if (status == MFFT_SUCCESS)
    status = mfft_snapshot_read(c->snapshot, c->types, name, c->first, c->count, number, components, *column);
  if (status != MFFT_SUCCESS) {
    mfft_free(*column);
    *column = NULL;
  }
  mfft_phase_enter(before);
  return status;
}

int mfft_catalogue_equal_masses(const mfft_catalogue *c) {
  double mass = 0;
  if (c->unweighted) return 1;
  for (int type = 0; type < c->info.types; type++) {
    if (!(c->types >> type & 1)) continue;
    if (!(c->info.mass[type] > 0) || (mass > 0 && c->info.mass[type] != mass)) return 0;
    mass = c->info.mass[type];
  }
  return 1;
}

mfft_status mfft_catalogue_check_total(const mfft_catalogue *c, double mass) {
  if (mass > 0 && isfinite(mass)) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "the masses in '%s' add up to %g; a density needs a positive sum, since it is divided by the mean",
                       c->path, mass);
}

double mfft_catalogue_bytes(const mfft_catalogue *c, int velocity) {
  const int numbers = 3 + (velocity ? 3 : 0) + !mfft_catalogue_equal_masses(c);
  return (double)c->all * numbers * (double)mfft_catalogue_number_bytes(c->number);
}

double mfft_catalogue_unit_mass(const mfft_catalogue *c) {
  if (mfft_catalogue_equal_masses(c) && !c->unweighted)
    for (int type = 0; type < c->info.types; type++)
      if (c->types >> type & 1) return c->info.mass[type];
  return 1;
}

/* ---- Derived quantities ---------------------------------------------------------------------------------------------- */

static int64_t smooth_length(int64_t least) {
  for (int64_t n = least + least % 2;; n += 2) {
    int64_t rest = n;
    for (int64_t prime = 2; prime <= 5; prime++)
      while (rest % prime == 0) rest /= prime;
    if (rest == 1) return n;
  }
}

mfft_mesh mfft_catalogue_mesh(const mfft_catalogue *c, const mfft_cli_sizes *n) {
  mfft_mesh mesh;
  memset(&mesh, 0, sizeof mesh); /* padding too, since meshes are compared by memcmp */
  const double spacing = cbrt(c->length[0] * c->length[1] * c->length[2] / (double)c->all);
  for (int axis = 0; axis < 3; axis++) {
    mesh.length[axis] = c->length[axis] * c->unit;
    mesh.n[axis] = n && n->count ? n->v[axis] : smooth_length((int64_t)ceil(fmax(2, 2 * c->length[axis] / spacing - 1e-6)));
  }
  return mesh;
}

mfft_plan_options mfft_catalogue_plan_options(const mfft_plan_options *options) {
  mfft_plan_options cpu = *options;
  if (!cpu.backend) cpu.backend = "fftw";
  return cpu;
}

void mfft_catalogue_name_types(const mfft_catalogue *c, char *text, size_t size) {
  int left = 0, named = 0;
  for (int type = 0; type < c->info.types; type++) left += c->types >> type & 1;
  size_t used = (size_t)snprintf(text, size, "type%s", left > 1 ? "s" : "");
  for (int type = 0; type < c->info.types && used < size; type++) {
    if (!(c->types >> type & 1)) continue;
    left--;
    used += (size_t)snprintf(text + used, size - used, "%s %d", named == 0 ? "" : left ? "," : " and", type);
    named++;
  }
}

mfft_status mfft_catalogue_redshift_space(const mfft_catalogue *c, double omega_m, double omega_lambda, double *factor) {
  const double a = c->info.time;
  if (!(a > 0 && fabs(a * (1 + c->info.redshift) - 1) < 1e-4))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "--rsd: '%s' has Time %g and Redshift %g; Time must be the scale factor 1 / (1 + Redshift) of a "
                         "cosmological run",
                         c->path, a, c->info.redshift);
  if (isnan(omega_m) && !c->info.has_cosmology)
    return mfft_app_fail(MFFT_ERR_ARG, "--rsd: '%s' does not contain its cosmology; give --omega-m", c->path);
  if (!(c->velocity > 0) || !(c->to_mpc_h > 0))
    return mfft_app_fail(MFFT_ERR_ARG, "--rsd: '%s' does not contain its units; give --units mpc or kpc", c->path);
  const double matter = isnan(omega_m) ? c->info.omega_m : omega_m;
  const double lambda = !isnan(omega_lambda) ? omega_lambda : isnan(omega_m) ? c->info.omega_lambda : 1 - omega_m;
  const double square = matter / (a * a * a) + (1 - matter - lambda) / (a * a) + lambda;
  if (!(square > 0))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "--rsd: there is no expansion rate at Time %g of '%s' with Omega_m %g and Omega_Lambda %g; give "
                         "--omega-m and --omega-lambda",
                         a, c->path, matter, lambda);
  *factor = 1 / (100 * sqrt(square) * a);
  return MFFT_SUCCESS;
}
