/* step.c: forces, kicks and drifts of one step, and the energies of the particles. */
#include <math.h>
#include <string.h>

#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "mesh/exact_sum.h"
#include "mfft_memory.h"
#include "nbody/run.h"

/* ---- Forces ----------------------------------------------------------------------------------------------------------- */

static mfft_status find_forces(mfft_nbody *r) {
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_MOVE);
  mfft_bodies *b = &r->bodies;
  mfft_force_desc f;
  mfft_status status = mfft_bodies_move(b, r->particle_mesh);
  mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  mfft_particles positions;
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_bodies_place(b, 1, &positions));
  mfft_force_desc_init(&f);
  f.mass = b->placed[MFFT_BODY_MASS].data;
  f.laplacian = (mfft_green_laplacian)r->v->greens;
  f.gradient = (mfft_green_gradient)r->v->gradient;
  f.deconvolve = (int)r->v->deconvolve;
  f.coefficient = 1.5 * r->background.omega_m * mfft_mesh_volume(&r->mesh) / r->total_mass;
  for (int axis = 0; axis < 3; axis++) f.force[axis] = b->placed[MFFT_BODY_G + axis].data;
  f.potential = b->placed[MFFT_BODY_PHI].data;
  if (status == MFFT_SUCCESS) status = mfft_particles_force(r->particle_mesh, &positions, &f);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_bodies_take_back(b));
  mfft_phase_enter(before);
  return status;
}

/* ---- Kicks and drifts ------------------------------------------------------------------------------------------------- */

typedef struct moving {
  const mfft_bodies *bodies;
  double keep, kick, pull[2]; /* p = keep p + kick (g - pull[0] s1 - pull[1] s2) */
  double drift, growth[2];    /* x += drift p + growth[0] s1 + growth[1] s2 */
  double length[3];           /* [axis] sides of the box */
} moving;

static void kick_part(void *context, int64_t first, int64_t end, int worker) {
  const moving *m = context;
  (void)worker;
  for (int axis = 0; axis < 3; axis++) {
    double *p = m->bodies->array[MFFT_BODY_P + axis];
    const double *g = m->bodies->array[MFFT_BODY_G + axis], *s1 = m->bodies->array[MFFT_BODY_S1 + axis],
                 *s2 = m->bodies->array[MFFT_BODY_S2 + axis];
    if (s1)
      for (int64_t i = first; i < end; i++)
        p[i] = m->keep * p[i] + m->kick * (g[i] - m->pull[0] * s1[i] - m->pull[1] * s2[i]);
    else
      for (int64_t i = first; i < end; i++) p[i] = m->keep * p[i] + m->kick * g[i];
  }
}

static void drift_part(void *context, int64_t first, int64_t end, int worker) {
  const moving *m = context;
  (void)worker;
  for (int axis = 0; axis < 3; axis++) {
    uint64_t *x = m->bodies->array[MFFT_BODY_X + axis];
    const double *p = m->bodies->array[MFFT_BODY_P + axis], *s1 = m->bodies->array[MFFT_BODY_S1 + axis],
                 *s2 = m->bodies->array[MFFT_BODY_S2 + axis];
    const double length = m->length[axis];
    if (s1)
      for (int64_t i = first; i < end; i++)
        x[i] += mfft_fixed_of((m->drift * p[i] + m->growth[0] * s1[i] + m->growth[1] * s2[i]) / length);
    else
      for (int64_t i = first; i < end; i++) x[i] += mfft_fixed_of(m->drift * p[i] / length);
  }
}

static void kick(mfft_nbody *r, double a0, double a1, double ar) {
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_KICK);
  moving m = {.bodies = &r->bodies};
  m.kick = r->stepping->kick(&r->background, a0, a1, ar, &m.keep);
  if (r->stepping->with_lpt) mfft_cola_pull(&r->background, ar, m.pull);
  mfft_bodies_run(&r->bodies, kick_part, &m);
  mfft_phase_enter(before);
}

static void drift(mfft_nbody *r, double a0, double a1, double ar) {
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_KICK);
  moving m = {.bodies = &r->bodies};
  m.drift = r->stepping->drift(&r->background, a0, a1, ar);
  const mfft_growth_factors d0 = mfft_background_growth(&r->background, a0), d1 = mfft_background_growth(&r->background, a1);
  m.growth[0] = d1.d1 - d0.d1;
  m.growth[1] = d1.d2 - d0.d2;
  memcpy(m.length, r->mesh.length, sizeof m.length);
  mfft_bodies_run(&r->bodies, drift_part, &m);
  mfft_phase_enter(before);
}

/* ---- Energies --------------------------------------------------------------------------------------------------------- */

enum { KINETIC, POTENTIAL, MOMENTUM_X, MOMENTUM_Y, MOMENTUM_Z, MAGNITUDE, SUMS };

typedef struct measuring {
  const mfft_nbody *run;
  double push[2];      /* p of LPT is push[0] s1 + push[1] s2 (stepping.h) */
  mfft_exact_sum *sum; /* [workers][SUMS] */
} measuring;

