/* particle_direct.h: a deposit of particles that are not sorted: a call of local/particles.h. */
#ifndef MFFT_CUDA_PARTICLE_DIRECT_H
#define MFFT_CUDA_PARTICLE_DIRECT_H

#include "local/particles.h"

mfft_status mfft_cuda_particles_deposit_direct(const mfft_particle_space *space, const mfft_particle_list *list,
                                               const mfft_particle_values *weight, const double to[2], void *own, void *rims,
                                               void *tables, int64_t bad[2], int64_t *changes, void *stream);

#endif
