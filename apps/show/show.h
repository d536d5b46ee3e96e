/* show.h: the options of `mergefft show`, and its two steps: reading a plane, and drawing it. */
#ifndef MFFT_APPS_SHOW_H
#define MFFT_APPS_SHOW_H

#include "catalogue/catalogue.h"
#include "cli/timing.h"
#include "io/untrusted.h"
#include "show/plane.h"

/* Values of the options. */
typedef struct mfft_show {
  const char *input, *output, *dataset, *title, *length_unit;
  int los, project, scale, colormap, smooth, no_verify;
  int64_t index, depth, width, cells;
  double lo, hi, add, clip, at, thickness;
  mfft_cli_reals boxsize, zoom;
  mfft_catalogue_options catalogue;
  mfft_plan_options plan;
  mfft_untrusted_options untrusted;
  mfft_timing_options timing;
} mfft_show;

extern const char *const mfft_show_axes[3]; /* "x", "y", "z" */

/* Draws the plane and prints a line about the picture.  info: name, unit and redshift of the values; length: sides of the
 * box; text: description of the view, under the title.  On rank 0. */
mfft_status mfft_show_draw(const mfft_show *show, const mfft_field_info *info, const double length[3], const char *unit,
                           const char *text, mfft_plane *plane);

/* Draws a slab of a snapshot.  Returns MFFT_EXIT_OK, or MFFT_EXIT_FAILED after reporting the error.  Collective. */
int mfft_show_snapshot(const mfft_show *show);

#endif
