/* lpt.c: the LPT displacements of COLA, found in the initial conditions.
 *
 * Identities say at which point of the lattice a particle began, so that a wrong one gives a displacement that is none, and
 * a result that is wrong without a sign of it.  So three things are checked: each point of the lattice has one particle; the
 * mean displacement is 0, as that of waves without a mean is; and momenta are those of the growing mode, p = q1/D1 psi, up
 * to the part of second order.  That part is 0.002 to 0.06 of psi in what `mergefft ic` writes for redshifts from 99 to 9,
 * and 0.2 for redshift 1; with identities of another lattice it is 1 and more. */
#include <inttypes.h>
#include <math.h>

#include "base/splitmix.h"
#include "cli/collective.h"
#include "cli/report.h"
#include "mfft_memory.h"
#include "nbody/run.h"

#define REMEDY "give initial conditions of `mergefft ic`, or choose another --kick"

static const double most_shift = 0.01;       /* largest mean displacement, in distances of the lattice */
static const double most_difference = 0.5;   /* largest rms of p D1/q1 - psi over that of psi */
static const double least_difference = 1e-3; /* rms that is always accepted, in distances of the lattice: rounding */

/* Particles, a component of which is psi = D1 s1 + D2 s2 and p = q1 s1 + q2 s2, displacement and momentum. */
typedef struct lpt {
  mfft_nbody *run;
  int64_t first, count, side; /* the share of this rank; points along a side of the lattice */
  double d1, d2, q1, q2;
  const uint64_t *id; /* [count] */
} lpt;

static double displacement(const lpt *l, int64_t i, int axis) {
  const int64_t point = (int64_t)l->id[i] - 1, side = l->side;
  const int64_t at[3] = {point / (side * side), point / side % side, point % side};
  const double x = mfft_fraction_of(((uint64_t *)l->run->bodies.array[MFFT_BODY_X + axis])[i]);
  const double psi = x - (double)at[axis] / (double)side;
  return (psi - rint(psi)) * l->run->mesh.length[axis];
}

static mfft_status check_range(const lpt *l) {
  for (int64_t i = 0; i < l->count; i++)
    if (l->id[i] < 1 || l->id[i] > (uint64_t)l->run->all)
      return mfft_app_fail(MFFT_ERR_ARG,
                           "'%s': ParticleIDs has %" PRIu64
                           "; --kick cola needs identities that number the points of a lattice from 1, z fastest; " REMEDY,
                           l->run->v->input, l->id[i]);
  return MFFT_SUCCESS;
}

/* Compares sums of mixed bits over the identities and over 1 to their number: they are equal where each occurs once, and
 * by chance once in 2^64 where one does not. */
static mfft_status check_once(const lpt *l) {
  uint64_t off = 0;
  for (int64_t i = 0; i < l->count; i++) off += mfft_splitmix(l->id[i]) - mfft_splitmix((uint64_t)(l->first + i) + 1);
  mfft_app_reduce(&off, 1, MPI_UINT64_T, MPI_SUM, "comparing identities");
  if (off == 0) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "'%s': ParticleIDs has a number more than once, and --kick cola needs each from 1 to %" PRId64
                       " once, as the number of a point of a lattice; " REMEDY,
                       l->run->v->input, l->run->all);
}

/* Sums over all particles: of psi, of its square, and of the square of p D1/q1 - psi. */
enum { SHIFT = 0, SQUARES = 3, DIFFERENCES = 4, SUMS = 5 };

