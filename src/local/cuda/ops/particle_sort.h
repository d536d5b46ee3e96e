/* particle_sort.h: sorts particles by tiles, for the table of calls in particles.c. */
#ifndef MFFT_CUDA_PARTICLE_SORT_H
#define MFFT_CUDA_PARTICLE_SORT_H

#include "local/cuda/kernels/args/particle_args.h"
#include "local/particles.h"

size_t mfft_cuda_sort_table_bytes(const mfft_particle_space *space, int64_t capacity);
size_t mfft_cuda_sort_record_bytes(int64_t capacity, int position_bytes);
mfft_status mfft_cuda_particles_sort(const mfft_particle_space *space, const mfft_particle_list *list, mfft_particle_sort *s,
                                     int64_t bad[2], void *stream);

/* The sorted particles in the form in which kernels take them. */
mfft_sorted_particles mfft_cuda_sorted_particles(const mfft_particle_space *space, const mfft_particle_sort *s);

#endif
