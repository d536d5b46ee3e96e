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
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_MOVE);
  mfft_bodies *b = &r->bodies;
  mfft_force_desc f;
  mfft_status status = mfft_bodies_move(b, r->particle_mesh);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_bodies_arrange(b, r->particle_mesh));
  const mfft_particles positions = mfft_bodies_positions(b);
  mfft_phase_enter(MFFT_PHASE_TRANSFORM);
  mfft_force_desc_init(&f);
  f.mass = b->array[MFFT_BODY_MASS];
  f.laplacian = (mfft_green_laplacian)r->v->greens;
  f.gradient = (mfft_green_gradient)r->v->gradient;
  f.deconvolve = (int)r->v->deconvolve;
  f.coefficient = 1.5 * r->background.omega_m * mfft_mesh_volume(&r->mesh) / r->total_mass;
  for (int axis = 0; axis < 3; axis++) f.force[axis] = b->array[MFFT_BODY_G + axis];
  f.potential = b->array[MFFT_BODY_PHI];
  if (status == MFFT_SUCCESS) status = mfft_particles_force(r->particle_mesh, &positions, &f);
  mfft_phase_enter(before);
  return status;
}

/* ---- Kicks and drifts ------------------------------------------------------------------------------------------------- */

static mfft_status kick(mfft_nbody *r, double a0, double a1, double ar) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_KICK);
  const mfft_motion motion = mfft_bodies_motion(&r->bodies);
  double keep, lpt_acceleration[2] = {0, 0}; /* [order - 1] */
  const double factor = r->stepping->kick(&r->background, a0, a1, ar, &keep);
  if (r->stepping->with_lpt) mfft_lpt_acceleration(&r->background, ar, lpt_acceleration);
  const mfft_status status = mfft_app_agree(mfft_particles_kick(r->particle_mesh, &motion, keep, factor, lpt_acceleration));
  mfft_phase_enter(before);
  return status;
}

static mfft_status drift(mfft_nbody *r, double a0, double a1, double ar) {
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_KICK);
  const mfft_motion motion = mfft_bodies_motion(&r->bodies);
  const mfft_growth_factors d0 = mfft_background_growth(&r->background, a0), d1 = mfft_background_growth(&r->background, a1);
  const double growth[2] = {d1.d1 - d0.d1, d1.d2 - d0.d2}, factor = r->stepping->drift(&r->background, a0, a1, ar);
  const mfft_status status = mfft_app_agree(mfft_particles_drift(r->particle_mesh, &motion, factor, growth));
  mfft_phase_enter(before);
  return status;
}

/* ---- Energies --------------------------------------------------------------------------------------------------------- */

/* Computes the sums over all particles of all ranks.  Collective. */
static mfft_status measure(const mfft_nbody *r, double a, double value[MFFT_MOTION_SUMS]) {
  const mfft_motion motion = mfft_bodies_motion(&r->bodies);
  mfft_exact_sum sum[MFFT_MOTION_SUMS];
  double lpt_momentum[2]; /* [order - 1] */
  mfft_lpt_momentum(&r->background, a, lpt_momentum);
  const mfft_status status = mfft_app_agree(mfft_particles_energies(r->particle_mesh, &motion, lpt_momentum, sum));
  for (int s = 0; s < MFFT_MOTION_SUMS && status == MFFT_SUCCESS; s++) {
    mfft_exact_gather(&sum[s]);
    value[s] = mfft_exact_value(&sum[s], NULL);
  }
  return status;
}

/* Adds a row of energies at a, from the sum of squares `squares` of momenta and the other sums in `value`. */
static mfft_status add_row(mfft_nbody *r, int step, double a, double squares, const double value[MFFT_MOTION_SUMS]) {
  const double unit = 100 * 100 / r->total_mass; /* from H0 = 1 to (km/s)^2 */
  const double *p = value + MFFT_MOTION_MOMENTUM, momentum = sqrt(pow(p[0], 2) + pow(p[1], 2) + pow(p[2], 2));
  if (!mfft_energy_add(&r->energy, step, a, 0.5 * unit * squares / (a * a), 0.5 * unit * value[MFFT_MOTION_POTENTIAL] / a,
                       value[MFFT_MOTION_MAGNITUDES] > 0 ? momentum / value[MFFT_MOTION_MAGNITUDES] : 0))
    return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_MEMORY, "no memory for the energies of %d steps", step);
}

static mfft_status note_energy(mfft_nbody *r, int step, double a) {
  double value[MFFT_MOTION_SUMS];
  if (r->v->no_energy) return MFFT_SUCCESS;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_ENERGY);
  mfft_status status = measure(r, a, value);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(add_row(r, step, a, value[MFFT_MOTION_SQUARES], value));
  mfft_phase_enter(before);
  return status;
}

/* ---- Steps ------------------------------------------------------------------------------------------------------------ */

static mfft_status kick_drift_kick(mfft_nbody *r, double a0, double a1) {
  const double middle = mfft_schedule_middle(r->v->spacing, a0, a1);
  mfft_status status = kick(r, a0, middle, a0);
  if (status == MFFT_SUCCESS) status = drift(r, a0, a1, middle);
  if (status == MFFT_SUCCESS) status = find_forces(r);
  if (status == MFFT_SUCCESS) status = kick(r, middle, a1, a1);
  return status == MFFT_SUCCESS ? note_energy(r, r->step + 1, a1) : status;
}

/* Drift-kick-drift.  Energies are those of the middle of the step, where the potential is known; the squares of p there are
 * the mean of those before and after the kick. */
static mfft_status drift_kick_drift(mfft_nbody *r, double a0, double a1) {
  const double middle = mfft_stepping_middle(&r->background, a0, a1);
  double before[MFFT_MOTION_SUMS] = {0}, after[MFFT_MOTION_SUMS] = {0};
  mfft_status status = drift(r, a0, middle, a0);
  if (status == MFFT_SUCCESS) status = find_forces(r);
  if (status == MFFT_SUCCESS && !r->v->no_energy) status = measure(r, middle, before);
  if (status == MFFT_SUCCESS) status = kick(r, a0, a1, middle);
  if (status == MFFT_SUCCESS && !r->v->no_energy) status = measure(r, middle, after);
  if (status == MFFT_SUCCESS && !r->v->no_energy)
    status = mfft_app_agree(
        add_row(r, r->step + 1, middle, 0.5 * (before[MFFT_MOTION_SQUARES] + after[MFFT_MOTION_SQUARES]), after));
  return status == MFFT_SUCCESS ? drift(r, middle, a1, a1) : status;
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
