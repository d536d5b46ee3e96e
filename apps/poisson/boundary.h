/* boundary.h: boundary conditions of a Poisson solve, and the basis functions of each axis that satisfy them.
 *
 * The box is filled by n cells of width h along an axis, with values at their centres, and its faces lie half a cell beyond
 * the first and the last of them. Between walls phi is continued beyond a face as an odd function (Dirichlet: phi is 0
 * there) or an even one (Neumann: its normal derivative is 0 there), so that it is periodic over 2 n cells. Its modes are
 * the sines and cosines of a DST or DCT of type II, and functions of a wave number m of a periodic axis of 2 n cells apply.
 *
 * Open: there is no mass outside the box along the axis, and phi is a convolution with the Green function of free space
 * (open.h). Other axes are open or periodic. */
#ifndef MFFT_APPS_BOUNDARY_H
#define MFFT_APPS_BOUNDARY_H

#include <stdint.h>

#include "mfft.h"

typedef enum mfft_boundary { MFFT_PERIODIC = 0, MFFT_DIRICHLET, MFFT_NEUMANN, MFFT_OPEN } mfft_boundary;

/* Reads one word for all axes, or three words for x, y and z separated by commas.  Returns 1 if the text is neither, or if
 * it combines open with walls. */
int mfft_boundary_parse(const char *text, mfft_boundary boundary[3]);

/* 1 if every axis is periodic. */
int mfft_boundary_all_periodic(const mfft_boundary boundary[3]);

/* 1 if no axis prescribes phi anywhere: phi is then determined up to a constant, and the mean of the source must be 0. */
int mfft_boundary_leaves_constant(const mfft_boundary boundary[3]);

/* 1 if an axis is open. */
int mfft_boundary_open(const mfft_boundary boundary[3]);

/* The period of phi in cells; the wave number of index i of a spectrum; the transform whose basis functions satisfy the
 * boundary condition; the sign of the continuation of phi beyond a face, 0: none. */
int64_t mfft_boundary_period(mfft_boundary boundary, int64_t n);
int64_t mfft_boundary_mode(mfft_boundary boundary, int64_t i);
mfft_axis_kind mfft_boundary_transform(mfft_boundary boundary);
int mfft_boundary_sign(mfft_boundary boundary);

/* 1 if the boundary condition is that of a wall. */
int mfft_boundary_wall(mfft_boundary boundary);

/* The boundary condition that the derivative along the axis satisfies: the derivative of an odd function is even, and that
 * of an even function is odd.  quarter_turns: the derivative of a basis function is i^quarter_turns k times a basis function
 * of that condition: d/ds sin(k s) = k cos(k s), d/ds cos(k s) = -k sin(k s), d/ds exp(i k s) = i k exp(i k s). */
mfft_boundary mfft_boundary_derivative(mfft_boundary boundary);
int mfft_boundary_quarter_turns(mfft_boundary boundary);

#endif
