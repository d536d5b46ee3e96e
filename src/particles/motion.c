/* motion.c: kicks, drifts and energies of particles (mfft_motion.h), on the host in parts that threads take one by one, on a
 * device by its calls. */
#include "mfft_motion.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/motion.h"
#include "base/versioned.h"
#include "particles/device.h"
#include "particles/mesh.h"

_Static_assert((int)MFFT_MOTION_SUMS == (int)MFFT_PARTICLE_SUMS, "devices make the same sums");

static const mfft_versioned versions = {
    .name = "motion", .init = "mfft_motion_init", .size = sizeof(mfft_motion), .first = sizeof(mfft_motion)};

void mfft_motion_init_sized(mfft_motion *motion, size_t struct_size) {
  const mfft_motion none = {0};
  mfft_versioned_init(motion, struct_size, &none, sizeof none);
}

/* ---- Checks ---------------------------------------------------------------------------------------------------------- */

enum { POSITION = 1, MOMENTUM = 2, FORCE = 4 }; /* arrays that a call cannot do without */

static mfft_status check_one(mfft_particle_mesh mesh, const mfft_motion *m, const void *array, int needed,
                             const char *name) {
  if (!array && needed && m->count)
    return mfft_fail(MFFT_ERR_ARG, "%s is NULL with %" PRId64 " particles; give an array", name, m->count);
  if (!array || !mesh->calls) return MFFT_SUCCESS;
  return mfft_check_array(mesh->plan->backend, &mesh->plan->checked, array, (size_t)m->count * 8, name);
}

static mfft_status check_arrays(mfft_particle_mesh mesh, const mfft_motion *m, int needs) {
  for (int a = 0; a < 3; a++) {
    MFFT_TRY(check_one(mesh, m, m->position[a], needs & POSITION, "motion.position[]"));
    MFFT_TRY(check_one(mesh, m, m->momentum[a], needs & MOMENTUM, "motion.momentum[]"));
    MFFT_TRY(check_one(mesh, m, m->force[a], needs & FORCE, "motion.force[]"));
    MFFT_TRY(check_one(mesh, m, m->first[a], m->first[0] || m->second[0], "motion.first[]"));
    MFFT_TRY(check_one(mesh, m, m->second[a], m->first[0] || m->second[0], "motion.second[]"));
  }
  MFFT_TRY(check_one(mesh, m, m->mass, 0, "motion.mass"));
  return check_one(mesh, m, m->potential, 0, "motion.potential");
}

/* The factors of a call, of which lpt may be NULL. */
static mfft_status check_factors(const double factor[2], const double lpt[2]) {
  const double all[4] = {factor[0], factor[1], lpt ? lpt[0] : 0, lpt ? lpt[1] : 0}; /* factor[2], then lpt[2] */
  for (int i = 0; i < 4; i++)
    if (!isfinite(all[i])) return mfft_fail(MFFT_ERR_ARG, "a factor of the call is %g; give finite numbers", all[i]);
  return MFFT_SUCCESS;
}

/* Takes a caller's struct, and the factors of the displacements. */
static mfft_status take(mfft_particle_mesh mesh, const mfft_motion *given, const double factor[2], const double lpt[2],
                        mfft_motion *m) {
  MFFT_TRY(mfft_pm_check(mesh));
  MFFT_TRY(mfft_versioned_take(&versions, given, m));
  MFFT_TRY(check_factors(factor, lpt));
  if (m->count >= 0) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "motion.count is %" PRId64 "; give 0 or more", m->count);
}

static mfft_particle_motion motion_of(mfft_particle_mesh mesh, const mfft_motion *m, const double lpt[2]) {
  mfft_particle_motion made = {.count = m->count, .mass = m->mass, .potential = m->potential};
  for (int a = 0; a < 3; a++) {
    made.position[a] = m->position[a];
    made.momentum[a] = m->momentum[a];
    made.force[a] = m->force[a];
    made.first[a] = m->first[a];
    made.second[a] = m->second[a];
    made.length[a] = mesh->length[a];
  }
  for (int i = 0; i < 2; i++) made.lpt[i] = lpt ? lpt[i] : 0;
  return made;
}

/* ---- On the host ----------------------------------------------------------------------------------------------------- */

enum { PART = 1 << 15 }; /* particles of one iteration */

typedef struct sweep {
  const mfft_particle_motion *motion;
  mfft_exact_sum *sum; /* [workers][MFFT_MOTION_SUMS] */
} sweep;

