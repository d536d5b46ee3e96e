/* draw.h: draws a plane for `mergefft show`. */
#ifndef MFFT_APPS_SHOW_DRAW_H
#define MFFT_APPS_SHOW_DRAW_H

#include "show/plane.h"
#include "show/settings.h"

extern const char *const mfft_show_axes[3]; /* "x", "y", "z" */

/* Draws the plane and prints a line about the picture.  info: name, unit and redshift of the values; length: sides of the
 * box; text: description of the view, under the title.  On rank 0. */
mfft_status mfft_show_draw(const mfft_show *show, const mfft_field_info *info, const double length[3], const char *unit,
                           const char *text, mfft_plane *plane);

#endif
