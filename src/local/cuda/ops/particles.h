/* particles.h: particles on a mesh on the device: the calls of local/particles.h. */
#ifndef MFFT_CUDA_PARTICLES_H
#define MFFT_CUDA_PARTICLES_H

#include "local/cuda/ops/service.h"
#include "local/particles.h"

extern const mfft_particle_calls mfft_cuda_particle_calls;

/* The service kernel of a step for a mesh. */
mfft_service_kernel mfft_cuda_particle_kernel(mfft_service service, const mfft_particle_space *space, int step);

/* Clears the words that kernels change; reads them once the stream has done its work. */
mfft_status mfft_cuda_words_clear(void *tables, void *stream);
mfft_status mfft_cuda_words_read(void *tables, mfft_particle_words *words, void *stream);

/* Launches with enough threads for `count` elements, or as many as a device holds at a time. */
mfft_status mfft_cuda_particle_launch(const mfft_service_kernel *kernel, int64_t count, void *args, void *stream,
                                      const char *what);

/* The calls of particle_cells.c. */
mfft_status mfft_cuda_weights_largest(const mfft_particle_values *weight, int64_t count, void *tables, double *largest,
                                      int64_t *bad, void *stream);
mfft_status mfft_cuda_weights_magnitudes(const mfft_particle_values *weight, int64_t count, const double unit[2],
                                         void *tables, int64_t *total, void *stream);
mfft_status mfft_cuda_cells_clear(const mfft_particle_space *space, void *sums, void *stream);
mfft_status mfft_cuda_cells_total(const mfft_particle_space *space, const void *sums, void *tables, int64_t *total,
                                  void *stream);
mfft_status mfft_cuda_cells_store(const mfft_particle_space *space, const void *sums, int64_t mean, const double from[2],
                                  int add, void *mesh, void *tables, int64_t *infinite, void *stream);
mfft_status mfft_cuda_cells_fold(const mfft_block *blocks, int64_t nblocks, const void *in, void *out, void *stream);

#endif
