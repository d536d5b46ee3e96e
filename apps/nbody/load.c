/* load.c: reading the particles from the snapshot of the command line. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "catalogue/catalogue.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"
#include "nbody/run.h"

/* State of reading the share of a rank. */
typedef struct loading {
  mfft_nbody *run;
  int64_t first, count;
  double *triple; /* [count][3] */
} loading;

static mfft_status read_column(const loading *l, const char *name, mfft_snapshot_number number, int components, void *to) {
  return mfft_snapshot_read(l->run->input, 1u << l->run->type, name, l->first, l->count, number, components, to);
}

static mfft_status refuse_number(const loading *l, const char *name, int64_t i) {
  return mfft_app_fail(MFFT_ERR_NONFINITE, "'%s': %s of particle %" PRId64 " of type %d is not finite; repair the snapshot",
                       l->run->v->input, name, l->first + i, l->run->type);
}

static mfft_status refuse_far(const loading *l, int64_t i, int axis) {
  const double at = l->triple[3 * i + axis], side = l->run->info.box_size[axis];
  return mfft_app_fail(MFFT_ERR_ARG,
                       "'%s': Coordinates of particle %" PRId64
                       " has %c = %g, more than a side outside of the box of %g, both as stored; correct the file",
                       l->run->v->input, l->first + i, "xyz"[axis], at, side);
}

static mfft_status read_positions(const loading *l) {
  mfft_nbody *r = l->run;
  const mfft_status status = read_column(l, "Coordinates", MFFT_SNAPSHOT_FLOAT64, 3, l->triple);
  if (status != MFFT_SUCCESS) return status;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t *x = r->bodies.array[MFFT_BODY_X + axis];
    const double side = r->info.box_size[axis], reach = mfft_catalogue_reach(side, side);
    for (int64_t i = 0; i < l->count; i++) {
      const double at = l->triple[3 * i + axis], fraction = at / side;
      if (!isfinite(fraction)) return refuse_number(l, "Coordinates", i);
      if (fabs(at - side / 2) > reach) return refuse_far(l, i, axis);
      x[i] = mfft_fixed_of(fraction);
    }
  }
  uint64_t *index = r->bodies.array[MFFT_BODY_INDEX];
  for (int64_t i = 0; i < l->count; i++) index[i] = (uint64_t)(l->first + i);
  return MFFT_SUCCESS;
}

static mfft_status read_momenta(const loading *l) {
  mfft_nbody *r = l->run;
  const mfft_status status = read_column(l, "Velocities", MFFT_SNAPSHOT_FLOAT64, 3, l->triple);
  if (status != MFFT_SUCCESS) return status;
  for (int axis = 0; axis < 3; axis++) {
    double *p = r->bodies.array[MFFT_BODY_P + axis];
    for (int64_t i = 0; i < l->count; i++) {
      p[i] = l->triple[3 * i + axis] * r->velocity_unit;
      if (!isfinite(p[i])) return refuse_number(l, "Velocities", i);
    }
  }
  return MFFT_SUCCESS;
}

static mfft_status read_masses(const loading *l) {
  double *mass = l->run->bodies.array[MFFT_BODY_MASS];
  const mfft_status status = read_column(l, "Masses", MFFT_SNAPSHOT_FLOAT64, 1, mass);
  if (status != MFFT_SUCCESS) return status;
  for (int64_t i = 0; i < l->count; i++)
    if (!(mass[i] >= 0 && isfinite(mass[i])))
      return mfft_app_fail(MFFT_ERR_ARG, "'%s': the mass of particle %" PRId64 " of type %d is %g; masses must be 0 or more",
                           l->run->v->input, l->first + i, l->run->type, mass[i]);
  return MFFT_SUCCESS;
}

/* ---- The whole share -------------------------------------------------------------------------------------------------- */

/* Notes if the masses of the file do not match its Omega_m; forces depend on the density contrast alone. */
static void compare_density(const mfft_nbody *r) {
  const double stored = r->bodies.wants[MFFT_BODY_MASS] ? r->total_mass : r->total_mass * r->info.mass[r->type];
  const double omega = stored * r->mass_unit / (mfft_critical_density() * mfft_mesh_volume(&r->mesh));
  if (r->mass_unit > 0 && fabs(omega / r->background.omega_m - 1) > 0.01)
    mfft_app_note(
        "the particles of '%s' have a mean density of Omega = %.4g, and Omega_m is %.4g: the run treats them as all of "
        "the matter",
        r->v->input, omega, r->background.omega_m);
}

mfft_status mfft_nbody_total(mfft_nbody *r) {
  r->total_mass = r->total_squares = (double)r->all;
  if (!r->bodies.wants[MFFT_BODY_MASS]) {
    compare_density(r);
    return MFFT_SUCCESS;
  }
  const double *mass = r->bodies.array[MFFT_BODY_MASS];
  r->total_mass = mfft_exact_total(mass, r->bodies.count, 0);
  r->total_squares = mfft_exact_total(mass, r->bodies.count, 1);
  compare_density(r);
  if (r->total_mass > 0) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG, "'%s': all particles of type %d have mass 0; give another --type", r->v->input,
                       r->type);
}

static mfft_status read_all(loading *l) {
  mfft_nbody *r = l->run;
  mfft_status status = mfft_app_agree(read_positions(l));
  if (status == MFFT_SUCCESS) status = mfft_app_agree(read_momenta(l));
  if (status == MFFT_SUCCESS && r->bodies.wants[MFFT_BODY_MASS]) status = mfft_app_agree(read_masses(l));
  if (status == MFFT_SUCCESS && r->stepping->with_lpt) status = mfft_nbody_split_lpt(r, l->first, l->count);
  return status;
}

mfft_status mfft_nbody_load(mfft_nbody *r) {
  loading l = {.run = r};
  void *triple = NULL;
  mfft_status status = mfft_snapshot_share(r->input, 1u << r->type, &l.first, &l.count, &r->all);
  if (status == MFFT_SUCCESS) status = mfft_bodies_reserve(&r->bodies, l.count);
  if (status == MFFT_SUCCESS) status = mfft_app_alloc(3 * l.count, sizeof(double), "the positions to read", &triple);
  l.triple = triple;
  status = mfft_app_agree(status);
  if (status == MFFT_SUCCESS) status = read_all(&l);
  mfft_free(triple);
  r->bodies.count = l.count;
  if (status == MFFT_SUCCESS) status = mfft_nbody_total(r);
  return status == MFFT_SUCCESS ? mfft_bodies_move(&r->bodies, r->particle_mesh) : status;
}
