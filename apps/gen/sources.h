/* sources.h: the sources of fields of `mergefft gen`.  All are functions of global cell indices, so that they do not depend
 * on the division of the field. */
#ifndef MFFT_APPS_SOURCES_H
#define MFFT_APPS_SOURCES_H

#include "gen/cosmology.h"
#include "mesh/mesh.h"

/* A cos(2 pi m.i/n + phase) at cell i, the phase reduced exactly in integers. */
void mfft_fill_wave(const mfft_mesh *mesh, const mfft_box *box, const int64_t mode[3], double amplitude, double phase,
                    double *field);

/* `amplitude` in one cell, 0 elsewhere. */
void mfft_fill_point(const mfft_box *box, const int64_t cell[3], double amplitude, double *field);

void mfft_fill_uniform(const mfft_box *box, double value, double *field);

/* Multiplies white noise of deviation 1 in plan->real by a power spectrum: forward, multiply each mode by sqrt(P(k) cells /
 * volume), backward.  The mode k = 0 becomes 0.  Collective; 1 on every rank if it failed and has reported it, else 0. */
int mfft_colour_noise(const mfft_mesh *mesh, mfft_mesh_plan *plan, const mfft_spectrum *spectrum);

#endif
