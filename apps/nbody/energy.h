/* energy.h: momentum and energy of the particles of a run, step by step, and the file that has them.
 *
 * With the mass of all particles as 1, T = 1/2 sum of m (p/a)^2 and W = 1/2 sum of m phi/a are the peculiar kinetic and
 * potential energy, in (km/s)^2 where H0 is 100.  They obey the equation of Layzer (1963) and Irvine (1961), d(T + W)/da =
 * -(2T + W)/a, so that T + W + I stays what it was, I being the integral of (2T + W) da/a, with 2T + W taken for c/a + d a
 * within a step: `drift` is the change of the sum over the largest |W| so far.  The energy of each particle in its own cloud
 * is part of W, and goes as 1/a, which obeys the equation by itself.
 *
 * The momentum is that of all particles over the sum of their magnitudes.  Sums are exact, and so are the same for every
 * number of ranks and sequence of particles. */
#ifndef MFFT_APPS_ENERGY_H
#define MFFT_APPS_ENERGY_H

#include "mfft.h"

typedef struct mfft_energy_row {
  int step; /* that ends at a; 0: the beginning */
  double a, kinetic, potential, integral, first, largest, momentum;
} mfft_energy_row;

typedef struct mfft_energy {
  mfft_energy_row *row; /* [count] */
  int count, room;
} mfft_energy;

void mfft_energy_free(mfft_energy *energy);

/* Adds a row, with what follows from the one before.  0, or -1 where there is no memory. */
int mfft_energy_add(mfft_energy *energy, int step, double a, double kinetic, double potential, double momentum);

double mfft_energy_drift(const mfft_energy_row *row);

/* Writes the rows as a table, by rank 0; reads the rows of steps up to `last` back, on all ranks. */
mfft_status mfft_energy_save(const mfft_energy *energy, const char *path);
mfft_status mfft_energy_load(const char *path, int last, mfft_energy *energy);

#endif
