/* world.h: what is kept with a communicator of the program: a duplicate, the plans of mergefft that were made on it, and the
 * workspace that they share.
 *
 * Programs make a plan for every transform and destroy it behind it.  So a plan of mergefft outlives the plan of FFTW's
 * interface that it was made for, and serves the next one of the same shape, communicator and flags.  It goes when the
 * communicator is freed, when it is one of more than MFFT_DROPIN_MOST_IDLE that nothing uses, or with MPI_Finalize.  The
 * workspace goes as soon as the program has no plan on the communicator.
 *
 * Ranks keep the same plans in the same order, since plans are made by all ranks of a communicator together.  Whether one is
 * in use may differ for a moment, as ranks destroy plans without waiting for each other. */
#ifndef MFFT_DROPIN_WORLD_H
#define MFFT_DROPIN_WORLD_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdint.h>

#include "request.h"

enum { MFFT_DROPIN_MOST_IDLE = 16 };

/* What a plan of mergefft was made for.  Compared byte by byte: zeroed before it is filled. */
typedef struct mfft_dropin_key {
  mfft_dropin_shape shape; /* its direction is FORWARD where one plan serves both */
  int in_place, destroys;  /* destroys: may overwrite the input of an out-of-place transform */
  int threads;
} mfft_dropin_key;

typedef struct mfft_dropin_native {
  struct mfft_dropin_native *next;
  mfft_dropin_key key;
  mfft_effort effort;
  int64_t number; /* in the order of making, the same on all ranks */
  int64_t last;   /* the number of the request that it served last */
  _Atomic int users;
  int kept;             /* by a world */
  mfft_plan plan;       /* of all axes, or of the first one */
  mfft_plan local;      /* of the others, where they are apart and this rank has planes; or NULL */
  int local_in_place;   /* the local plan works where the array is */
  int spare;            /* between the two the array lies in spare memory behind the workspace */
  size_t work_bytes;    /* of the plans, a multiple of 64 */
  size_t spare_bytes;   /* of the spare memory */
  void *workspace;      /* that the plans have been given */
  size_t side_bytes[2]; /* [side] of the caller's arrays on this rank */
  char where[96];       /* for reports: "mergefft on fftw, grid 4 x 1, pairwise" */
} mfft_dropin_native;

typedef struct mfft_dropin_world {
  struct mfft_dropin_world *next;
  MPI_Comm comm; /* a duplicate of the program's communicator */
  int rank, ranks;
  mfft_dropin_native *natives; /* the newest first */
  int64_t made, asked;         /* plans of mergefft made, and requests served */
  _Atomic int plans;           /* that the program has on it */
  int freed;                   /* the program has freed its communicator */
  void *workspace;
  size_t workspace_bytes;
} mfft_dropin_world;

/* The world of a communicator, made by the first call for it, which is collective.  NULL, on all ranks, where memory is out
 * or MPI fails. */
mfft_dropin_world *mfft_dropin_world_of(MPI_Comm comm);

/* Replaces each value by the least of all ranks: 0, or -1 where MPI fails.  Collective. */
int mfft_dropin_least(mfft_dropin_world *world, int64_t *value /* [count] */, int count, const char *what);

/* Takes one use of the world, and gives it back. */
void mfft_dropin_world_use(mfft_dropin_world *world);
void mfft_dropin_world_leave(mfft_dropin_world *world);

/* Makes the workspace of the world at least as large as asked for: 0, or -1 where memory is out.  Not collective. */
int mfft_dropin_world_reserve(mfft_dropin_world *world, size_t bytes);

/* Adds a plan to those that are kept; gives up idle ones where there are too many.  Collective. */
void mfft_dropin_world_add(mfft_dropin_world *world, mfft_dropin_native *native);

/* How many plans of mergefft there are in this process. */
int mfft_dropin_native_count(void);

/* Frees a plan.  Collective. */
void mfft_dropin_native_free(mfft_dropin_native *native);

/* From the first call on, where MPI runs, MPI_Finalize writes the report and frees all worlds before it begins. */
void mfft_dropin_watch_finalize(void);

#endif
