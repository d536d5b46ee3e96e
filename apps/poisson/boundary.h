/* boundary.h: what holds at the ends of each axis of a Poisson solve, and the functions that fit it.
 *
 * The box is filled by n cells of width h along an axis, with values at their centres, and its faces lie half a cell beyond
 * the first and the last of them. Between walls phi is continued beyond a face as an odd function (Dirichlet: phi is 0
 * there) or an even one (Neumann: its normal derivative is), so that it is periodic over 2 n cells: its modes are the sines
 * and cosines of a DST or DCT of type II, and every function of a wave number m of a periodic axis of 2 n cells serves.
 *
 * Open: nothing is beyond the box, and phi falls off to 0 far away (open.h). All axes are open, or none. */
#ifndef MFFT_APPS_BOUNDARY_H
#define MFFT_APPS_BOUNDARY_H

#include <stdint.h>

#include "mfft.h"

typedef enum mfft_boundary { MFFT_PERIODIC = 0, MFFT_DIRICHLET, MFFT_NEUMANN, MFFT_OPEN } mfft_boundary;

/* Reads one word for all axes, or three for x, y and z between commas.  1 where the text is neither, or has
 * open beside others. */
int mfft_boundary_parse(const char *text, mfft_boundary boundary[3]);

/* 1 where every axis is periodic; where none of them has phi given anywhere, so that it is known but for a constant, and the
 * source must have no mean. */
int mfft_boundary_all_periodic(const mfft_boundary boundary[3]);
int mfft_boundary_leaves_constant(const mfft_boundary boundary[3]);
int mfft_boundary_open(const mfft_boundary boundary[3]);

/* The period of phi in cells, the wave number of index i of a spectrum, the transform that has it, and the sign with which
 * phi goes on beyond a face: 0 where there is none. */
int64_t mfft_boundary_period(mfft_boundary boundary, int64_t n);
int64_t mfft_boundary_mode(mfft_boundary boundary, int64_t i);
mfft_axis_kind mfft_boundary_transform(mfft_boundary boundary);
int mfft_boundary_sign(mfft_boundary boundary);

#endif
