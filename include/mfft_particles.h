/* mfft_particles.h: from particles to a mesh and back, and the forces of a periodic particle-mesh solve.
 *
 * A particle mesh serves the IN side of a real 3D plan: each rank deposits its particles on its box of the mesh and reads
 * fields of the mesh at its particles, whatever boxes the plan has.  A time step of a simulation is
 *
 *     mfft_particle_exchange_create(mesh, &particles, &exchange);       who has left this rank's box?
 *     mfft_particle_exchange_send(exchange, columns, 3);                positions, velocities, identifiers move there
 *     mfft_particles_force(mesh, &particles, &force);                   deposit, transform, Green's function, read out
 *
 * Geometry.  The box is periodic with sides length[a], cut into n[a] cells of width h = length/n.  Mesh point i lies at i*h
 * (as in GADGET and Pylians), with `centered` at (i + 1/2)*h.  A position x lies in cell floor(x/h) modulo n, and a rank
 * owns the particles of the cells in its box of the plan.  Positions beyond the box are wrapped.
 *
 * Assignment (Hockney and Eastwood 1981, chapter 5).  A particle at a distance of d cells from a mesh point gives it the
 * share W(dx) W(dy) W(dz) of its weight.  NGP: 1 for the nearest point.  CIC: 1 - |d| for 2 points an axis.  TSC: 3/4 - d^2
 * within half a cell, else (3/2 - |d|)^2 / 2, 3 points.  PCS: (4 - 6 d^2 + 3 |d|^3)/6 within one cell, else (2 - |d|)^3 / 6,
 * 4 points.  The shares of an axis add up to one.  Gather reads with the same shares, and so is the adjoint of deposit:
 * sum over cells of deposit(w)*f = sum over particles of w*gather(f), to rounding.
 *
 * Reproducibility.  What a mesh gets does not depend on the number of ranks or threads, the boxes, or the order of the
 * particles: the same particles always give the same bits.  Weights are multiplied by a power of two and rounded to 64-bit
 * integers, whose shares are added; the sum of each cell is rounded once to the precision of the mesh.  The power of two
 * follows from the largest weight and the total of all magnitudes, so that no sum overflows and a weight keeps up to 50
 * bits: 62 less the logarithm of the number of particles, if they weigh the same.  The shares of a particle add up to its
 * integer exactly, what rounding leaves goes to the nearest mesh point, so that mass is conserved to the last bit.
 *
 * Memory.  All arrays are in the memory of the plan: device pointers for backend cuda, whose work is queued on the plan's
 * stream and waited for; what ranks send each other goes by the transport of the plan.  A mesh keeps ghost cells around the
 * box, 8 bytes a cell for each field of a deposit unless the mesh is in double and replaced, and memory for sorting
 * particles in parts (scratch_bytes).  The first call that needs memory allocates it.
 *
 * Calls are collective over the plan's ranks and blocking unless they say otherwise; without particles a rank calls with a
 * count of 0.  All ranks fail together, with the status and message of one that failed; the arrays that a failed call writes
 * hold nothing of use then, and the mesh can be used again.  One thread at a time uses a mesh.  With a local plan
 * (mfft_plan_create) no MPI is called. */
#ifndef MFFT_PARTICLES_H
#define MFFT_PARTICLES_H

