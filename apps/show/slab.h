/* slab.h: the projected density of a slab of particles. */
#ifndef MFFT_APPS_SLAB_H
#define MFFT_APPS_SLAB_H

#include "catalogue/catalogue.h"
#include "show/plane.h"

typedef struct mfft_slab {
  int axis;                 /* the line of sight */
  double middle, thickness; /* along the line of sight, in the unit of the results; the slab is periodic like the box */
  int64_t cells;            /* cells across the longer side of the picture; 0: two particles a cell on average, 64 to 1024 */
} mfft_slab;

/* Computes the density of the slab in units of the mean density, by TSC assignment of its particles to the plane.  The
 * result has the same bits for every number of ranks.  Collective.  mfft_plane_destroy frees the plane, also after a
 * failure. */
mfft_status mfft_slab_read(const mfft_catalogue *catalogue, const mfft_slab *slab, const mfft_plan_options *options,
                           mfft_plane *plane);

#endif
