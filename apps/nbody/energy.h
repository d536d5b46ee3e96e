/* energy.h: momentum and energy of the particles of a run, step by step, and the file with them.
 *
 * With the mass of all particles as 1, T = 1/2 sum of m (p/a)^2 and W = 1/2 sum of m phi/a are the peculiar kinetic and
 * potential energy, in (km/s)^2 where H0 is 100.  They obey the equation of Layzer (1963) and Irvine (1961), d(T + W)/da =
 * -(2T + W)/a, so that T + W + I is constant, where I is the integral of (2T + W) da/a, with 2T + W = c/a + d a within a
 * step.  `drift` is the change of T + W + I divided by the largest |W| so far.  W includes the self-energy of each particle
 * on the mesh, which is proportional to 1/a and obeys the equation by itself.
 *
 * `momentum` is the length of the total momentum divided by the sum of the lengths of all momenta.  Sums are exact, hence
 * the same for every number of ranks and every order of particles. */
#ifndef MFFT_APPS_ENERGY_H
#define MFFT_APPS_ENERGY_H

#include "mfft.h"

typedef struct mfft_energy_row {
  int step;                                         /* step that ends at a; 0: the start of the run */
  double a, kinetic, potential, integral, momentum; /* scale factor, T, W, I, momentum */
  double first, largest;                            /* T + W at the start of the run; the largest |W| so far */
} mfft_energy_row;

typedef struct mfft_energy {
  mfft_energy_row *row; /* [count] */
  int count, capacity;
} mfft_energy;

void mfft_energy_free(mfft_energy *energy);

/* Adds a row and computes its integral and drift from the preceding row.  Returns 0, or -1 if memory is exhausted. */
int mfft_energy_add(mfft_energy *energy, int step, double a, double kinetic, double potential, double momentum);

double mfft_energy_drift(const mfft_energy_row *row);

/* save: rank 0 writes the rows as a table.  load: reads the rows of the steps `first` to `last`, of
 * which none may be missing, on all ranks; collective. */
mfft_status mfft_energy_save(const mfft_energy *energy, const char *path);
mfft_status mfft_energy_load(const char *path, int first, int last, mfft_energy *energy);

#endif