/* The first particle after those of a part, which begins at part * PART. */
static int64_t end_of(const mfft_particle_motion *m, int64_t part) {
  const int64_t end = (part + 1) * PART;
  return end < m->count ? end : m->count;
}

static mfft_status kick_part(void *context, int64_t part, int worker) {
  const mfft_particle_motion *m = ((const sweep *)context)->motion;
  const int64_t first = part * PART, end = end_of(m, part);
  (void)worker;
  for (int a = 0; a < 3; a++) {
    double *p = m->momentum[a];
    const double *g = m->force[a], *s1 = m->first[a], *s2 = m->second[a];
    if (s1)
      for (int64_t i = first; i < end; i++)
        p[i] = mfft_kicked(p[i], m->keep, m->kick, mfft_residual(g[i], m->lpt, s1[i], s2[i]));
    else
      for (int64_t i = first; i < end; i++) p[i] = mfft_kicked(p[i], m->keep, m->kick, g[i]);
  }
  return MFFT_SUCCESS;
}

static mfft_status drift_part(void *context, int64_t part, int worker) {
  const mfft_particle_motion *m = ((const sweep *)context)->motion;
  const int64_t first = part * PART, end = end_of(m, part);
  (void)worker;
  for (int a = 0; a < 3; a++) {
    uint64_t *x = m->position[a];
    const double *p = m->momentum[a], *s1 = m->first[a], *s2 = m->second[a];
    const double length = m->length[a];
    if (s1)
      for (int64_t i = first; i < end; i++)
        x[i] += mfft_fixed_of(mfft_n_div(mfft_drifted_beside(m->drift, p[i], m->lpt, s1[i], s2[i]), length));
    else
      for (int64_t i = first; i < end; i++) x[i] += mfft_fixed_of(mfft_n_div(mfft_n_mul(m->drift, p[i]), length));
  }
  return MFFT_SUCCESS;
}

/* The terms of `count` <= BATCH particles. */
enum { BATCH = 256 };
static void find_terms(const mfft_particle_motion *m, int64_t at, int count, double term[MFFT_MOTION_SUMS][BATCH]) {
  double *const p[3] = {term[MFFT_MOTION_MOMENTUM], term[MFFT_MOTION_MOMENTUM + 1], term[MFFT_MOTION_MOMENTUM + 2]};
  for (int a = 0; a < 3; a++) {
    memcpy(p[a], m->momentum[a] + at, (size_t)count * sizeof(double));
    for (int k = 0; m->first[a] && k < count; k++)
      p[a][k] = mfft_n_add(p[a][k], mfft_lpt_part(m->lpt, m->first[a][at + k], m->second[a][at + k]));
  }
  for (int k = 0; k < count; k++) {
    const double weight = m->mass ? m->mass[at + k] : 1,
                 square = mfft_square_of((const double[3]){p[0][k], p[1][k], p[2][k]});
    term[MFFT_MOTION_SQUARES][k] = mfft_n_mul(weight, square);
    term[MFFT_MOTION_MAGNITUDES][k] = mfft_n_mul(weight, mfft_n_sqrt(square));
    term[MFFT_MOTION_POTENTIAL][k] = m->potential ? mfft_n_mul(weight, m->potential[at + k]) : 0;
    for (int a = 0; a < 3; a++) p[a][k] = mfft_n_mul(weight, p[a][k]);
  }
}

static mfft_status energies_part(void *context, int64_t part, int worker) {
  const sweep *s = context;
  const int64_t first = part * PART, end = end_of(s->motion, part);
  double term[MFFT_MOTION_SUMS][BATCH];
  for (int64_t at = first; at < end; at += BATCH) {
    const int count = (int)(end - at < BATCH ? end - at : BATCH);
    find_terms(s->motion, at, count, term);
    for (int sum = 0; sum < MFFT_MOTION_SUMS; sum++)
      mfft_exact_add(&s->sum[worker * MFFT_MOTION_SUMS + sum], term[sum], count);
  }
  return MFFT_SUCCESS;
}

static mfft_status run(mfft_particle_mesh mesh, sweep *s, mfft_workers_task *part) {
  return mfft_pm_run(mesh->workers, (s->motion->count + PART - 1) / PART, part, s);
}

