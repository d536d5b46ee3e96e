/* space.h: the geometry of a mesh as the calls of a device have it (local/particles.h). */
#ifndef MFFT_PARTICLES_SPACE_H
#define MFFT_PARTICLES_SPACE_H

#include "particles/parts.h"
#include "plan/particle_calls.h"

void mfft_pm_space_make(const mfft_pm_grid *grid, const mfft_pm_parts *parts, mfft_precision precision,
                        mfft_particle_space *space);

#endif
