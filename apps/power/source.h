/* source.h: what a spectrum is measured of: a field in a file, or the particles of a snapshot. */
#ifndef MFFT_APPS_SOURCE_H
#define MFFT_APPS_SOURCE_H

#include "catalogue/spread.h"
#include "io/input.h"
#include "power/like.h"

typedef struct mfft_power_values mfft_power_values;

typedef struct mfft_power_source {
  const char *path;
  int particles;            /* 1: a snapshot */
  mfft_field_info info;     /* of a field */
  mfft_catalogue catalogue; /* of a snapshot */
  double rsd;               /* displacement for a velocity, as stored; 0: real space */
  mfft_stats stats;         /* of a field */
  double scale;             /* the spectrum in plan->modes times this is that of the contrast over the number of cells */
  double shot;              /* volume (sum of m^2) / (sum of m)^2; NAN of a field */
} mfft_power_source;

/* Looks at the file.  Collective.  close accepts zeroed objects. */
mfft_status mfft_power_source_open(const char *path, const mfft_power_values *values, mfft_power_source *source);
void mfft_power_source_close(mfft_power_source *source);

/* The mesh of the source: of a field that of the file, of a snapshot as --n says, or as `other` has it where that is a
 * field.
 */
mfft_status mfft_power_source_mesh(const mfft_power_source *source, const mfft_power_values *values,
                                   const mfft_power_source *other, mfft_mesh *mesh);

/* Brings the transform of the source into plan->modes, particles folded `fold` times.  los: unit vector.  Collective. */
mfft_status mfft_power_source_transform(mfft_power_source *source, const mfft_power_values *values,
                                        const mfft_power_how *how, int fold, const double los[3], const mfft_mesh *mesh,
                                        mfft_mesh_plan *plan);

#endif
