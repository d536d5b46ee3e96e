/* source.h: the source of a spectrum: a field in a file, or the particles of a snapshot. */
#ifndef MFFT_APPS_POWER_SOURCE_H
#define MFFT_APPS_POWER_SOURCE_H

#include "catalogue/spread.h"
#include "io/input.h"
#include "power/settings.h"

typedef struct mfft_power_source {
  const char *path;
  int particles;            /* 1: the source is a snapshot */
  mfft_field_info info;     /* fields only */
  mfft_catalogue catalogue; /* snapshots only */
  double rsd;               /* stored length of the displacement by a stored velocity of 1; 0: real space */
  mfft_stats stats;         /* fields only */
  double scale;             /* factor from plan->modes to the transform of the contrast divided by the number of cells */
  double shot;              /* volume (sum of m^2) / (sum of m)^2; NAN: unknown */
  int assign, interlace;    /* window of mass assignment, 0: none; interlaced meshes, 1: one */
} mfft_power_source;

/* Opens the file and reads its header.  Collective.  close accepts zeroed objects. */
mfft_status mfft_power_source_open(const char *path, const mfft_power_values *values, mfft_power_source *source);
void mfft_power_source_close(mfft_power_source *source);

/* The mesh of the source: for a field that of the file; for a snapshot that of `other` if it is a field, or else as --n
 * requests. */
mfft_status mfft_power_source_mesh(const mfft_power_source *source, const mfft_power_values *values,
                                   const mfft_power_source *other, mfft_mesh *mesh);

/* Chooses the window of the source.  That of a snapshot is what `how` says, that of a field what its file says, else that of
 * --assign or --like, else none.  MFFT_ERR_ARG if --assign contradicts the file and is for no snapshot, `other`. */
mfft_status mfft_power_source_window(mfft_power_source *source, const mfft_power_values *values, const mfft_power_how *how,
                                     const mfft_power_source *other);

/* Computes the transform of the source in plan->modes, particles folded `fold` times.  los: unit vector.  centered: 1:
 * mesh points are at (i + 1/2) h.  Collective. */
mfft_status mfft_power_source_transform(mfft_power_source *source, const mfft_power_values *values, int fold,
                                        const double los[3], int centered, const mfft_mesh *mesh, mfft_mesh_plan *plan);

/* The redshift of an open source; NAN: not known. */
double mfft_power_redshift(const mfft_power_source *source);

#endif
