/* mfft_motion.h: kicks, drifts and energies of particles, and their sequence in memory, for codes whose particles stay where
 * their mesh is.
 *
 * A time step of a simulation, with all arrays in the memory of a particle mesh's plan (mfft_particles.h):
 *
 *     mfft_particles_kick(mesh, &motion, 1, half, NULL);            p = keep p + kick g
 *     mfft_particles_drift(mesh, &motion, whole, NULL);             x += drift p
 *     mfft_particles_force(mesh, &particles, &force);               g, and the potential
 *     mfft_particles_kick(mesh, &motion, 1, half, NULL);
 *     mfft_particles_energies(mesh, &motion, NULL, sum);            exact sums over the particles of this rank
 *
 * On a device nothing is copied to the host but the sums.  Every operation is rounded by itself, in the same sequence on all
 * backends, so that a step from equal forces has the same bits on a CPU and on a GPU, for any number of threads.
 *
 * Sequence.  Deposit and gather sort particles by tiles of cells.  They take least time when particles that are neighbours
 * in memory are neighbours in space, and several times as long in no order.  mfft_particle_mesh_disorder tells how much the
 * sequence has decayed, and mfft_particles_arrange restores it, which takes about as long as one gather in no order:
 *
 *     mfft_particle_mesh_disorder(mesh, &disorder);                 measured by the last deposit, gather or force
 *     if (disorder > 0.2) mfft_particles_arrange(mesh, &particles, columns, 7);
 *
 * No call is collective.  All are blocking: they are complete when they return.  Errors of all: MFFT_ERR_ARG for pointers
 * that are NULL or not in the memory of the plan and for numbers that are not finite, MFFT_ERR_STATE while another thread
 * runs the plan, MFFT_ERR_MEMORY, MFFT_ERR_CUDA. */
#ifndef MFFT_MOTION_H
#define MFFT_MOTION_H

#include "mfft_array.h"
#include "mfft_particles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Kicks and drifts -------------------------------------------------------------------------------------------------
 *
 * Positions are 64-bit fixed point of the box (MFFT_POSITION_FIXED64), so that a drift wraps by the overflow of integers and
 * has the same resolution everywhere.  With the displacements s1 and s2 of Lagrangian perturbation theory (LPT) a momentum
 * is that beyond LPT, as in COLA (Tassev, Zaldarriaga and Eisenstein 2013, arXiv:1301.0322); without them, the terms in
 * parentheses are absent. */
typedef struct mfft_motion {
  size_t struct_size;      /* set by mfft_motion_init */
  int64_t count;           /* particles of this rank [0] */
  uint64_t *position[3];   /* x [axis][count] */
  double *momentum[3];     /* p [axis][count] */
  const double *force[3];  /* g [axis][count] */
  const double *mass;      /* [count] NULL: all 1 */
  const double *potential; /* [count] NULL: no potential energy */
  const double *first[3];  /* s1 [axis][count], in the unit of the box; NULL: none */
  const double *second[3]; /* s2 [axis][count] */
} mfft_motion;

MFFT_API void mfft_motion_init_sized(mfft_motion *motion, size_t struct_size);
static inline void mfft_motion_init(mfft_motion *motion) { mfft_motion_init_sized(motion, sizeof(mfft_motion)); }

/* p = keep p + kick (g (- lpt_acceleration[0] s1 - lpt_acceleration[1] s2)).  Reads and writes momenta, reads forces.
 * lpt_acceleration = NULL: {0, 0}. */
MFFT_API mfft_status mfft_particles_kick(mfft_particle_mesh mesh, const mfft_motion *motion, double keep, double kick,
                                         const double lpt_acceleration[2]);

/* x += drift p (+ growth[0] s1 + growth[1] s2), in the unit of the mesh's length.  Reads and writes positions, reads
 * momenta.  Particles may then belong to other ranks (mfft_particle_exchange_create).  growth = NULL: {0, 0}. */
MFFT_API mfft_status mfft_particles_drift(mfft_particle_mesh mesh, const mfft_motion *motion, double drift,
                                          const double growth[2]);

/* ---- Energies -------------------------------------------------------------------------------------------------------
 *
 * Exact sums (mfft_array.h) over the particles of this rank, of a mass m times: p.p; the potential; the components of p; and
 * |p|, where p is momentum (+ lpt_momentum[0] s1 + lpt_momentum[1] s2).  The sums of all ranks, added up as mfft_array.h
 * says, have the same bits for any number of ranks and threads, any sequence of the particles, and any backend. */
typedef enum mfft_motion_sum {
  MFFT_MOTION_SQUARES = 0,
  MFFT_MOTION_POTENTIAL = 1,
  MFFT_MOTION_MOMENTUM = 2, /* [3] */
  MFFT_MOTION_MAGNITUDES = 5,
  MFFT_MOTION_SUMS = 6
} mfft_motion_sum;

/* Reads momenta, masses and the potential.  lpt_momentum = NULL: {0, 0}. */
MFFT_API mfft_status mfft_particles_energies(mfft_particle_mesh mesh, const mfft_motion *motion,
                                             const double lpt_momentum[2], mfft_exact_sum sum[MFFT_MOTION_SUMS]);

/* ---- The sequence of particles in memory ----------------------------------------------------------------------------- */

/* The share of neighbours in memory that were in different tiles of cells (of 16x16x32 cells on CPUs, 8x8x32 on GPUs, where
 * neighbours are those of a warp) when particles were last sorted, by a deposit, a gather or a force: near 0 after arrange,
 * near 1 in no order.  0 if none were.  Does not block. */
MFFT_API mfft_status mfft_particle_mesh_disorder(mfft_particle_mesh mesh, double *disorder);

/* Copies columns, the arrays of the particles, into the sequence of the tiles: `in` and `out` of a column have `count`
 * elements.  Particles of a tile get a sequence that differs from run to run on a GPU, and results do not depend on it; an
 * array of identities or indices that moves along tells who is where.  Columns are copied one after another, so that `out`
 * of a column may be `in` of an earlier one: one array more than there are columns is enough.  Where scratch_bytes of the
 * mesh do not suffice for all particles at once, parts of the list are arranged one after another.  On devices element_bytes
 * is a multiple of 4. Errors as of deposit, too. */
MFFT_API mfft_status mfft_particles_arrange(mfft_particle_mesh mesh, const mfft_particles *particles,
                                            const mfft_particle_column *column /* [columns] */, int columns);

#ifdef __cplusplus
}
#endif
#endif
