/* particles.h: the calls of a backend for particles on a mesh in the memory of its device (mfft_particles.h).
 *
 * All arrays are device memory, and all work is queued on the stream.  Calls that return numbers wait for the stream.  The
 * calling thread has entered the plan's device. */
#ifndef MFFT_LOCAL_PARTICLES_H
#define MFFT_LOCAL_PARTICLES_H

#include "base/block.h"
#include "mfft.h"
#include "mfft_array.h"

enum { MFFT_RIMS = 6 };

/* The part of a mesh in this process: own cells, in an array of any strides, and six rims of ghost cells in another array.
 * A ghost cell is in the rim of the first axis on which it lies outside of the own cells: rim 2a below them, 2a + 1 above.
 */
typedef struct mfft_particle_space {
  mfft_precision precision;                               /* of the mesh: MFFT_DOUBLE or MFFT_SINGLE */
  int order;                                              /* points of the window on an axis, 1 to 4 */
  int low, high;                                          /* ghost cells below and above the own cells, at most 3 together */
  double shift;                                           /* position of mesh point 0, in cells */
  double scale[3];                                        /* cells in a unit of length */
  int64_t n[3];                                           /* cells of the whole mesh, at most 2^30 */
  int64_t lo[3], extent[3];                               /* own cells */
  int64_t stride[3];                                      /* elements of the own array */
  int memory[3];                                          /* axes from the slowest to the fastest in memory */
  int64_t rim_start[MFFT_RIMS], rim_stride[MFFT_RIMS][3]; /* element of the cell with index lo, which may be outside */
} mfft_particle_space;

/* Some consecutive particles: coordinate a of particle i is element i*stride of position[a]. */
typedef struct mfft_particle_list {
  const void *position[3];
  int type, position_bytes; /* mfft_position_type */
  int64_t stride, count;    /* count: at most MFFT_PARTICLE_MOST */
} mfft_particle_list;
enum { MFFT_PARTICLE_MOST = 1 << 30, MFFT_PARTICLE_NEIGHBOURS = 32 };

/* A list with one number for each particle: the weights of a deposit, or the results of a gather. */
typedef struct mfft_particle_values {
  void *value; /* NULL: all 1 */
  mfft_precision precision;
  int64_t stride;
  int add; /* gather: 1: adds to the numbers of the list; 0: replaces them */
} mfft_particle_values;

/* Particles sorted by tiles, in memory of the caller, which may be used for other lists of up to `capacity` particles. */
typedef struct mfft_particle_sort {
  void *tables, *records; /* [table_bytes], [record_bytes] */
  int64_t capacity;
  int64_t items;   /* units of work of deposit and gather, each some particles of one tile */
  int64_t changes; /* neighbours among each MFFT_PARTICLE_NEIGHBOURS of the list that are in different tiles */
  int type;        /* of the positions */
  double disorder; /* given: neighbours in different tiles when the particles were last sorted, 0 to 1; it affects speed
                      alone */
  int may_be_in_sequence; /* given: 1: the sort first checks whether the list is in the sequence of the tiles already */
  int in_list;            /* 1: it is, and is read in place of records, so that it must not change until the next sort */
  mfft_particle_list list;
} mfft_particle_sort;

/* The sums of 64-bit integers to which the shares of sorted particles are added. */
typedef struct mfft_particle_target {
  void *own, *rims;  /* NULL: shares of such cells are left out; without `own` particles far from ghost cells are, too */
  int64_t own_start; /* element of `own` that the first own cell has, or would have */
  int axis;          /* of all tiles only those are processed that begin at own cells [lo, hi) of this axis */
  int64_t lo, hi;
} mfft_particle_target;

/* Fields that are differences of four points of one field, (8 (u[i+1] - u[i-1]) - (u[i+2] - u[i-2])) times factor, rounded
 * to the precision of the mesh. */
typedef struct mfft_particle_slopes {
  const mfft_particle_space *space; /* of its rims, which have two more layers of ghost cells */
  const int *axis;                  /* [fields] -1: the field itself */
  const double *factor;             /* [fields] */
} mfft_particle_slopes;

/* A table in device memory by which the rank that owns a cell is found: planes through all edges of all boxes cut the mesh
 * into coarse cells, each of which belongs to one rank (particles/owner.h). */
typedef struct mfft_particle_owners {
  int ranks;
  int edges[3];
  const int64_t *edge[3]; /* [edges[axis]] ascending, from 0 to n */
  const int32_t *rank;    /* [edges[0] - 1][edges[1] - 1][edges[2] - 1] */
} mfft_particle_owners;
enum { MFFT_INTO_ORDER = 0, MFFT_OUT_OF_ORDER = 1 }; /* directions of `reorder` */

/* The arrays of particles that move, [count], and the factors of a kick, a drift or energies (base/motion.h). */
typedef struct mfft_particle_motion {
  int64_t count;
  uint64_t *position[3];
  double *momentum[3];
  const double *force[3], *mass, *potential; /* mass NULL: all 1; potential NULL: no potential energy */
  const double *first[3], *second[3];        /* displacements of LPT; NULL: none */
  double keep, kick, drift, length[3];
  double lpt[2]; /* factors of the displacements */
} mfft_particle_motion;
enum { MFFT_PARTICLE_SUMS = 6 };

