/* slab.h: the projected density of a slab of particles. */
#ifndef MFFT_APPS_SLAB_H
#define MFFT_APPS_SLAB_H

#include "catalogue/catalogue.h"
#include "show/plane.h"

typedef struct mfft_slab {
  int axis;                 /* the line of sight */
  double middle, thickness; /* along it, in the unit of the results; the slab is periodic as the box is */
  int64_t cells;            /* across the picture's longer side; 0: so many that two particles lie in a pixel, 64 to 1024 */
} mfft_slab;

/* Masses of the particles in the slab over the mean of the box, assigned to the plane by TSC: 1 is the mean density.  The
 * same bits for every number of ranks.  Collective.  mfft_plane_destroy frees the plane, also after a failure. */
mfft_status mfft_slab_read(const mfft_catalogue *catalogue, const mfft_slab *slab, const mfft_plan_options *options,
                           mfft_plane *plane);

#endif
