/* spread.h: particles of a catalogue on a mesh, with or without interlacing.
 *
 * Interlacing of order m (Hockney and Eastwood 1981; Sefusatti et al. 2016) deposits the particles on m meshes, each shifted
 * by a further 1/m of a cell along every axis, and averages their spectra, each multiplied by the phase that undoes its
 * shift.  Images of the spectrum at k + 2 pi (n1, n2, n3)/h cancel unless n1 + n2 + n3 is a multiple of m. */
#ifndef MFFT_APPS_SPREAD_H
#define MFFT_APPS_SPREAD_H

#include "catalogue/owned.h"

/* Weight of a particle. */
typedef enum mfft_spread_weight {
  MFFT_SPREAD_MASS,       /* its mass, or 1 if all masses are the same */
  MFFT_SPREAD_MOMENTUM_X, /* MFFT_SPREAD_MASS times a component of its stored velocity */
  MFFT_SPREAD_MOMENTUM_Y,
  MFFT_SPREAD_MOMENTUM_Z
} mfft_spread_weight;

typedef struct mfft_spread {
  const mfft_catalogue *catalogue;
  const mfft_mesh *mesh;
  mfft_mesh_plan *plan;
  mfft_assignment assignment;
  int centered;                      /* 1: mesh point i is at (i + 1/2)*h; 0: at i*h */
  int interlace;                     /* order: 1 none, 2 or 3 */
  int velocity;                      /* 1: momenta will be requested */
  mfft_particle_placement placement; /* set by the caller, except for `shift` */
  mfft_particle_mesh particles[2];   /* meshes with points at i*h, at (i + 1/2)*h */
  mfft_owned owned;                  /* the particles, shifted by `loaded` cells */
  double loaded;                     /* NAN: not loaded */
  double weight, squares;            /* sums over all particles of mass and mass^2; of 1 if all masses are the same */
} mfft_spread;

/* Checks the fields above, which the caller has filled in down to the placement, and loads the particles.  weight and
 * squares have the same bits for every number of ranks.  Collective.  free accepts zeroed and half-built objects. */
mfft_status mfft_spread_begin(mfft_spread *spread);
void mfft_spread_end(mfft_spread *spread);

/* The most memory that the calls below will hold beside the plan and its arrays.  Reads no particles, and makes the particle
 * meshes alone, of a plan that may lack its arrays.  Collective; spread_end follows. */
typedef struct mfft_spread_need {
  double particles, ghosts, meshes; /* bytes: particles and their sort; ghost cells; sums, modes of other meshes */
} mfft_spread_need;
mfft_status mfft_spread_estimate(mfft_spread *spread, mfft_spread_need *need);

/* Computes the sums of weights in the cells, in plan->real; remove_mean: 1: minus their mean.  With interlacing the average
 * spectrum is transformed back and divided by the number of cells.  Collective. */
mfft_status mfft_spread_real(mfft_spread *spread, mfft_spread_weight weight, int remove_mean);

/* Computes the transform of the sums of weights minus their mean, in plan->modes; overwrites plan->real.  Collective. */
mfft_status mfft_spread_modes(mfft_spread *spread, mfft_spread_weight weight);

#endif
