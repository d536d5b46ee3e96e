/* load.c: reading the particles from the snapshot of the command line. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

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

static mfft_status read_positions(const loading *l) {
  mfft_nbody *r = l->run;
  const mfft_status status = read_column(l, "Coordinates", MFFT_SNAPSHOT_FLOAT64, 3, l->triple);
  if (status != MFFT_SUCCESS) return status;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t *x = r->bodies.array[MFFT_BODY_X + axis];
    for (int64_t i = 0; i < l->count; i++) {
      const double fraction = l->triple[3 * i + axis] / r->info.box_size[axis];
      if (!isfinite(fraction)) return refuse_number(l, "Coordinates", i);
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

/* ---- LPT displacements, for COLA ------------------------------------------------------------------------------------- */

/* Solves psi = D1 s1 + D2 s2 and p = q1 s1 + q2 s2, displacement and momentum of one component, for s1 and s2. */
typedef struct lpt_pair {
  double d1, d2, q1, q2;
} lpt_pair;

static void split_component(const lpt_pair *pair, double psi, double p, double *s1, double *s2) {
  const double determinant = pair->d1 * pair->q2 - pair->d2 * pair->q1;
  *s1 = (psi * pair->q2 - p * pair->d2) / determinant;
  *s2 = (pair->d1 * p - pair->q1 * psi) / determinant;
}

static mfft_status split_all(const loading *l, const uint64_t *id, int64_t side) {
  mfft_nbody *r = l->run;
  const mfft_growth_factors d = mfft_background_growth(&r->background, r->info.time);
  lpt_pair pair = {.d1 = d.d1, .d2 = d.d2};
  double lpt_momentum[2]; /* [order - 1] */
  mfft_lpt_momentum(&r->background, r->info.time, lpt_momentum);
  pair.q1 = lpt_momentum[0];
  pair.q2 = lpt_momentum[1];
  for (int64_t i = 0; i < l->count; i++) {
    if (id[i] < 1 || id[i] > (uint64_t)r->all)
      return mfft_app_fail(MFFT_ERR_ARG,
                           "'%s': ParticleIDs has %" PRIu64
                           "; --kick cola needs identities that number the points of a lattice from 1, z "
                           "fastest, as `mergefft ic` writes them; choose another --kick",
                           r->v->input, id[i]);
    const int64_t point = (int64_t)id[i] - 1, at[3] = {point / (side * side), point / side % side, point % side};
    for (int axis = 0; axis < 3; axis++) {
      const double x = mfft_fraction_of(((uint64_t *)r->bodies.array[MFFT_BODY_X + axis])[i]);
      double psi = x - (double)at[axis] / (double)side;
      psi = (psi - rint(psi)) * r->mesh.length[axis];
      double *p = r->bodies.array[MFFT_BODY_P + axis], *s1 = r->bodies.array[MFFT_BODY_S1 + axis],
             *s2 = r->bodies.array[MFFT_BODY_S2 + axis];
      split_component(&pair, psi, p[i], &s1[i], &s2[i]);
      p[i] -= lpt_momentum[0] * s1[i] + lpt_momentum[1] * s2[i]; /* the momentum beyond LPT: 0 up to rounding */
    }
  }
  return MFFT_SUCCESS;
}

static mfft_status make_lpt(const loading *l) {
  mfft_nbody *r = l->run;
  const int64_t side = (int64_t)rint(cbrt((double)r->all));
  void *id = NULL;
  if (side * side * side != r->all || !r->has_ids)
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s' has %" PRId64
                         " particles%s; --kick cola needs a cube of them with identities, as `mergefft "
                         "ic` writes them; choose another --kick",
                         r->v->input, r->all, r->has_ids ? "" : " without ParticleIDs");
  mfft_status status = mfft_app_agree(mfft_app_alloc(l->count, 8, "the identities", &id));
  if (status == MFFT_SUCCESS) status = read_column(l, "ParticleIDs", MFFT_SNAPSHOT_UINT64, 1, id);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(split_all(l, id, side));
  mfft_free(id);
  return status;
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
  if (status == MFFT_SUCCESS && r->stepping->with_lpt) status = mfft_app_agree(make_lpt(l));
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
