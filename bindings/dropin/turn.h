/* turn.h: the order in memory of transposed arrays with more axes than a distributed plan has.
 *
 * On a mesh of two dimensions such an array is [y][z][x][rest] in the program.  The distributed plan has three axes, the
 * last of which is z and all that follows, and leaves [y][x][z rest].  A pass over the array exchanges x and z. */
#ifndef MFFT_DROPIN_TURN_H
#define MFFT_DROPIN_TURN_H

#include "request.h"

/* Whether the arrays of a shape differ so. */
int mfft_dropin_turns(const mfft_dropin_shape *shape);

/* Copies a rank's array of the transposed side from the plan's order to the program's, or back. */
void mfft_dropin_turn(const mfft_dropin_shape *shape, int rank, int to_program, const void *from, void *to);

#endif
