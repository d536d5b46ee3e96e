/* wall.h: the force along axes with walls, by one backward transform for each.
 *
 * Along such an axis phi is a sum of sines or cosines, and its derivative one of the others: the plan of that component has
 * a DCT of type II for a DST, or the other way round.  Wave number m is index m of the one and index m - 1 of the other, so
 * that the spectrum must be shifted by one index along the axis.  Where a rank has the whole axis, this is the same memory
 * from an address one stride earlier or later, so that nothing is copied: what stands in place of the wave number that the
 * other basis lacks is any finite number, and the filter multiplies it by 0.  The spectrum has margins of a stride for this.
 * Where ranks have parts of the axis, an exchange moves the shifted boxes. */
#ifndef MFFT_APPS_POISSON_WALL_H
#define MFFT_APPS_POISSON_WALL_H

#include "mfft_mpi.h"
#include "poisson/boundary.h"

/* The force along one axis. */
typedef struct mfft_wall {
  mfft_plan plan;         /* NULL: the axis has no walls, or there is no gradient */
  mfft_exchange exchange; /* NULL: every rank has the whole axis */
  int split;              /* 1: some rank has a part of the axis */
  mfft_box from;          /* the modes of phi that this rank needs, if the exchange moves them; empty: it has them */
  int64_t offset;         /* bytes from the first mode of this rank to the first that it needs, if it has them */
  void *moved;            /* [from] target of the exchange; NULL: its window */
} mfft_wall;

typedef struct mfft_walls {
  mfft_wall axis[3];            /* [axis] */
  const char *backend;          /* of the plans */
  int device;                   /* 1: they take device memory */
  size_t element_bytes, margin; /* bytes of a mode; bytes before and after the spectrum */
  void *work;                   /* workspace of all plans, one after another; NULL: the main plan has its own */
  size_t work_bytes;
  void *array; /* the spectrum with its margins */
} mfft_walls;

/* Makes the plans for a main plan, that of phi, made from desc and how.  With a gradient and walls (mfft_walls_wanted) the
 * main plan must have been made with user_workspace.  Collective.  destroy accepts half-built and zeroed objects, and comes
 * before that of the main plan. */
int mfft_walls_wanted(const mfft_boundary boundary[3], int gradient);
mfft_status mfft_walls_create(const mfft_desc *desc, const mfft_options *how, const mfft_boundary boundary[3],
                              mfft_plan main, mfft_walls *walls);
void mfft_walls_destroy(mfft_walls *walls);

/* The bytes of a rank for all of that beside the workspace and the spectrum of the main plan. */
mfft_status mfft_walls_bytes(const mfft_walls *walls, mfft_plan main, size_t *bytes);

/* Allocates the spectrum of the main plan, which belongs to `walls`, the workspace, and the exchanges.  Collective. */
mfft_status mfft_walls_allocate(mfft_walls *walls, const mfft_options *how, mfft_plan main, void **spectrum);

/* The shifted spectrum of the force along an axis with walls, after the spectrum has been written.  Collective. */
mfft_status mfft_wall_shift(const mfft_wall *wall, void *spectrum, void **shifted);

#endif
