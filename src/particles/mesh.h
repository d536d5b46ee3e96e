/* mesh.h: the particle mesh, and functions that deposit, gather, exchange and force share. */
#ifndef MFFT_PARTICLES_MESH_H
#define MFFT_PARTICLES_MESH_H

#include <mpi.h>

#include "base/workers.h"
#include "dist/dynamic.h"
#include "particles/bins.h"
#include "particles/ghosts.h"
#include "particles/kernels.h"
#include "particles/loop.h"
#include "particles/parts.h"
#include "particles/stencil.h"
#include "plan/particle_calls.h"

/* Work arrays of a mesh.  They are allocated when a call first needs them, grow as needed, and remain until the mesh is
 * destroyed. */
typedef enum mfft_pm_work {
  MFFT_PM_WORK_CELLS = 0, /* sums of a deposit; later the spectrum of a force; with a plan in place all arrays of a force */
  MFFT_PM_WORK_RIMS,      /* ghost cells */
  MFFT_PM_WORK_TILES,     /* buffers of tiles, for each thread; on a device the tables of the sort */
  MFFT_PM_WORK_REAL,      /* density, potential and components of a force, one after another; not with a plan in place */
  MFFT_PM_WORK_SPECTRUM,  /* copy of the spectrum for transforms that overwrite their input; not with a plan in place */
  MFFT_PM_WORK_STAGING,   /* packed particles of an exchange */
  MFFT_PM_WORK_RECORDS,   /* on a device: sorted particles */
  MFFT_PM_WORK_STENCIL,   /* ghost cells of a potential, for differences of four points */
  MFFT_PM_WORK_OWNERS,    /* on a device: the ranks that own cells, and how many particles each has */
  MFFT_PM_WORK_ARRAYS
} mfft_pm_work;

struct mfft_particle_mesh_s {
  mfft_plan plan;
  MPI_Comm comm; /* MPI_COMM_NULL on a single rank */
  int rank, ranks;
  mfft_box *box;            /* [ranks] own cells of all ranks */
  double length[3];         /* [axis] */
  mfft_precision precision; /* precision of the plan */
  mfft_pm_grid grid;
  mfft_pm_parts parts;
  mfft_pm_ghosts *ghosts;
  mfft_pm_stencil *stencil;         /* of differences of potentials; NULL until a force asks for one (difference.h) */
  const mfft_particle_calls *calls; /* NULL: the arrays of the plan, and these work arrays, are in host memory */
  struct {
    mfft_particle_space space;
    mfft_particle_sort sort;
  } device;              /* if there are calls */
  mfft_dynamic *dynamic; /* of device memory, with several ranks; else NULL */
  uint32_t *spare_order; /* [spare_room] memory of the last exchange of particles on a device; NULL: none */
  int64_t spare_room;
  mfft_pm_bins bins; /* with calls: what is sorted, but for memory */
  const mfft_pm_kernels *kernels;
  mfft_workers workers;
  size_t scratch_bytes;
  void *work[MFFT_PM_WORK_ARRAYS];
  size_t work_bytes[MFFT_PM_WORK_ARRAYS];
  double deposit_s, gather_s; /* seconds of all calls so far */
  int gives_workspace;        /* 1: the plan has its workspace from MFFT_PM_WORK_CELLS */
  size_t workspace_at;        /* its offset there */
};

/* The arrays of a force with a plan in place, as offsets in MFFT_PM_WORK_CELLS.  Two arrays of the plan follow each other.
 * The first is density, spectrum and, with the gradient on the mesh, potential; the second a component of the force.  The
 * sums of a deposit into single precision, twice as large as an array, cover both: they become the density in the first,
 * plane by plane, which overwrites none that is still needed (deposit.c).  The workspace of the plan, if it has none of its
 * own, is the second array where that holds nothing during transforms, as with the gradient on the mesh, and else a third.
 */
typedef struct mfft_pm_layout {
  size_t second, sums, workspace, bytes; /* bytes: of all */
} mfft_pm_layout;
mfft_pm_layout mfft_pm_layout_of_force(mfft_particle_mesh mesh, int on_mesh);

