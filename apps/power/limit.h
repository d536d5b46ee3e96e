/* limit.h: the wave number up to which a measured spectrum has a small error. */
#ifndef MFFT_APPS_LIMIT_H
#define MFFT_APPS_LIMIT_H

#include "mesh/mesh.h"
#include "mesh/window.h"

#define MFFT_LIMIT_ERROR 0.01 /* largest relative error by window and aliasing */

/* The largest k up to which aliases add at most MFFT_LIMIT_ERROR of the power after compensation, if the spectrum does not
 * rise with k.  It is evaluated along the axes and diagonals of the mesh, with images up to two Nyquist periods away;
 * interlacing of order m leaves the images whose n1 + n2 + n3 is a multiple of m.  At most the Nyquist wave number of the
 * axis with the widest cells; INFINITY for order 0, no window. */
double mfft_power_limit(const mfft_mesh *mesh, mfft_compensation compensation, int order, int interlace);

#endif
