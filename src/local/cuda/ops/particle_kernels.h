/* particle_kernels.h: finds and launches the kernels of particles, and the words that they change. */
#ifndef MFFT_CUDA_PARTICLE_KERNELS_H
#define MFFT_CUDA_PARTICLE_KERNELS_H

#include "local/cuda/ops/service.h"
#include "local/particles.h"

/* Logarithms of the sides of a tile. */
static const int mfft_tile_log[3] = {MFFT_PARTICLE_LOG_X, MFFT_PARTICLE_LOG_Y, MFFT_PARTICLE_LOG_Z};

/* The service kernel of a step for a mesh. */
mfft_service_kernel mfft_cuda_particle_kernel(mfft_service service, const mfft_particle_space *space, int step);

/* Clears the words that kernels change; reads them once the stream has done its work. */
mfft_status mfft_cuda_words_clear(void *tables, void *stream);
mfft_status mfft_cuda_words_read(void *tables, mfft_particle_words *words, void *stream);

/* Launches with enough threads for `count` elements, or as many as a device holds at a time. */
mfft_status mfft_cuda_particle_launch(const mfft_service_kernel *kernel, int64_t count, void *args, void *stream,
                                      const char *what);

/* Launches a block for each item. */
mfft_status mfft_cuda_particle_launch_items(const mfft_service_kernel *kernel, int64_t items, void *args, void *stream,
                                            const char *what);

#endif