static void measure_part(void *context, int64_t first, int64_t end, int worker) {
  enum { BATCH = 256 };
  const measuring *m = context;
  const mfft_bodies *b = &m->run->bodies;
  const double *mass = b->array[MFFT_BODY_MASS], *phi = b->array[MFFT_BODY_PHI];
  double term[SUMS][BATCH];
  for (int64_t at = first; at < end; at += BATCH) {
    const int count = (int)(end - at < BATCH ? end - at : BATCH);
    for (int k = 0; k < count; k++) term[KINETIC][k] = 0;
    for (int axis = 0; axis < 3; axis++) {
      const double *p = b->array[MFFT_BODY_P + axis], *s1 = b->array[MFFT_BODY_S1 + axis],
                   *s2 = b->array[MFFT_BODY_S2 + axis];
      for (int k = 0; k < count; k++) {
        const double whole = p[at + k] + (s1 ? m->push[0] * s1[at + k] + m->push[1] * s2[at + k] : 0);
        term[MOMENTUM_X + axis][k] = (mass ? mass[at + k] : 1) * whole;
        term[KINETIC][k] += whole * whole;
      }
    }
    for (int k = 0; k < count; k++) {
      const double weight = mass ? mass[at + k] : 1;
      term[MAGNITUDE][k] = weight * sqrt(term[KINETIC][k]);
      term[KINETIC][k] *= weight;
      term[POTENTIAL][k] = weight * phi[at + k];
    }
    for (int s = 0; s < SUMS; s++) mfft_exact_add(&m->sum[worker * SUMS + s], term[s], count);
  }
}

/* Computes the sums over all particles of all ranks.  Collective. */
static mfft_status measure(const mfft_nbody *r, double a, double value[SUMS]) {
  const int workers = mfft_workers_count(r->bodies.workers);
  measuring m = {.run = r};
  void *sum = NULL;
  const mfft_status status = mfft_app_agree(mfft_app_alloc(workers * SUMS, sizeof *m.sum, "sums of the energies", &sum));
  if (status != MFFT_SUCCESS) return status;
  m.sum = sum;
  memset(sum, 0, (size_t)(workers * SUMS) * sizeof *m.sum);
  mfft_lpt_momentum(&r->background, a, m.push);
  mfft_bodies_run(&r->bodies, measure_part, &m);
  for (int s = 0; s < SUMS; s++) {
    for (int w = 1; w < workers; w++) mfft_exact_merge(&m.sum[s], &m.sum[w * SUMS + s]);
    mfft_exact_gather(&m.sum[s]);
    value[s] = mfft_exact_value(&m.sum[s], NULL);
  }
  mfft_free(sum);
  return MFFT_SUCCESS;
}

/* Adds a row of energies at a, from the sum of squares `squares` of momenta and the other sums in `value`. */
static mfft_status add_row(mfft_nbody *r, int step, double a, double squares, const double value[SUMS]) {
  const double unit = 100 * 100 / r->total_mass; /* from H0 = 1 to (km/s)^2 */
  const double momentum = sqrt(pow(value[MOMENTUM_X], 2) + pow(value[MOMENTUM_Y], 2) + pow(value[MOMENTUM_Z], 2));
  if (!mfft_energy_add(&r->energy, step, a, 0.5 * unit * squares / (a * a), 0.5 * unit * value[POTENTIAL] / a,
                       value[MAGNITUDE] > 0 ? momentum / value[MAGNITUDE] : 0))
    return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the energies of %d steps", step);
}

static mfft_status note_energy(mfft_nbody *r, int step, double a) {
  double value[SUMS];
  if (r->v->no_energy) return MFFT_SUCCESS;
  const mfft_phase before = mfft_phase_enter(MFFT_PHASE_ENERGY);
  mfft_status status = measure(r, a, value);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(add_row(r, step, a, value[KINETIC], value));
  mfft_phase_enter(before);
  return status;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------------ */

static mfft_status kick_drift_kick(mfft_nbody *r, double a0, double a1) {
  const double middle = mfft_schedule_middle(r->v->spacing, a0, a1);
  kick(r, a0, middle, a0);
  drift(r, a0, a1, middle);
  const mfft_status status = find_forces(r);
  if (status != MFFT_SUCCESS) return status;
  kick(r, middle, a1, a1);
  return note_energy(r, r->step + 1, a1);
}

/* Drift-kick-drift.  Energies are those of the middle of the step, where the potential is known; the squares of p there are
 * the mean of those before and after the kick. */
static mfft_status drift_kick_drift(mfft_nbody *r, double a0, double a1) {
  const double middle = mfft_stepping_middle(&r->background, a0, a1);
  double before[SUMS] = {0}, after[SUMS] = {0};
  drift(r, a0, middle, a0);
  mfft_status status = find_forces(r);
  if (status == MFFT_SUCCESS && !r->v->no_energy) status = measure(r, middle, before);
  if (status != MFFT_SUCCESS) return status;
  kick(r, a0, a1, middle);
  if (!r->v->no_energy) status = measure(r, middle, after);
  if (status == MFFT_SUCCESS && !r->v->no_energy)
    status = mfft_app_agree(add_row(r, r->step + 1, middle, 0.5 * (before[KINETIC] + after[KINETIC]), after));
  drift(r, middle, a1, a1);
  return status;
}

mfft_status mfft_nbody_begin(mfft_nbody *r) {
  if (r->stepping->drift_kick) return MFFT_SUCCESS;
  const mfft_status status = find_forces(r);
  if (status != MFFT_SUCCESS || r->step > 0) return status; /* a restart has read its row */
  return note_energy(r, 0, r->schedule.a[0]);
}

mfft_status mfft_nbody_step(mfft_nbody *r) {
  const double a0 = r->schedule.a[r->step], a1 = r->schedule.a[r->step + 1];
  const mfft_status status = r->stepping->drift_kick ? drift_kick_drift(r, a0, a1) : kick_drift_kick(r, a0, a1);
  if (status == MFFT_SUCCESS) r->step++;
  return status;
}