/* Gives the plan its workspace, which is at this offset in MFFT_PM_WORK_CELLS, if the mesh is to give it. */
mfft_status mfft_pm_give_workspace(mfft_particle_mesh mesh, size_t offset);

/* Between enter and leave the device of the plan is current, and no other thread runs the plan; on the host they do nothing.
 * leave is not called if enter failed.  enter is collective. */
mfft_status mfft_pm_enter(mfft_particle_mesh mesh, mfft_device_guard *guard);
void mfft_pm_leave(mfft_particle_mesh mesh, mfft_device_guard *guard);

/* MFFT_ERR_ARG for a mesh that is NULL. */
mfft_status mfft_pm_check(mfft_particle_mesh mesh);

/* Agrees on a status: if one rank fails, all fail (mfft_agree).  Makes no MPI call on a single rank. */
mfft_status mfft_pm_agree(mfft_particle_mesh mesh, mfft_status mine);

/* Replaces values[count] by their maximum, or by their sum modulo 2^64, over all ranks.  Collective. */
mfft_status mfft_pm_largest(mfft_particle_mesh mesh, double *values, int count);
mfft_status mfft_pm_total(mfft_particle_mesh mesh, int64_t *values, int count);

/* Bytes of each work array that deposits and gathers of `fields` fields need, `separate` of them with sums of their own
 * beside the caller's array, and that forces need besides.  Values of `bytes` that are smaller are raised. */
void mfft_pm_work_of_fields(mfft_particle_mesh mesh, int fields, int separate, size_t bytes[MFFT_PM_WORK_ARRAYS]);
void mfft_pm_work_of_force(mfft_particle_mesh mesh, int on_mesh, size_t bytes[MFFT_PM_WORK_ARRAYS]);
void mfft_pm_work_of_difference(mfft_particle_mesh mesh, size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* The same for sorting particles on a device, as many at a time as scratch_bytes allow. */
void mfft_pm_work_of_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* Cells of the buffer of a tile. */
int64_t mfft_pm_buffer_cells(mfft_particle_mesh mesh);

/* Enlarges a work array to at least so many bytes, aligned to 64; its contents are lost if it grows. */
mfft_status mfft_pm_reserve(mfft_particle_mesh mesh, mfft_pm_work work, size_t bytes);

/* Copies an array of the plan to another in the same memory, ordered after what the plan has begun.  Collective. */
mfft_status mfft_pm_copy(mfft_particle_mesh mesh, void *to, const void *from, size_t bytes);

/* Checks a caller's particles and fields, and fills in defaults: taken[fields].  Collective. */
enum { MFFT_PM_MOST_FIELDS = 64 };
mfft_status mfft_pm_take(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_field *field, int fields,
                         int values, mfft_particles *particles, mfft_particle_field *taken);

/* Takes a caller's particles and fields likewise, and calls `work` while the device of the plan is current.  Collective. */
typedef mfft_status mfft_pm_work_on(void *context, const mfft_particles *particles);
mfft_status mfft_pm_with_fields(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_field *field,
                                int fields, int values, mfft_particle_field *taken, mfft_pm_work_on *work, void *context);

/* Value of a field at particle i. */
static inline double mfft_pm_value(const mfft_particle_field *field, int64_t i) {
  if (!field->value) return 1;
  return field->precision == MFFT_SINGLE ? (double)((const float *)field->value)[i * field->stride]
                                         : ((const double *)field->value)[i * field->stride];
}

/* Visits the particles [start[t], start[t + 1]) of tile t in batches: computes their coordinates and shares, then calls
 * `each`. */
typedef void mfft_pm_each(void *context, int worker, const mfft_pm_tile *tile, const mfft_pm_shares *shares, int count,
                          const int64_t *index /* [count] of the caller's particles */);
void mfft_pm_visit_tile(mfft_particle_mesh mesh, int64_t t, int worker, const mfft_pm_tile *tile, mfft_pm_each *each,
                        void *context);

#endif
