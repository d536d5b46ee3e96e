/* bodies.h: the particles of this rank in a simulation, as one array of 8-byte numbers for each property.
 *
 * Positions are 64-bit fixed point of the box (mfft_particles.h), so that a drift wraps by the overflow of integers and has
 * the same resolution everywhere.  `index` is the number of a particle among those of its type in the snapshot of the
 * command line: files are written in that order, and are the same for every number of ranks.
 *
 * The arrays are in host memory while particles are read, and from mfft_bodies_place on in the memory of the plan, where
 * steps are done: on a GPU only what is written to files is copied back. */
#ifndef MFFT_APPS_BODIES_H
#define MFFT_APPS_BODIES_H

#include <stdint.h>

#include "base/motion.h"
#include "mfft_motion.h"

/* The arrays of a particle.  The momentum is p = a^2 dx/dt with H0 = 1 (stepping.h), S1 and S2 the coefficients of D1 and D2
 * in the LPT displacement of COLA, lengths are in Mpc/h. */
typedef enum mfft_body {
  MFFT_BODY_X = 0,      /* [3] uint64_t */
  MFFT_BODY_P = 3,      /* [3] double */
  MFFT_BODY_INDEX = 6,  /* uint64_t */
  MFFT_BODY_MASS = 7,   /* double; only if masses differ */
  MFFT_BODY_S1 = 8,     /* [3] double, for COLA */
  MFFT_BODY_S2 = 11,    /* [3] double, for COLA */
  MFFT_BODY_MOVED = 14, /* number of arrays that move with their particles; the others are computed in each step */
  MFFT_BODY_G = 14,     /* [3] double: -grad phi */
  MFFT_BODY_PHI = 17,   /* double */
  MFFT_BODY_ARRAYS = 18
} mfft_body;

typedef struct mfft_bodies {
  int64_t count, capacity;
  int wants[MFFT_BODY_ARRAYS];   /* 1: this run has the array */
  void *array[MFFT_BODY_ARRAYS]; /* [capacity] 8-byte numbers; NULL: the run does not have it */
  const char *device;            /* backend of the plan; NULL: it takes host memory */
  int placed;                    /* 1: the arrays are in the memory of the device */
} mfft_bodies;

/* Enlarges the arrays to at least `count` particles and preserves the existing ones.  Not collective.  free accepts a zeroed
 * object. */
mfft_status mfft_bodies_reserve(mfft_bodies *bodies, int64_t count);
void mfft_bodies_free(mfft_bodies *bodies);

/* The particles as arguments of mfft_particles.h and mfft_motion.h. */
mfft_particles mfft_bodies_positions(const mfft_bodies *bodies);
mfft_motion mfft_bodies_motion(const mfft_bodies *bodies);

/* Moves the arrays to the memory of the plan, for the rest of the run.  Not collective. */
mfft_status mfft_bodies_place(mfft_bodies *bodies);

/* Copies the numbers [first, first + count) of an array to host memory.  Not collective. */
mfft_status mfft_bodies_fetch(const mfft_bodies *bodies, int array, int64_t first, int64_t count, void *host);

/* Moves all particles to the ranks that own their cells.  Collective. */
mfft_status mfft_bodies_move(mfft_bodies *bodies, mfft_particle_mesh mesh);

/* Restores the sequence of the particles in the memory of a device, if the last forces found that it has decayed.  The
 * arrays that are computed in each step lose their contents.  Not collective. */
mfft_status mfft_bodies_arrange(mfft_bodies *bodies, mfft_particle_mesh mesh);

/* Converts fixed point to a position in [0, 1), in units of the box side. */
static inline double mfft_fraction_of(uint64_t fixed) { return (double)(fixed >> 11) * 0x1p-53; }

#endif
