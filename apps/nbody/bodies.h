/* bodies.h: the particles of this rank in a simulation, as one array of 8-byte numbers for each property.
 *
 * Positions are 64-bit fixed point of the box (mfft_particles.h), so that a drift wraps by the overflow of integers and has
 * the same resolution everywhere.  `index` is the number of a particle among those of its type in the snapshot of the
 * command line: files are written in that order, and are the same for every number of ranks. */
#ifndef MFFT_APPS_BODIES_H
#define MFFT_APPS_BODIES_H

#include <stdint.h>

#include "base/workers.h"
#include "io/placed.h"
#include "mfft_particles.h"

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
  int64_t count, room;
  int wants[MFFT_BODY_ARRAYS];          /* 1: this run has the array */
  void *array[MFFT_BODY_ARRAYS];        /* [room] 8-byte numbers; NULL: the run does not have it */
  mfft_placed placed[MFFT_BODY_ARRAYS]; /* while forces are computed, in the memory of the plan */
  const char *device;                   /* backend of the plan; NULL: it takes host memory */
  mfft_workers workers;
} mfft_bodies;

/* Enlarges the arrays to at least `count` particles and preserves the existing ones.  Not collective.  free accepts a zeroed
 * object. */
mfft_status mfft_bodies_reserve(mfft_bodies *bodies, int64_t count);
void mfft_bodies_free(mfft_bodies *bodies);

/* The positions as an argument of the exchanges of mfft_particles.h, in host memory. */
mfft_particles mfft_bodies_positions(const mfft_bodies *bodies);

/* Makes copies of the positions and masses in the memory of the plan, *particles and placed[MFFT_BODY_MASS], and room for
 * the arrays [G, ARRAYS) if `results` is 1; take_back copies these into the arrays.  Memory of a device is kept until there
 * are more particles.  Not collective. */
mfft_status mfft_bodies_place(mfft_bodies *bodies, int results, mfft_particles *particles);
mfft_status mfft_bodies_take_back(mfft_bodies *bodies);

/* Moves all particles to the ranks that own their cells.  Collective. */
mfft_status mfft_bodies_move(mfft_bodies *bodies, mfft_particle_mesh mesh);

/* Work on the particles [first, end); mfft_bodies_run calls it on several threads. */
typedef void mfft_bodies_part(void *context, int64_t first, int64_t end, int worker);
void mfft_bodies_run(const mfft_bodies *bodies, mfft_bodies_part *part, void *context);

/* Converts a position in units of the box side to fixed point; any finite number is wrapped. */
static inline uint64_t mfft_fixed_of(double fraction) {
  const double wrapped = fraction - (double)__builtin_rint(fraction); /* -1/2 to 1/2, exact */
  return (uint64_t)(int64_t)(wrapped * 0x1p62) << 2;
}

/* Converts fixed point to a position in [0, 1), in units of the box side. */
static inline double mfft_fraction_of(uint64_t fixed) { return (double)(fixed >> 11) * 0x1p-53; }

#endif
