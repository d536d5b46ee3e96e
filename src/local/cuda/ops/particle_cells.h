/* particle_cells.h: the calls of local/particles.h on weights, on sums of cells, and for blocks of ghost cells. */
#ifndef MFFT_CUDA_PARTICLE_CELLS_H
#define MFFT_CUDA_PARTICLE_CELLS_H

#include "local/particles.h"

mfft_status mfft_cuda_weights_largest(const mfft_particle_values *weight, int64_t count, void *tables, double *largest,
                                      int64_t *bad, void *stream);
mfft_status mfft_cuda_weights_magnitudes(const mfft_particle_values *weight, int64_t count, const double unit[2],
                                         void *tables, int64_t *total, void *stream);
mfft_status mfft_cuda_weights_integers(const mfft_particle_values *weight, int64_t count, const double to[2], void *tables,
                                       int64_t *total, void *stream);
mfft_status mfft_cuda_cells_clear(const mfft_particle_space *space, void *sums, void *stream);
mfft_status mfft_cuda_cells_store(const mfft_particle_space *space, const void *sums, int64_t mean, const double from[2],
                                  int add, void *mesh, void *tables, int64_t *infinite, void *stream);
mfft_status mfft_cuda_cells_fold(const mfft_block *blocks, int64_t nblocks, const void *in, void *out, void *stream);

#endif
