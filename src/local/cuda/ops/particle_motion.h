/* particle_motion.h: the calls of local/particles.h for kicks, drifts, energies and the order of columns. */
#ifndef MFFT_CUDA_PARTICLE_MOTION_H
#define MFFT_CUDA_PARTICLE_MOTION_H

#include "local/particles.h"

mfft_status mfft_cuda_particles_arrange(const mfft_particle_sort *sort, int64_t count, int64_t element_bytes, const void *in,
                                        void *out, void *stream);
mfft_status mfft_cuda_particles_kick(const mfft_particle_motion *motion, void *stream);
mfft_status mfft_cuda_particles_drift(const mfft_particle_motion *motion, void *stream);
size_t mfft_cuda_particles_energy_bytes(void);
mfft_status mfft_cuda_particles_energies(const mfft_particle_motion *motion, void *memory,
                                         mfft_exact_sum sum[MFFT_PARTICLE_SUMS], void *stream);

#endif