static mfft_status check_lattice(const lpt *l) {
  const mfft_nbody *r = l->run;
  double sum[SUMS] = {0}, spacing[3];
  for (int axis = 0; axis < 3; axis++) {
    const double *p = r->bodies.array[MFFT_BODY_P + axis];
    spacing[axis] = r->mesh.length[axis] / (double)l->side;
    for (int64_t i = 0; i < l->count; i++) {
      const double psi = displacement(l, i, axis) / spacing[axis], off = p[i] / spacing[axis] * l->d1 / l->q1 - psi;
      sum[SHIFT + axis] += psi;
      sum[SQUARES] += psi * psi;
      sum[DIFFERENCES] += off * off;
    }
  }
  mfft_app_reduce(sum, SUMS, MPI_DOUBLE, MPI_SUM, "comparing particles with their lattice");
  for (int i = 0; i < SUMS; i++) sum[i] /= (double)r->all;
  double shift = 0; /* the square of the mean; a shift of the whole lattice is told from other differences */
  for (int axis = 0; axis < 3; axis++) shift += sum[SHIFT + axis] * sum[SHIFT + axis];
  const double psi = sqrt(sum[SQUARES]), off = sqrt(fmax(sum[DIFFERENCES] - shift, 0));
  if (!(off < most_difference * psi + least_difference))
    return mfft_app_fail(MFFT_ERR_ARG,
                         "'%s': the displacements that the velocities stand for differ from those that the identities give, "
                         "by %.3g of %.3g distances of the lattice; --kick cola needs a growing mode and identities that "
                         "number the points of the lattice, z fastest; " REMEDY,
                         r->v->input, off, psi);
  for (int axis = 0; axis < 3; axis++)
    if (!(fabs(sum[SHIFT + axis]) < most_shift))
      return mfft_app_fail(MFFT_ERR_ARG,
                           "'%s': particles are displaced along %c by %.3g of the distance of their lattice in the mean, by "
                           "their identities, and --kick cola needs 0; " REMEDY,
                           r->v->input, 'x' + axis, sum[SHIFT + axis]);
  return MFFT_SUCCESS;
}

/* Solves for s1 and s2. */
static void split(const lpt *l) {
  const double determinant = l->d1 * l->q2 - l->d2 * l->q1;
  void *const *array = l->run->bodies.array;
  for (int axis = 0; axis < 3; axis++) {
    double *p = array[MFFT_BODY_P + axis], *s1 = array[MFFT_BODY_S1 + axis], *s2 = array[MFFT_BODY_S2 + axis];
    for (int64_t i = 0; i < l->count; i++) {
      const double psi = displacement(l, i, axis);
      s1[i] = (psi * l->q2 - p[i] * l->d2) / determinant;
      s2[i] = (l->d1 * p[i] - l->q1 * psi) / determinant;
      p[i] -= l->q1 * s1[i] + l->q2 * s2[i]; /* the momentum beyond LPT: 0 up to rounding */
    }
  }
}

static mfft_status check_cube(const lpt *l) {
  const mfft_nbody *r = l->run;
  if (l->side * l->side * l->side == r->all && r->has_ids) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_ARG,
                       "'%s' has %" PRId64 " particles%s; --kick cola needs a cube of them with identities; " REMEDY,
                       r->v->input, r->all, r->has_ids ? "" : " without ParticleIDs");
}

mfft_status mfft_nbody_split_lpt(mfft_nbody *r, int64_t first, int64_t count) {
  lpt l = {.run = r, .first = first, .count = count, .side = (int64_t)rint(cbrt((double)r->all))};
  const mfft_growth_factors d = mfft_background_growth(&r->background, r->info.time);
  double lpt_momentum[2]; /* [order - 1] */
  void *id = NULL;
  mfft_lpt_momentum(&r->background, r->info.time, lpt_momentum);
  l.d1 = d.d1, l.d2 = d.d2, l.q1 = lpt_momentum[0], l.q2 = lpt_momentum[1];
  mfft_status status = check_cube(&l);
  if (status == MFFT_SUCCESS) status = mfft_app_agree(mfft_app_alloc(count, 8, "the identities", &id));
  if (status == MFFT_SUCCESS)
    status = mfft_snapshot_read(r->input, 1u << r->type, "ParticleIDs", first, count, MFFT_SNAPSHOT_UINT64, 1, id);
  l.id = id;
  if (status == MFFT_SUCCESS) status = mfft_app_agree(check_range(&l));
  if (status == MFFT_SUCCESS) status = check_once(&l);
  if (status == MFFT_SUCCESS) status = check_lattice(&l);
  if (status == MFFT_SUCCESS) split(&l);
  mfft_free(id);
  return status;
}
