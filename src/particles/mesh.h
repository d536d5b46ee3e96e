/* mesh.h: what a particle mesh is, for the files that work on it. */
#ifndef MFFT_PARTICLES_MESH_H
#define MFFT_PARTICLES_MESH_H

#include <mpi.h>

#include "base/workers.h"
#include "particles/bins.h"
#include "particles/ghosts.h"
#include "particles/kernels.h"
#include "particles/loop.h"
#include "particles/parts.h"

/* Memory that grows to what a call needs, and is kept. */
typedef enum mfft_pm_room {
  MFFT_PM_ROOM_CELLS = 0, /* sums of a deposit; the spectrum of a force, which is made after them */
  MFFT_PM_ROOM_RIMS,      /* ghost cells */
  MFFT_PM_ROOM_TILES,     /* buffers of tiles, for each thread */
  MFFT_PM_ROOM_REAL,      /* the density, the potential and the forces of a force, in turn */
  MFFT_PM_ROOM_SPECTRUM,  /* a spectrum that transforms overwrite */
  MFFT_PM_ROOM_STAGING,   /* particles that leave */
  MFFT_PM_ROOMS
} mfft_pm_room;

struct mfft_particle_mesh_s {
  mfft_plan plan;
  MPI_Comm comm; /* MPI_COMM_NULL on a single rank */
  int rank, ranks;
  mfft_box *box;            /* [ranks] own cells of all ranks */
  double length[3];         /* [axis] */
  mfft_precision precision; /* of the plan */
  mfft_pm_grid grid;
  mfft_pm_parts parts;
  mfft_pm_ghosts *ghosts;
  mfft_pm_bins bins;
  const mfft_pm_kernels *kernels;
  mfft_workers workers;
  size_t scratch_bytes;
  void *room[MFFT_PM_ROOMS];
  size_t room_bytes[MFFT_PM_ROOMS];
  double deposit_s, gather_s; /* what calls took so far */
};

/* MFFT_ERR_ARG for a mesh that is NULL. */
mfft_status mfft_pm_check(mfft_particle_mesh mesh);

/* All ranks fail together; without MPI on a single rank. */
mfft_status mfft_pm_agree(mfft_particle_mesh mesh, mfft_status mine);

/* values[count] become their largest, or their sum modulo 2^64, over the ranks. */
mfft_status mfft_pm_largest(mfft_particle_mesh mesh, double *values, int count);
mfft_status mfft_pm_total(mfft_particle_mesh mesh, int64_t *values, int count);

/* Room for so many bytes, aligned to 64; what was in it is lost where it grows. */
mfft_status mfft_pm_reserve(mfft_particle_mesh mesh, mfft_pm_room room, size_t bytes);

/* Checks a caller's fields and fills in defaults; taken[fields].  Collective: ranks agree. */
enum { MFFT_PM_MOST_FIELDS = 64 };
mfft_status mfft_pm_take(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_field *field, int fields,
                         int values, mfft_particles *particles, mfft_particle_field *taken);

/* Value of a field at particle i. */
static inline double mfft_pm_value(const mfft_particle_field *field, int64_t i) {
  if (!field->value) return 1;
  return field->precision == MFFT_SINGLE ? (double)((const float *)field->value)[i * field->stride]
                                         : ((const double *)field->value)[i * field->stride];
}

/* The particles [start[t], start[t + 1]) of tile t, in batches: their coordinates and shares are computed, then `each` is
 * called with records[count], whose last element is the index in the batch of particles. */
typedef void mfft_pm_each(void *context, int worker, const mfft_pm_tile *tile, const mfft_pm_shares *shares, int count,
                          const int64_t *index /* [count] of the caller's particles */);
void mfft_pm_visit_tile(mfft_particle_mesh mesh, int64_t t, int worker, const mfft_pm_tile *tile, mfft_pm_each *each,
                        void *context);

#endif