#include "mfft.h"
#include "mfft_spectrum.h"
#ifdef __cplusplus
extern "C" {
#endif

/* ---- The mesh ----------------------------------------------------------------------------------------------------- */

/* How mass is assigned to mesh points; the value is the order, the number of points an axis. */
typedef enum mfft_assignment { MFFT_NGP = 1, MFFT_CIC = 2, MFFT_TSC = 3, MFFT_PCS = 4 } mfft_assignment;

typedef struct mfft_particle_mesh_desc {
  size_t struct_size;         /* set by mfft_particle_mesh_desc_init */
  double length[3];           /* [axis] sides of the periodic box, in the unit of the positions [1] */
  mfft_assignment assignment; /* [MFFT_TSC] */
  int centered;               /* 1: mesh point i lies at (i + 1/2)*h [0: at i*h] */
  int threads;                /* CPU threads of this rank, 1 to 4096 [0: 1] */
  size_t scratch_bytes; /* for sorting particles; fewer make more sweeps [0: 16 a cell, on devices 24, 64 MiB or more] */
  int blocks; /* several ranks: parts of a transform that are exchanged one after another, see mfft_particles_force [0] */
} mfft_particle_mesh_desc;

/* Fills the descriptor with the defaults above.  Never fails. */
MFFT_API void mfft_particle_mesh_desc_init_sized(mfft_particle_mesh_desc *desc, size_t struct_size);
static inline void mfft_particle_mesh_desc_init(mfft_particle_mesh_desc *desc) {
  mfft_particle_mesh_desc_init_sized(desc, sizeof(mfft_particle_mesh_desc));
}

typedef struct mfft_particle_mesh_s *mfft_particle_mesh;

/* Makes a mesh for the IN side of an R2C plan of rank 3 that transforms all axes, in single or double precision, with any
 * boxes and either placement.  The plan must outlive the mesh.  If it is in place, with user_workspace and none set, the
 * mesh gives it memory that its own calls use too: it executes between them, until destroy.  All fields but threads and
 * scratch_bytes are the same on all ranks.  Errors: MFFT_ERR_ARG for a bad field, MFFT_ERR_UNSUPPORTED for other plans and
 * those with host_arrays on "cuda", MFFT_ERR_MISMATCH, MFFT_ERR_MEMORY.  destroy: collective, accepts NULL. */
MFFT_API mfft_status mfft_particle_mesh_create(mfft_plan plan, const mfft_particle_mesh_desc *desc,
                                               mfft_particle_mesh *mesh);
MFFT_API void mfft_particle_mesh_destroy(mfft_particle_mesh mesh);

/* The memory that the mesh holds on this rank now, beside the plan and the caller's arrays.  Not collective. */
MFFT_API mfft_status mfft_particle_mesh_bytes(mfft_particle_mesh mesh, size_t *bytes);

/* Seconds that deposits and gathers have taken here, those of forces and waiting for ranks included.  Not collective. */
MFFT_API mfft_status mfft_particle_mesh_seconds(mfft_particle_mesh mesh, double *deposit, double *gather);

/* ---- Particles ---------------------------------------------------------------------------------------------------- */

/* The type of a coordinate.  A fixed-point number p of b bits stands for the position p * length / 2^b, so that every value
 * is inside of the box and wrapping is the overflow of integers. */
typedef enum mfft_position_type {
  MFFT_POSITION_DOUBLE = 0,  /* double */
  MFFT_POSITION_SINGLE = 1,  /* float */
  MFFT_POSITION_FIXED32 = 2, /* uint32_t */
  MFFT_POSITION_FIXED64 = 3  /* uint64_t */
} mfft_position_type;

/* The particles of this rank.  Coordinate a of particle i is element i*stride of the array position[a]: three arrays with a
 * stride of 1, or one array of triples with position = {p, p + 1, p + 2} and a stride of 3. */
typedef struct mfft_particles {
  size_t struct_size;      /* set by mfft_particles_init */
  int64_t count;           /* [0] */
  mfft_position_type type; /* [MFFT_POSITION_DOUBLE] */
  const void *position[3]; /* [axis][(count - 1)*stride + 1]; may be NULL where count is 0 */
  int64_t stride;          /* elements from one particle to the next [0: 1] */
} mfft_particles;
MFFT_API void mfft_particles_init_sized(mfft_particles *particles, size_t struct_size);
static inline void mfft_particles_init(mfft_particles *particles) {
  mfft_particles_init_sized(particles, sizeof(mfft_particles));
}

/* The bytes that a mesh will hold here after deposits and gathers of `fields` fields at a time, and with forces 1 (with
 * MFFT_GREEN_GRADIENT_MESH 2) after mfft_particles_force, for particles of this count and type; exchanged: those of the
 * largest column that leave this rank.  Deposits that add in double take 8 bytes a cell more.  Not collective. */
typedef struct mfft_particle_mesh_need {
  size_t ghosts, sorting, meshes; /* sorting: of particles by tiles, and those that leave; meshes: sums, arrays of forces */
} mfft_particle_mesh_need;
MFFT_API mfft_status mfft_particle_mesh_estimate(mfft_particle_mesh mesh, const mfft_particles *particles, int fields,
                                                 int forces, size_t exchanged, mfft_particle_mesh_need *need);

/* A field on the mesh and its values at the particles. */
typedef struct mfft_particle_field {
  size_t struct_size;       /* set by mfft_particle_field_init; the same in all elements of an array */
  void *mesh;               /* an IN array of the plan */
  void *value;              /* [count] value of particle i at element i*stride.  deposit: weights, NULL: all 1 */
  mfft_precision precision; /* of the values: MFFT_DOUBLE or MFFT_SINGLE [MFFT_DOUBLE] */
  int64_t stride;           /* elements from one value to the next [0: 1] */
  int add;                  /* 1: adds to what is in the array that the call writes [0: replaces it] */
  int remove_mean;          /* deposit, 1: subtracts the mean over all cells before anything is rounded [0] */
} mfft_particle_field;
MFFT_API void mfft_particle_field_init_sized(mfft_particle_field *field, size_t struct_size);
static inline void mfft_particle_field_init(mfft_particle_field *field) {
  mfft_particle_field_init_sized(field, sizeof(mfft_particle_field));
}

/* Assigns the weights of all particles to the mesh: each cell gets the sum of their shares, such as a mass, which over the
 * volume of a cell is a density.  Several fields at once, such as a mass and three momenta, cost less than one after
 * another.  Cells of padded rows beyond the box are left alone.  All ranks give as many fields, with the same add and
 * remove_mean.  Errors: MFFT_ERR_NONFINITE for a position or weight that is NaN or infinite, which it names by index, and
 * for sums beyond the precision of the mesh; MFFT_ERR_ARG for a particle that another rank owns, see
 * mfft_particle_exchange_create; MFFT_ERR_MISMATCH, MFFT_ERR_MEMORY. */
MFFT_API mfft_status mfft_particles_deposit(mfft_particle_mesh mesh, const mfft_particles *particles,
                                            const mfft_particle_field *field /* [fields] */, int fields);

/* Reads fields of the mesh at the particles.  Sums are made in double and rounded once, in an order that depends on the
 * particle alone.  Errors as of deposit. */
MFFT_API mfft_status mfft_particles_gather(mfft_particle_mesh mesh, const mfft_particles *particles,
                                           const mfft_particle_field *field /* [fields] */, int fields);

/* ---- Particles to the ranks that own them ------------------------------------------------------------------------- */

typedef struct mfft_particle_exchange_s *mfft_particle_exchange;
/* Finds which rank owns each particle, and how many will arrive here.  Keeps 4 bytes a particle and nothing of the caller's.
 * On a device positions and columns may be in its memory or that of the host.  The mesh must outlive the exchange.
 * Particles arrive in the sequence of the ranks that they come from, and among those of one rank in the sequence in which
 * that has them.  Errors: MFFT_ERR_NONFINITE, ARG, MEMORY; UNSUPPORTED for 2^32 here.  destroy: not collective; or NULL. */
MFFT_API mfft_status mfft_particle_exchange_create(mfft_particle_mesh mesh, const mfft_particles *particles,
                                                   mfft_particle_exchange *exchange);
MFFT_API void mfft_particle_exchange_destroy(mfft_particle_exchange exchange);

/* How many particles this rank has after a send, and how many of those that it has before stay here.  Either may be NULL.
 * Not collective. */
MFFT_API mfft_status mfft_particle_exchange_count(mfft_particle_exchange exchange, int64_t *arriving, int64_t *staying);

/* One array of a structure of arrays: an element for each particle, such as 12 bytes for three floats of a velocity. */
typedef struct mfft_particle_column {
  int64_t element_bytes; /* 1 to 4096, the same on all ranks */
  const void *in;        /* send: [particles of create]; return: [arriving] */
  void *out;             /* send: [arriving]; return: [particles of create]; must not overlap `in` */
} mfft_particle_column;

/* Moves columns to the owners, and back to where the particles came from and into their sequence there, any number of times
 * in any order.  Counts may pass 2^31.  What is packed at a time is at most the mesh's scratch_bytes.  Errors: MFFT_ERR_ARG,
 * MFFT_ERR_MISMATCH, MFFT_ERR_MEMORY, MFFT_ERR_MPI. */
MFFT_API mfft_status mfft_particle_exchange_send(mfft_particle_exchange exchange,
                                                 const mfft_particle_column *column /* [columns] */, int columns);
MFFT_API mfft_status mfft_particle_exchange_return(mfft_particle_exchange exchange,
                                                   const mfft_particle_column *column /* [columns] */, int columns);

/* ---- Green's function of a periodic Poisson solve ------------------------------------------------------------------------
 *
 * Filters (mfft_spectrum.h) that make the potential of laplacian(phi) = c*rho and its force -gradient(phi) of the spectrum
 * of rho, with w_a = 2 pi m_a/n_a on axis a:
 *
 *     phi(k)     = -c rho(k) F(k) / S(k), 0 at k = 0        force_a(k) = -i g_a phi(k)
 *     S          sum over axes: k^2; FD2 4 s^2/h^2 with s = sin(w/2); FD4 4 s^2 (1 + s^2/3)/h^2
 *     g          spectral k; FD4 and MESH (8 sin w - sin 2w)/(6 h) (the usual four-point difference); all 0 at m = n/2
 *     F          product over axes: exp(-k^2 rs^2) of a split at rs, over sinc(w/2)^(order*deconvolve) of the assignment */
typedef enum mfft_green_laplacian { MFFT_GREEN_SPECTRAL = 0, MFFT_GREEN_FD2 = 1, MFFT_GREEN_FD4 = 2 } mfft_green_laplacian;
typedef enum mfft_green_gradient {
  MFFT_GREEN_GRADIENT_FD4 = 0,
  MFFT_GREEN_GRADIENT_SPECTRAL = 1,
  MFFT_GREEN_GRADIENT_MESH = 2 /* as FD4; mfft_particles_force takes the differences of phi on the mesh */
} mfft_green_gradient;

typedef struct mfft_green_desc {
  size_t struct_size;             /* set by mfft_green_desc_init */
  int64_t n[3];                   /* [axis] cells */
  double length[3];               /* [axis] sides of the box [1] */
  mfft_green_laplacian laplacian; /* [MFFT_GREEN_SPECTRAL] */
  mfft_green_gradient gradient;   /* [MFFT_GREEN_GRADIENT_FD4] */
  mfft_assignment assignment;     /* [MFFT_TSC] */
  int deconvolve;                 /* how many times its window is divided out: 0, 1, or 2 for deposit and gather [0] */
  double split;                   /* rs in widths of the largest cell; 0: no split, all of the force [0] */
} mfft_green_desc;
MFFT_API void mfft_green_desc_init_sized(mfft_green_desc *desc, size_t struct_size);
static inline void mfft_green_desc_init(mfft_green_desc *desc) { mfft_green_desc_init_sized(desc, sizeof(mfft_green_desc)); }

typedef struct mfft_green_s *mfft_green;
/* Makes the tables, 3 doubles for each cell of an axis.  Errors: MFFT_ERR_ARG, MFFT_ERR_MEMORY.  destroy accepts NULL.
 * filter: of the potential (axis -1) or of the force along an axis, for mfft_plan_set_filter, times `factor`: c, times what
 * makes a round trip of the plan the identity.  Its tables belong to the Green's function.  None is collective. */
MFFT_API mfft_status mfft_green_create(const mfft_green_desc *desc, mfft_green *green);
MFFT_API mfft_status mfft_green_filter(mfft_green green, int axis, double factor, mfft_filter *filter);
MFFT_API void mfft_green_destroy(mfft_green green);

/* ---- Forces ------------------------------------------------------------------------------------------------------- */

/* A Poisson solve for forces on particles, and where its results go.  With c = 4 pi G the force is an acceleration in the
 * units of the caller.  The defaults have the smallest errors of a pure particle mesh; deconvolution amplifies the noise of
 * discrete particles and belongs to a split force alone (docs/particles.md). */
typedef struct mfft_force_desc {
  size_t struct_size;             /* set by mfft_force_desc_init */
  const void *mass;               /* [count] of each particle, NULL: all 1 */
  mfft_precision mass_precision;  /* MFFT_DOUBLE or MFFT_SINGLE [MFFT_DOUBLE] */
  double coefficient;             /* c of laplacian(phi) = c*(rho - mean), rho the mass over the volume of a cell [1] */
  mfft_green_laplacian laplacian; /* these four as in mfft_green_desc */
  mfft_green_gradient gradient;
  int deconvolve;
  double split;
  void *force[3];           /* [axis][count] -gradient(phi) at the particles; NULL: not this component */
  void *potential;          /* [count] phi at the particles; NULL: not wanted */
  mfft_precision precision; /* of these results [MFFT_DOUBLE] */
  int64_t stride;           /* elements from one particle to the next, as of positions, in all of them [0: 1] */
  int add;                  /* 1: adds to what the results hold, as where near forces are there [0: replaces it] */
} mfft_force_desc;
MFFT_API void mfft_force_desc_init_sized(mfft_force_desc *desc, size_t struct_size);
static inline void mfft_force_desc_init(mfft_force_desc *desc) { mfft_force_desc_init_sized(desc, sizeof(mfft_force_desc)); }

/* Deposits the masses, transforms, multiplies by the Green's function and reads the results at the particles: one forward
 * transform, and a backward one for each result; with MFFT_GREEN_GRADIENT_MESH a backward one in all, whose differences are
 * read, with rounding errors that grow with n.  The particles lie on the ranks that own them.  The plan has filtered set for
 * MFFT_BACKWARD, and any scales.  Keeps two arrays of the plan; with MESH and a plan in place one, and a quarter, on GPUs
 * half, for the sums of a deposit into single, which share their memory with the sorts if scratch_bytes do not sort all
 * particles at once.  Slabs of several ranks need the plan's workspace, an array, beside it, or with desc.blocks two of so
 * many parts, and the mesh gives the plan none.  All ranks, also those without particles, ask for the same results, and a
 * lattice of whole cells feels no force.  Errors of deposit, gather, mfft_execute; MFFT_ERR_STATE: no filter. */
MFFT_API mfft_status mfft_particles_force(mfft_particle_mesh mesh, const mfft_particles *particles,
                                          const mfft_force_desc *force);

#ifdef __cplusplus
}
#endif
#endif
