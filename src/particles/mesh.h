/* mesh.h: the particle mesh, and functions that deposit, gather, exchange and force share. */
#ifndef MFFT_PARTICLES_MESH_H
#define MFFT_PARTICLES_MESH_H

#include <mpi.h>

#include "base/workers.h"
#include "dist/dynamic.h"
#include "particles/band.h"
#include "particles/bins.h"
#include "particles/blocks.h"
#include "particles/ghosts.h"
#include "particles/kernels.h"
#include "particles/loop.h"
#include "particles/parts.h"
#include "particles/stencil.h"
#include "plan/particle_calls.h"

/* Work arrays of a mesh.  They are allocated when a call first needs them, grow as needed, and remain until the mesh is
 * destroyed. */
typedef enum mfft_pm_work {
  MFFT_PM_WORK_CELLS = 0, /* sums of a deposit; the spectrum of a force; with a plan in place all arrays of a force */
  MFFT_PM_WORK_RIMS,      /* ghost cells: sums, fields or, for differences of four points, a potential */
  MFFT_PM_WORK_TILES,     /* buffers of tiles, for each thread; on a device the tables of the sort */
  MFFT_PM_WORK_REAL,      /* density, potential and components of a force, one after another; not with a plan in place */
  MFFT_PM_WORK_SPECTRUM,  /* copy of the spectrum for transforms that overwrite their input; not with a plan in place */
  MFFT_PM_WORK_STAGING,   /* packed particles of an exchange */
  MFFT_PM_WORK_RECORDS,   /* on a device: sorted particles, unless they share MFFT_PM_WORK_CELLS */
  MFFT_PM_WORK_OWNERS,    /* on a device: the ranks that own cells, and how many particles each has */
  MFFT_PM_WORK_ARRAYS
} mfft_pm_work;

/* The arrays of a force with a plan in place, as offsets in MFFT_PM_WORK_CELLS.  The first array of the plan, at 0, is
 * density, spectrum and, with the gradient on the mesh, potential.  The workspace of the plan, if it has none of its own, or
 * the blocks of its transforms follow it; without the gradient on the mesh a second array, for copies of the spectrum that
 * become the results, comes before the workspace.
 *
 * The sums of a deposit into single precision are in this memory before the transforms are.  Those of a band (band.h) follow
 * the first array.  Those of all cells, twice as large as an array, begin one plane after its beginning and become the
 * density plane by plane, which overwrites no sum that is still needed (deposit.c).
 *
 * Sums of all cells are held where particles are sorted in parts, since each band would sort all parts again.  In that case
 * no sort is kept from the deposit to the gather, so that sorts can use this memory too: what follows the sums in a deposit,
 * and what follows the first array in a gather.  The transforms between the two use what follows the first array. */
typedef struct mfft_pm_layout {
  size_t second, sums, workspace;   /* offsets */
  size_t deposit_sort, gather_sort; /* offsets of keys and records of sorted particles, if shares_sort */
  size_t bytes;                     /* bytes of the whole memory */
  int bands;                        /* 1: the sums are those of a band, and one sort serves deposit and gather */
  int shares_sort;                  /* 1: particles are sorted in this memory */
} mfft_pm_layout;

struct mfft_particle_mesh_s {
  mfft_plan plan;
  MPI_Comm comm; /* MPI_COMM_NULL on a single rank */
  int rank, ranks;
  mfft_box *box;            /* [ranks] own cells of all ranks */
  double length[3];         /* [axis] */
  mfft_precision precision; /* precision of the plan */
  mfft_pm_grid grid;
  mfft_pm_parts parts;
  mfft_pm_band band;     /* planes of sums that a deposit of a force holds */
  mfft_pm_layout layout; /* arrays of the last force with a plan in place */
  mfft_pm_ghosts *ghosts;
  mfft_pm_stencil *stencil;         /* of differences of potentials; NULL until a force asks for one (difference.h) */
  const mfft_particle_calls *calls; /* NULL: the arrays of the plan, and these work arrays, are in host memory */
  struct {
    mfft_particle_space space;
    mfft_particle_sort sort;
    void *timer[2];      /* of a gather, which may be queued behind a transform */
  } device;              /* if there are calls */
  mfft_dynamic *dynamic; /* of device memory, with several ranks; else NULL */
  uint32_t *spare_order; /* [spare_capacity] memory of the last exchange of particles on a device; NULL: none */
  int64_t spare_capacity;
  mfft_green green;         /* Green's function of the last force, NULL before the first one; */
  mfft_green_desc green_of; /* what it was made for */
  mfft_pm_bins bins;        /* with calls: the batch that is sorted, without memory of its own */
  const mfft_pm_kernels *kernels;
  mfft_workers workers;
  size_t scratch_bytes;
  int shares_sort; /* 1: particles are sorted in MFFT_PM_WORK_CELLS, as since the first force that sorted them in parts */
  void *work[MFFT_PM_WORK_ARRAYS];
  size_t work_bytes[MFFT_PM_WORK_ARRAYS];
  double deposit_s, gather_s; /* seconds of all calls so far */
  mfft_pm_blocks *blocks;     /* transforms of forces with the gradient on the mesh; NULL: by the plan */
  int lacks_workspace;        /* 1: the plan was made to be given a workspace, and the caller gave none */
  int gives_workspace;        /* 1: the workspace of the plan is in MFFT_PM_WORK_CELLS */
  size_t workspace_at;        /* its offset there */
};

