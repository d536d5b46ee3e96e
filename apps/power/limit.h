/* limit.h: up to which wave number a measured spectrum is good. */
#ifndef MFFT_APPS_LIMIT_H
#define MFFT_APPS_LIMIT_H

#include "mesh/mesh.h"
#include "mesh/window.h"

#define MFFT_LIMIT_ERROR 0.01 /* what window and aliasing may leave */

/* The largest k up to which what the images of the spectrum add, after compensation, is at most MFFT_LIMIT_ERROR of the
 * power, of a spectrum that does not rise with k: along the axes and diagonals of the mesh, for images up to two Nyquist
 * periods away.  Interlacing of order m leaves those whose n1 + n2 + n3 is a multiple of m.  Order 0, no window: INFINITY.
 * At most the Nyquist wave number of the axis with the widest cells. */
double mfft_power_limit(const mfft_mesh *mesh, mfft_compensation compensation, int order, int interlace);

#endif
