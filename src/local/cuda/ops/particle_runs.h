/* particle_runs.h: a deposit of particles that are not sorted: calls of local/particles.h. */
#ifndef MFFT_CUDA_PARTICLE_RUNS_H
#define MFFT_CUDA_PARTICLE_RUNS_H

#include "local/particles.h"

int mfft_cuda_particles_run_tiles(int order, double disorder);
mfft_status mfft_cuda_particles_deposit_runs(const mfft_particle_space *space, const mfft_particle_list *list,
                                             const mfft_particle_values *weight, const double to[2], int tiles, void *own,
                                             void *rims, void *tables, int64_t bad[2], int64_t *changes, void *stream);

#endif