/* The layout of a force on these particles; NULL: on so few that they are sorted all at once.  on_mesh: the gradient is
 * taken on the mesh, which needs no second array; sums are then those of bands if the particles are sorted all at once. */
mfft_pm_layout mfft_pm_layout_of_force(mfft_particle_mesh mesh, const mfft_particles *particles, int on_mesh);

/* Gives the plan its workspace, which is at this offset in MFFT_PM_WORK_CELLS, if it lacks one. */
mfft_status mfft_pm_give_workspace(mfft_particle_mesh mesh, size_t offset);

/* Between enter and leave the device of the plan is current, and no other thread runs the plan; on the host they do nothing.
 * leave is not called if enter failed.  enter is collective. */
mfft_status mfft_pm_enter(mfft_particle_mesh mesh, mfft_device_guard *guard);

/* The same for a status that is agreed upon later: *entered says whether to leave.  Not collective. */
mfft_status mfft_pm_enter_alone(mfft_particle_mesh mesh, mfft_device_guard *guard, int *entered);
void mfft_pm_leave(mfft_particle_mesh mesh, mfft_device_guard *guard);

/* MFFT_ERR_ARG for a mesh that is NULL. */
mfft_status mfft_pm_check(mfft_particle_mesh mesh);

/* Agrees on a status: if one rank fails, all fail (mfft_agree).  Makes no MPI call on a single rank. */
mfft_status mfft_pm_agree(mfft_particle_mesh mesh, mfft_status mine);

/* The same, and replaces values[count] by their maximum, or by their sum modulo 2^64, over all ranks. */
mfft_status mfft_pm_largest(mfft_particle_mesh mesh, mfft_status mine, double *values, int count);
mfft_status mfft_pm_total(mfft_particle_mesh mesh, mfft_status mine, int64_t *values, int count);

/* Each of the next functions raises bytes[work], where it is smaller, to the bytes of each work array that its subject
 * needs. */

/* Deposits and gathers of `fields` fields.  separate: how many of these have sums beside the caller's array. */
void mfft_pm_work_of_fields(mfft_particle_mesh mesh, int fields, int separate, size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* Forces of this layout. */
void mfft_pm_work_of_force(mfft_particle_mesh mesh, const mfft_pm_layout *layout, size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* Forces whose gradient is taken on the mesh, in addition. */
void mfft_pm_work_of_difference(mfft_particle_mesh mesh, size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* A sort on a device, of as many particles at a time as fit into `allowed` bytes. */
void mfft_pm_work_of_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t allowed,
                          size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* Reserves memory for sorting as many particles at a time as fit into scratch_bytes or, if sorts share MFFT_PM_WORK_CELLS,
 * into what that array has beyond its first `used` bytes. */
mfft_status mfft_pm_reserve_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t used);

/* From now on sorts share MFFT_PM_WORK_CELLS; all other memory of sorts is freed. */
void mfft_pm_share_sort(mfft_particle_mesh mesh);

/* The bytes of MFFT_PM_WORK_CELLS that a gather from an array uses: 0 if the array is elsewhere. */
size_t mfft_pm_cells_used(mfft_particle_mesh mesh, const void *array);

/* Cells of the buffer of a tile. */
int64_t mfft_pm_buffer_cells(mfft_particle_mesh mesh);

/* Enlarges a work array to at least so many bytes, aligned to 64; its contents are lost if it grows. */
mfft_status mfft_pm_reserve(mfft_particle_mesh mesh, mfft_pm_work work, size_t bytes);

/* Frees a work array. */
void mfft_pm_release(mfft_particle_mesh mesh, mfft_pm_work work);

/* Copies an array of the plan to another in the same memory, ordered after what the plan has begun.  Collective. */
mfft_status mfft_pm_copy(mfft_particle_mesh mesh, void *to, const void *from, size_t bytes);

/* Checks a caller's particles and fields, fills in defaults, into taken[fields], and calls `work` while the device of the
 * plan is current.  values: 1: each field must have an array of values.  Collective. */
enum { MFFT_PM_MOST_FIELDS = 64 };
typedef mfft_status mfft_pm_work_on(void *context, const mfft_particles *particles);
mfft_status mfft_pm_with_fields(mfft_particle_mesh mesh, const mfft_particles *given, const mfft_particle_field *field,
                                int fields, int values, mfft_particle_field *taken, mfft_pm_work_on *work, void *context);

/* Value of a field at particle i. */
static inline double mfft_pm_value(const mfft_particle_field *field, int64_t i) {
  if (!field->value) return 1;
  return field->precision == MFFT_SINGLE ? (double)((const float *)field->value)[i * field->stride]
                                         : ((const double *)field->value)[i * field->stride];
}

/* Visits the particles of tile t (bins.start) in batches: computes their coordinates and shares, then calls `each`.
 * Particles in the cells `but` are left out; NULL: none. */
typedef void mfft_pm_each(void *context, int worker, const mfft_pm_tile *tile, const mfft_pm_shares *shares, int count,
                          const int64_t *index /* [count] of the caller's particles */);
void mfft_pm_visit_tile(mfft_particle_mesh mesh, int64_t t, int worker, const mfft_pm_tile *tile, const mfft_box *but,
                        mfft_pm_each *each, void *context);

#endif