static mfft_status host_energies(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum) {
  const int workers = mfft_workers_count(mesh->workers);
  sweep s = {m, calloc((size_t)workers * MFFT_MOTION_SUMS, sizeof *s.sum)};
  if (!s.sum) return mfft_fail(MFFT_ERR_MEMORY, "no memory for the energies of %d threads", workers);
  const mfft_status status = run(mesh, &s, energies_part);
  memset(sum, 0, MFFT_MOTION_SUMS * sizeof *sum);
  for (int i = 0; i < workers * MFFT_MOTION_SUMS; i++) mfft_exact_merge(&sum[i % MFFT_MOTION_SUMS], &s.sum[i]);
  free(s.sum);
  return status;
}

/* ---- The calls ------------------------------------------------------------------------------------------------------- */

/* One call: the arrays that it needs, and its work on the host and on a device. */
typedef struct motion_call {
  int needs;
  mfft_status (*host)(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum);
  mfft_status (*device)(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum);
} motion_call;

static mfft_status host_kick(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum) {
  sweep s = {m, sum};
  return run(mesh, &s, kick_part);
}

static mfft_status host_drift(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum) {
  sweep s = {m, sum};
  return run(mesh, &s, drift_part);
}

static mfft_status device_kick(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum) {
  (void)sum;
  MFFT_TRY(mesh->calls->kick(m, mesh->plan->stream));
  return mesh->plan->backend->synchronize(mesh->plan->stream);
}

static mfft_status device_drift(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum) {
  (void)sum;
  MFFT_TRY(mesh->calls->drift(m, mesh->plan->stream));
  return mesh->plan->backend->synchronize(mesh->plan->stream);
}

static mfft_status device_energies(mfft_particle_mesh mesh, const mfft_particle_motion *m, mfft_exact_sum *sum) {
  MFFT_TRY(mfft_pm_reserve(mesh, MFFT_PM_WORK_STAGING, mesh->calls->energy_bytes()));
  return mesh->calls->energies(m, mesh->work[MFFT_PM_WORK_STAGING], sum, mesh->plan->stream);
}

static mfft_status act(mfft_particle_mesh mesh, const mfft_motion *m, const mfft_particle_motion *motion,
                       const motion_call *call, mfft_exact_sum *sum) {
  mfft_device_guard guard;
  if (!mesh->calls) {
    MFFT_TRY(check_arrays(mesh, m, call->needs));
    return call->host(mesh, motion, sum);
  }
  MFFT_TRY(mfft_plan_enter(mesh->plan, &guard));
  mfft_status status = check_arrays(mesh, m, call->needs);
  if (status == MFFT_SUCCESS) status = call->device(mesh, motion, sum);
  mfft_plan_leave(mesh->plan, &guard);
  return status;
}

mfft_status mfft_particles_kick(mfft_particle_mesh mesh, const mfft_motion *given, double keep, double kick,
                                const double lpt_acceleration[2]) {
  static const motion_call kicks = {MOMENTUM | FORCE, host_kick, device_kick};
  mfft_motion m;
  MFFT_TRY(take(mesh, given, (const double[2]){keep, kick}, lpt_acceleration, &m));
  mfft_particle_motion motion = motion_of(mesh, &m, lpt_acceleration);
  motion.keep = keep;
  motion.kick = kick;
  return act(mesh, &m, &motion, &kicks, NULL);
}

mfft_status mfft_particles_drift(mfft_particle_mesh mesh, const mfft_motion *given, double drift, const double growth[2]) {
  static const motion_call drifts = {POSITION | MOMENTUM, host_drift, device_drift};
  mfft_motion m;
  MFFT_TRY(take(mesh, given, (const double[2]){drift, 0}, growth, &m));
  mfft_particle_motion motion = motion_of(mesh, &m, growth);
  motion.drift = drift;
  return act(mesh, &m, &motion, &drifts, NULL);
}

mfft_status mfft_particles_energies(mfft_particle_mesh mesh, const mfft_motion *given, const double lpt_momentum[2],
                                    mfft_exact_sum sum[MFFT_MOTION_SUMS]) {
  static const motion_call adds = {MOMENTUM, host_energies, device_energies};
  mfft_motion m;
  MFFT_TRY(take(mesh, given, (const double[2]){0, 0}, lpt_momentum, &m));
  if (!sum) return mfft_fail(MFFT_ERR_ARG, "the result is NULL; pass an array of MFFT_MOTION_SUMS exact sums");
  const mfft_particle_motion motion = motion_of(mesh, &m, lpt_momentum);
  return act(mesh, &m, &motion, &adds, sum);
}
