/* bluestein.h: axes of any length by Bluestein's algorithm (L. I. Bluestein 1970), for prime factors that no butterfly has.
 *
 * With the chirp c_j = exp(s pi i j^2 / n), s the sign of the exponent, and j k = (j^2 + k^2 - (k - j)^2) / 2, a transform
 * of n elements is a convolution between two products by the chirp:
 *
 *     X_k = c_k sum over j of (x_j c_j) conj(c_(k-j))
 *
 * The convolution is done by transforms of a length m >= 2 n - 1 that butterflies have: forward, times the spectrum of the
 * conjugate chirp, and back.  Where m fits a block, one pass does all of it (kernels/butterfly/convolution.cu).  Else both
 * are transforms of several passes on lines padded to m in a part of the workspace.  The last pass of the forward one and
 * the first of the inverse one are one pass in place, since the inverse passes undo the forward ones one by one: they read
 * where those write and write where those read.  The first pass loads n elements and multiplies them by the chirp, the last
 * one multiplies by the chirp and stores n.
 *
 * A length with many small prime factors, n = s p, is split where that moves fewer bytes: passes over s, as of any axis, and
 * Bluestein's algorithm for the lines of p elements.
 *
 * Two real lines of odd length are the real and imaginary part of one line of complexes (kernels/butterfly/real_pair.cuh):
 * neighbours along one of the other dimensions, which counts pairs meanwhile.  The first pass loads both lines of a pair,
 * the last one stores both; only half spectra that are stored by the last of several passes are made by one more pass, since
 * elements k and n - k are in different blocks. */
#ifndef MFFT_CUDA_BLUESTEIN_H
#define MFFT_CUDA_BLUESTEIN_H

#include "local/cuda/planner/axis_places.h"

/* Whether one pass over the n complexes of an even real axis can load or store its half spectrum itself. */
int mfft_bluestein_packs(const mfft_builder *b, const mfft_axis *axis);

/* Adds all passes of an axis by Bluestein's algorithm. */
mfft_status mfft_bluestein_add(mfft_builder *b, const mfft_axis *axis);

#endif
