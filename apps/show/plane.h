/* plane.h: a slice or a projection of a field as a 2D array on rank 0. */
#ifndef MFFT_APPS_PLANE_H
#define MFFT_APPS_PLANE_H

#include <stdint.h>

#include "mfft_field.h"

typedef enum mfft_plane_projection {
  MFFT_PROJECT_MEAN = 0,
  MFFT_PROJECT_SUM,
  MFFT_PROJECT_MAX,
  MFFT_PROJECT_MIN
} mfft_plane_projection;

/* The cells to show: from `first` on, `depth` of them, along `axis`; a slice has depth 1. */
typedef struct mfft_view {
  int axis;
  int64_t first, depth;
  mfft_plane_projection projection;
} mfft_view;

/* The picture plane: its horizontal and vertical axes are the other two in the order x, y, z. */
typedef struct mfft_plane {
  int horizontal, vertical; /* axes */
  int64_t nh, nv;           /* cells along them */
  double *value;            /* [nv][nh] the values on rank 0; work array on other ranks */
  int64_t nonfinite;        /* number of NaN and infinite values among the cells read */
} mfft_plane;

/* Reads the view in pieces of bounded size, each rank a part, and combines the parts on rank 0.  If the file has checksums,
 * every slab of which a part is read is verified; with `partial` only those that are read completely.  Collective.  Returns
 * 0, or 1 on every rank after an error that has been reported.  destroy accepts a zeroed object. */
int mfft_plane_read(const char *path, const mfft_field_info *info, const mfft_view *view, int partial, mfft_plane *plane);
void mfft_plane_destroy(mfft_plane *plane);

#endif
