/* owned.h: the particles of a catalogue on the ranks that own their cells. */
#ifndef MFFT_APPS_OWNED_H
#define MFFT_APPS_OWNED_H

#include "catalogue/catalogue.h"
#include "io/placed.h"

/* Placement of particles: x is replaced by fold*x + rsd*(v.los)*los + shift, modulo the box. */
typedef struct mfft_particle_placement {
  double fold;   /* 1: none; f: f^3 parts of the box are superposed (Jenkins et al. 1998) */
  double rsd;    /* stored length of the displacement by a stored velocity of 1; 0: real space */
  double los[3]; /* [axis] unit vector along the line of sight */
  double shift;  /* shift along each axis, in cells */
} mfft_particle_placement;

typedef struct mfft_owned {
  mfft_particle_exchange exchange; /* NULL on one rank */
  mfft_particles particles;        /* count, and positions as triples in the memory of the plan */
  mfft_placed placed;              /* the positions there */
  void *position;                  /* [count][3] floats or doubles */
  double *mass;                    /* [count]; NULL: all masses are the same, and the weights are 1 */
  double *velocity;                /* [count][3] as stored; NULL if not requested */
} mfft_owned;

/* Reads this rank's share, sends each particle to its owner, and copies the positions to the device, if the plan of the
 * particle mesh is on one.  velocity: 1: with velocities.  Collective.  free accepts zeroed and half-built objects. */
mfft_status mfft_owned_load(const mfft_catalogue *catalogue, const mfft_mesh *mesh, mfft_plan plan,
                            mfft_particle_mesh particle_mesh, const mfft_particle_placement *placement, int velocity,
                            mfft_owned *owned);
void mfft_owned_free(mfft_owned *owned);

/* Bytes of this rank's share of all columns that are read, of those that the owners hold, and of the largest of these, where
 * all ranks own as many particles; rsd: 1 where velocities displace.  Not collective. */
typedef struct mfft_owned_bytes {
  double share, held, largest;
} mfft_owned_bytes;
mfft_owned_bytes mfft_owned_estimate(const mfft_catalogue *catalogue, int velocity, int rsd);

/* Sends a column of the owners, [count] elements, back to the ranks that have read the particles: [catalogue->count]
 * elements in the order of the file.  Collective. */
mfft_status mfft_owned_return(const mfft_owned *owned, int64_t element_bytes, const void *column, void *in_file_order,
                              int64_t count);

#endif
