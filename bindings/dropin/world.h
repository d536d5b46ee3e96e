/* world.h: the state of a communicator of the program, here called a world: a duplicate of the communicator, the plans of
 * mergefft that were made on it, and the workspace that they share.
 *
 * Many programs make a plan for every transform and destroy it afterwards.  Therefore a plan of mergefft is stored when the
 * plan of FFTW's interface that it was made for is destroyed, and is used again for the same shape, communicator and flags.
 * It is freed with the communicator, in MPI_Finalize, or when more than MFFT_DROPIN_MOST_IDLE plans are unused.  Workspace
 * in host memory is freed as soon as the program has no plan on the communicator, since the program may need the memory;
 * workspace on a GPU is freed with the communicator.
 *
 * All ranks store the same plans in the same order, since all ranks of a communicator make plans together.  Whether a plan
 * is in use may differ between ranks for a moment, since ranks destroy plans without waiting for each other. */
#ifndef MFFT_DROPIN_WORLD_H
#define MFFT_DROPIN_WORLD_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>

#include "remap.h"
#include "request.h"
#include "steps.h"

enum { MFFT_DROPIN_MOST_IDLE = 16 };

/* The key of a stored plan.  Keys are compared by memcmp, so they are zeroed before they are filled. */
typedef struct mfft_dropin_key {
  mfft_dropin_shape shape; /* the direction is FORWARD if the plan is used for both directions */
  int in_place, destroys;  /* destroys: 1: may overwrite the input of an out-of-place transform */
  int threads;
  int device; /* 1: a GPU transforms */
  int staged; /* 1: the plan takes arrays on the host and copies them in parts; 0: its arrays are on the device */
} mfft_dropin_key;

typedef struct mfft_dropin_native {
  struct mfft_dropin_native *next;
  mfft_dropin_key key;
  mfft_effort effort;
  int64_t number; /* in the order of creation, the same on all ranks */
  int64_t last;   /* number of the last request that used it */
  _Atomic int users;
  int stored;              /* 1: in the list of a world */
  int alive;               /* 0: destroyed, although the program still has a handle */
  mfft_plan plan;          /* distributed plan of all axes, or of the first ones; NULL with steps */
  mfft_plan local;         /* two plans only: local plan of the other axes; NULL on ranks without planes */
  mfft_dropin_steps steps; /* in place of both plans on a mesh of three dimensions that divides more axes than they do */
  mfft_dropin_remap remap; /* of arrays of the program that are not those of the plan */
  int local_in_place;      /* 1: the local plan is in place */
  int spare;               /* 1: the array between the two plans is in the spare memory, which follows the workspace */
  size_t work_bytes;       /* workspace of the plans, a multiple of 64 */
  size_t between_bytes;    /* bytes of the array between the two plans, which comes first in the spare memory */
  size_t spare_bytes;      /* bytes of the spare memory, with the transposed array in the order of the plan (reorder.h), or
                            * of the arrays between steps */
  void *workspace;         /* workspace that was passed to the plans */
  size_t side_bytes[2];    /* [side] the caller's arrays on this rank */
  char where[96];          /* for reports: "mergefft on fftw, grid 4 x 1, pairwise" */
} mfft_dropin_native;

typedef struct mfft_dropin_world {
  struct mfft_dropin_world *next;
  MPI_Comm comm; /* a duplicate of the program's communicator */
  int rank, ranks;
  mfft_dropin_native *natives; /* the newest first */
  int64_t made, asked;         /* numbers of plans made and of requests */
  _Atomic int plans;           /* plans of the program on this communicator */
  int freed;                   /* 1: the program has freed the communicator */
  _Atomic int working;         /* 1: a thread executes with the workspace and the copies */
  void *workspace[2];          /* [device] in host memory and in that of a GPU */
  size_t workspace_bytes[2];
  void *copy[2]; /* arrays of a GPU for the program's input and output on the host */
  size_t copy_bytes[2];
} mfft_dropin_world;

/* Returns the world of a communicator, which the first call makes, collectively.  NULL on all ranks if memory is exhausted
 * or MPI fails. */
mfft_dropin_world *mfft_dropin_world_of(MPI_Comm comm);

/* Replaces each value by the minimum over all ranks.  Returns 0, or -1 if MPI fails.  Collective. */
int mfft_dropin_least(mfft_dropin_world *world, int64_t *value /* [count] */, int count, const char *what);

/* Increments and decrements the number of plans that use the world. */
void mfft_dropin_world_use(mfft_dropin_world *world);
void mfft_dropin_world_leave(mfft_dropin_world *world);

/* Enlarges the workspace of the world, of the host or of the GPU, to at least `bytes`, and the array of the GPU that stands
 * for the program's input (0) or output (1).  Return 0, or -1 if memory is exhausted.  Not collective. */
int mfft_dropin_world_reserve(mfft_dropin_world *world, int device, size_t bytes);
int mfft_dropin_world_reserve_copy(mfft_dropin_world *world, int copy, size_t bytes);

/* Stores a plan, and frees unused ones if there are too many.  Collective. */
void mfft_dropin_world_add(mfft_dropin_world *world, mfft_dropin_native *native);

/* The number of stored plans in this process. */
int mfft_dropin_native_count(void);

/* Frees a plan.  Collective. */
void mfft_dropin_native_free(mfft_dropin_native *native);

/* Makes MPI_Finalize write the report and free all worlds before it begins.  Has no effect unless MPI is initialized. */
void mfft_dropin_watch_finalize(void);

#endif