typedef struct mfft_particle_calls {
  const int *tile_log; /* [axis] binary logarithms of the cells of a tile */

  /* Compiles the kernels of the calls below. */
  mfft_status (*prepare)(const mfft_particle_space *space);

  /* Bytes of the memory of a sort; for 0 particles the tables have bytes, too. */
  size_t (*table_bytes)(const mfft_particle_space *space, int64_t capacity);
  size_t (*record_bytes)(int64_t capacity, int position_bytes);

  /* Sorts particles.  bad: index of the first position that is not finite, of the first particle outside of the own cells;
   * -1: none. */
  mfft_status (*sort)(const mfft_particle_space *space, const mfft_particle_list *list, mfft_particle_sort *sort,
                      int64_t bad[2], void *stream);

  /* Adds weights to sums.  A weight becomes an integer by the factors `to`. */
  mfft_status (*deposit)(const mfft_particle_space *space, const mfft_particle_sort *sort,
                         const mfft_particle_values *weight, const double to[2], const mfft_particle_target *target,
                         void *stream);

  /* The same for particles in the sequence of the list, without a sort, to own cells and rims of all tiles.  sorts: whether
   * a sort pays for a window.  tables: as those of a sort; bad: as of sort; changes: as in mfft_particle_sort. */
  int (*sorts)(int order);
  mfft_status (*deposit_direct)(const mfft_particle_space *space, const mfft_particle_list *list,
                                const mfft_particle_values *weight, const double to[2], void *own, void *rims, void *tables,
                                int64_t bad[2], int64_t *changes, void *stream);

  /* Reads fields: own[fields] and rims[fields] are of the precision of the mesh.  slopes: they are differences of own[0] and
   * rims[0]; NULL: they are not. */
  mfft_status (*gather)(const mfft_particle_space *space, const mfft_particle_sort *sort, const mfft_particle_values *value,
                        void *const *own, void *const *rims, int fields, const mfft_particle_slopes *slopes, void *stream);

  /* The largest magnitude of some weights, and the index of the first that is not finite, or -1; the sum of their magnitudes
   * times unit[0] times unit[1], each rounded up to an integer; the sum, modulo 2^64, of the integers that they are for the
   * factors `to` of a deposit.  tables: as those of a sort. */
  mfft_status (*largest)(const mfft_particle_values *weight, int64_t count, void *tables, double *largest, int64_t *bad,
                         void *stream);
  mfft_status (*magnitudes)(const mfft_particle_values *weight, int64_t count, const double unit[2], void *tables,
                            int64_t *total, void *stream);
  mfft_status (*integers)(const mfft_particle_values *weight, int64_t count, const double to[2], void *tables,
                          int64_t *total, void *stream);

  /* Clears own cells of 64-bit integers, but not the gaps between their rows. */
  mfft_status (*clear)(const mfft_particle_space *space, void *sums, void *stream);

  /* Computes the mesh of a deposit, (sum - mean)*from[0]*from[1], in the array of the sums or in another one; infinite: the
   * number of results that are not finite. */
  mfft_status (*store)(const mfft_particle_space *space, const void *sums, int64_t mean, const double from[2], int add,
                       void *mesh, void *tables, int64_t *infinite, void *stream);

  /* Copies `count` elements of a column, which consist of words of 4 bytes, into the order of the sorted particles. */
  mfft_status (*arrange)(const mfft_particle_sort *sort, int64_t count, int64_t element_bytes, const void *in, void *out,
                         void *stream);

  /* Lists the particles by the ranks that own them, those of a rank in their sequence: order[count] of the indices, count at
   * most 2^32 - 1, and owned[ranks] on the host.  memory: [owner_bytes(ranks)].  bad: index of the first position that is
   * not finite, or -1.  reorder: INTO out[i] = in[order[i]], OUT_OF out[order[i]] = in[i], of elements of any bytes. */
  size_t (*owner_bytes)(int ranks);
  mfft_status (*order)(const mfft_particle_space *space, const mfft_particle_list *list, const mfft_particle_owners *owners,
                       void *memory, uint32_t *order, int64_t *owned, int64_t *bad, void *stream);
  mfft_status (*reorder)(const uint32_t *order, int64_t count, int64_t element_bytes, int direction, const void *in,
                         void *out, void *stream);

  /* Kick and drift, and exact sums over particles in the sequence of mfft_motion_sum; memory: [energy_bytes()]. */
  mfft_status (*kick)(const mfft_particle_motion *motion, void *stream);
  mfft_status (*drift)(const mfft_particle_motion *motion, void *stream);
  size_t (*energy_bytes)(void);
  mfft_status (*energies)(const mfft_particle_motion *motion, void *memory, mfft_exact_sum sum[MFFT_PARTICLE_SUMS],
                          void *stream);

  /* Adds blocks of 64-bit integers to an array; blocks may have elements of `out` in common. */
  mfft_status (*fold)(const mfft_block *blocks, int64_t nblocks, const void *in, void *out, void *stream);
} mfft_particle_calls;

#endif
