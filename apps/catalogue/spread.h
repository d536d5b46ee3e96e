/* spread.h: particles of a catalogue on a mesh, with or without interlacing.
 *
 * Interlacing of order m (Hockney and Eastwood 1981; Sefusatti et al. 2016) deposits the particles on m meshes, each shifted
 * by a further 1/m of a cell along every axis, and averages their spectra, each brought back by the phase of its shift.  The
 * images of the spectrum at k + 2 pi (n1, n2, n3)/h whose n1 + n2 + n3 is no multiple of m vanish. */
#ifndef MFFT_APPS_SPREAD_H
#define MFFT_APPS_SPREAD_H

#include "catalogue/owned.h"

/* What each particle gives to the mesh. */
typedef enum mfft_spread_weight {
  MFFT_SPREAD_MASS,       /* its mass, or 1 where all have the same */
  MFFT_SPREAD_MOMENTUM_X, /* that times a component of its velocity as stored */
  MFFT_SPREAD_MOMENTUM_Y,
  MFFT_SPREAD_MOMENTUM_Z
} mfft_spread_weight;

typedef struct mfft_spread {
  const mfft_catalogue *catalogue;
  const mfft_mesh *mesh;
  mfft_mesh_plan *plan;
  mfft_assignment assignment;
  int centered;                      /* mesh point i lies at (i + 1/2)*h */
  int interlace;                     /* 1: none; 2, 3 */
  int velocity;                      /* 1: momenta will be asked for */
  mfft_particle_placement placement; /* its shift is set here */
  mfft_particle_mesh particles[2];   /* points at i*h, at (i + 1/2)*h */
  mfft_owned owned;                  /* of the shift `loaded` */
  double loaded;                     /* NAN: nothing */
  double weight, squares;            /* sums over all particles of mass and mass^2; of 1 where all are the same */
} mfft_spread;

/* Whether the fields above, which the caller has filled in down to the placement, can be had; loads the particles.  Same
 * bits of weight and squares for every number of ranks.  Collective.  free accepts zeroed and half-built objects. */
mfft_status mfft_spread_begin(mfft_spread *spread);
void mfft_spread_end(mfft_spread *spread);

/* The sums of weights in the cells, in plan->real; remove_mean: less their mean.  Interlaced ones are transformed back and
 * divided by the number of cells.  Collective. */
mfft_status mfft_spread_real(mfft_spread *spread, mfft_spread_weight weight, int remove_mean);

/* The transform of the sums of weights, less their mean, in plan->modes; plan->real is used up.  Collective. */
mfft_status mfft_spread_modes(mfft_spread *spread, mfft_spread_weight weight);

#endif
