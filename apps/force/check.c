/* check.c: see check.h. */
#include "force/check.h"

#include <math.h>
#include <stdlib.h>

#include "base/ascending.h"
#include "base/splitmix.h"
#include "cli/collective.h"
#include "cli/phases.h"
#include "cli/report.h"
#include "force/ewald.h"
#include "mfft_memory.h"

enum { VALUES = 9 }; /* doubles of a target: position, acceleration by the mesh, acceleration by the sum */

/* Number i of a random order of the numbers 0 to count - 1, so that no particle is drawn twice: a Feistel network (Luby and
 * Rackoff 1988) permutes the numbers of an even number of bits, and is repeated while the result is not below count. */
static uint64_t drawn(uint64_t i, uint64_t count, uint64_t seed) {
  enum { ROUNDS = 4 };
  unsigned half = 1; /* bits of a half */
  while (half < 32 && count > UINT64_C(1) << 2 * half) half++;
  const uint64_t mask = (UINT64_C(1) << half) - 1;
  do {
    for (uint64_t round = 1; round <= ROUNDS; round++) {
      const uint64_t right = i & mask, mixed = mfft_splitmix(right + mfft_splitmix(seed + round * MFFT_SPLITMIX_STEP));
      i = right << half | ((i >> half ^ mixed) & mask);
    }
  } while (i >= count);
  return i;
}

/* Gathers the positions of the targets and their accelerations by the mesh, [wanted][3] each, on all ranks. */
static void gather_targets(const mfft_catalogue *c, const double *position, const double *acceleration, int64_t wanted,
                           uint64_t seed, double *at, double *mesh) {
  for (int64_t t = 0; t < wanted; t++) {
    const int64_t i = (int64_t)drawn((uint64_t)t, (uint64_t)c->all, seed) - c->first;
    for (int a = 0; a < 3; a++) {
      const int here = i >= 0 && i < c->count;
      at[3 * t + a] = here ? position[3 * i + a] : 0;
      mesh[3 * t + a] = here ? acceleration[3 * i + a] : 0;
    }
  }
  mfft_app_reduce(at, 3 * wanted, MPI_DOUBLE, MPI_SUM, "sharing the particles to check");
  mfft_app_reduce(mesh, 3 * wanted, MPI_DOUBLE, MPI_SUM, "sharing the particles to check");
}

/* Computes the relative errors in ascending order, error[wanted], and their quantiles. */
static mfft_force_errors sort_errors(int64_t wanted, double gravity, const double *mesh, const double *sum, double *error) {
  for (int64_t t = 0; t < wanted; t++) {
    double off = 0, size = 0;
    for (int a = 0; a < 3; a++) {
      const double want = gravity * sum[3 * t + a];
      off += pow(mesh[3 * t + a] - want, 2);
      size += want * want;
    }
    error[t] = off > 0 ? sqrt(off / size) : 0;
  }
  qsort(error, (size_t)wanted, sizeof *error, mfft_ascending_double);
  const int64_t last = wanted - 1;
  return (mfft_force_errors){wanted, error[last / 2], error[(int64_t)ceil(0.9 * (double)last)], error[last]};
}

static mfft_status check(const mfft_catalogue *c, const double *acceleration, double gravity, int64_t wanted, uint64_t seed,
                         double *work, mfft_force_errors *errors) {
  double *at = work, *mesh = work + 3 * wanted, *sum = work + 6 * wanted;
  void *position = NULL, *mass = NULL;
  mfft_status status = mfft_catalogue_read(c, "Coordinates", MFFT_SNAPSHOT_FLOAT64, 3, &position);
  if (status == MFFT_SUCCESS) status = mfft_catalogue_read(c, "Masses", MFFT_SNAPSHOT_FLOAT64, 1, &mass);
  if (status == MFFT_SUCCESS) {
    gather_targets(c, position, acceleration, wanted, seed, at, mesh);
    const mfft_ewald particles = {
        .length = {c->length[0], c->length[1], c->length[2]}, .count = c->count, .position = position, .mass = mass};
    status = mfft_ewald_forces(&particles, wanted, at, sum);
  }
  mfft_free(position);
  mfft_free(mass);
  if (status == MFFT_SUCCESS) *errors = sort_errors(wanted, gravity, mesh, sum, at);
  return status;
}

mfft_status mfft_force_check(const mfft_catalogue *c, const double *acceleration, double gravity, int64_t wanted,
                             uint64_t seed, mfft_force_errors *errors) {
  void *work = NULL;
  if (wanted > c->all) wanted = c->all;
  const mfft_job_phase before = mfft_phase_enter(MFFT_PHASE_CHECK);
  mfft_status status = mfft_app_agree(mfft_app_alloc(wanted, VALUES * sizeof(double), "the particles to check", &work));
  if (status == MFFT_SUCCESS) status = check(c, acceleration, gravity, wanted, seed, work, errors);
  mfft_free(work);
  mfft_phase_enter(before);
  return status;
}
