/* mesh.h: the particle mesh, and functions that deposit, gather, exchange and force share. */
#ifndef MFFT_PARTICLES_MESH_H
#define MFFT_PARTICLES_MESH_H

#include <mpi.h>

#include "base/workers.h"
#include "dist/dynamic.h"
#include "particles/bins.h"
#include "particles/blocks.h"
#include "particles/ghosts.h"
#include "particles/kernels.h"
#include "particles/loop.h"
#include "particles/parts.h"
#include "particles/stencil.h"
#include "particles/window.h"
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
 * density, spectrum and, with the gradient on the mesh, potential.  What follows it serves the workspace of the plan, if it
 * has none of its own, or the blocks of its transforms; without the gradient on the mesh a second array, for copies of the
 * spectrum that become the results, comes before the workspace.  Sums of a deposit into single precision, before all these:
 * those of a window after the first array; or those of all cells, twice as large as an array, from one plane on: they become
 * the density in the first array plane by plane, which overwrites none that is still needed (deposit.c).
 *
 * Sums of all cells are held where particles are sorted in parts, since each window would sort all parts again.  Then no
 * sort outlives the deposit, so that sums, transforms and sorts can take turns: memory for sorting follows the sums in a
 * deposit, the first array in a gather, and transforms have what follows the first array in between. */
typedef struct mfft_pm_layout {
  size_t second, sums, workspace, bytes; /* bytes: of all */
  size_t deposit_sort, gather_sort;      /* of sorted particles, if they share the array: keys and records */
  int windows;                           /* the sums are those of a window, and one sort serves deposit and gather */
  int shares_sort;                       /* particles are sorted in this array */
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
  mfft_pm_window window; /* of the sums of a deposit */
  mfft_pm_layout layout; /* of the last force with a plan in place */
  mfft_pm_ghosts *ghosts;
  mfft_pm_stencil *stencil;         /* of differences of potentials; NULL until a force asks for one (difference.h) */
  const mfft_particle_calls *calls; /* NULL: the arrays of the plan, and these work arrays, are in host memory */
  struct {
    mfft_particle_space space;
    mfft_particle_sort sort;
  } device;              /* if there are calls */
  mfft_dynamic *dynamic; /* of device memory, with several ranks; else NULL */
  uint32_t *spare_order; /* [spare_capacity] memory of the last exchange of particles on a device; NULL: none */
  int64_t spare_capacity;
  mfft_pm_bins bins; /* with calls: what is sorted, but for memory */
  const mfft_pm_kernels *kernels;
  mfft_workers workers;
  size_t scratch_bytes;
  int shares_sort; /* 1: particles are sorted in MFFT_PM_WORK_CELLS, as since the first force that sorted them in parts */
  void *work[MFFT_PM_WORK_ARRAYS];
  size_t work_bytes[MFFT_PM_WORK_ARRAYS];
  double deposit_s, gather_s; /* seconds of all calls so far */
  mfft_pm_blocks *blocks;     /* transforms of forces with the gradient on the mesh; NULL: by the plan */
  int lacks_workspace;        /* 1: the plan was made to be given a workspace, and has none of the caller's */
  int gives_workspace;        /* 1: it has that from MFFT_PM_WORK_CELLS */
  size_t workspace_at;        /* its offset there */
};

/* The layout for some particles, or if NULL for so few that they are sorted all at once.  Sums are held by windows with the
 * gradient on the mesh, which needs no second array, if the particles are sorted all at once. */
mfft_pm_layout mfft_pm_layout_of_force(mfft_particle_mesh mesh, const mfft_particles *particles, int on_mesh);

/* Gives the plan its workspace, which is at this offset in MFFT_PM_WORK_CELLS, if it lacks one. */
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
void mfft_pm_work_of_force(mfft_particle_mesh mesh, const mfft_pm_layout *layout, size_t bytes[MFFT_PM_WORK_ARRAYS]);
void mfft_pm_work_of_difference(mfft_particle_mesh mesh, size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* The same for sorting particles on a device, as many at a time as fit into `allowed` bytes. */
void mfft_pm_work_of_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t allowed,
                          size_t bytes[MFFT_PM_WORK_ARRAYS]);

/* Memory for sorting as many particles at a time as fit into scratch_bytes; or, if the mesh shares it, into what
 * MFFT_PM_WORK_CELLS has beyond the bytes that are used.  share_sort: from now on it does, and all other memory of sorts is
 * freed.  cells_used: the bytes that are used in a gather from an array. */
mfft_status mfft_pm_reserve_sort(mfft_particle_mesh mesh, const mfft_particles *particles, size_t used);
void mfft_pm_share_sort(mfft_particle_mesh mesh);
size_t mfft_pm_cells_used(mfft_particle_mesh mesh, const void *array);

/* Cells of the buffer of a tile. */
int64_t mfft_pm_buffer_cells(mfft_particle_mesh mesh);

/* Enlarges a work array to at least so many bytes, aligned to 64; its contents are lost if it grows. */
mfft_status mfft_pm_reserve(mfft_particle_mesh mesh, mfft_pm_work work, size_t bytes);
void mfft_pm_release(mfft_particle_mesh mesh, mfft_pm_work work); /* frees one */

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
 * `each`.  Particles in the cells `but` are left out; NULL: none. */
typedef void mfft_pm_each(void *context, int worker, const mfft_pm_tile *tile, const mfft_pm_shares *shares, int count,
                          const int64_t *index /* [count] of the caller's particles */);
void mfft_pm_visit_tile(mfft_particle_mesh mesh, int64_t t, int worker, const mfft_pm_tile *tile, const mfft_box *but,
                        mfft_pm_each *each, void *context);

#endif
