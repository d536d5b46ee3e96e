/* staging.h: copies in host memory of what a mesh on a device has, for exchanges of particles, whose messages begin and end
 * in host memory.  No call is collective. */
#ifndef MFFT_PARTICLES_STAGING_H
#define MFFT_PARTICLES_STAGING_H

#include "particles/mesh.h"

/* Makes a copy of the positions, one axis after another, in *memory, which the caller frees with free(). */
mfft_status mfft_pm_fetch_positions(mfft_particle_mesh mesh, const mfft_particles *particles, mfft_particles *fetched,
                                    void **memory);

/* Copies an array between host memory and that of the device, after the work of the plan's stream. */
mfft_status mfft_pm_fetch(mfft_particle_mesh mesh, void *host, const void *device, size_t bytes);
mfft_status mfft_pm_put(mfft_particle_mesh mesh, void *device, const void *host, size_t bytes);

/* 1: the address is in memory that the device reaches; 0: in other memory of the host.  Exchanges take either. */
int mfft_pm_on_device(mfft_particle_mesh mesh, const void *address);

#endif
