/* gather.h: interpolation from the mesh to particles. */
#ifndef MFFT_PARTICLES_GATHER_H
#define MFFT_PARTICLES_GATHER_H

#include "particles/difference.h"

/* As mfft_particles_gather; slopes: the fields are these differences of a potential, NULL: arrays of the mesh. */
mfft_status mfft_pm_gather(mfft_particle_mesh mesh, const mfft_particles *particles, const mfft_particle_field *field,
                           int fields, const mfft_pm_slopes *slopes);

#endif
