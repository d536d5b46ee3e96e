/* particle_kernels.h: loads and launches the kernels for particles, and reads the counters that they write
 * (mfft_particle_words). */
#ifndef MFFT_CUDA_PARTICLE_KERNELS_H
#define MFFT_CUDA_PARTICLE_KERNELS_H

#include "local/cuda/kernels/args/particle_args.h"
#include "local/cuda/ops/service.h"
#include "local/particles.h"

/* Binary logarithms of the lengths of a tile, in cells. */
static const int mfft_tile_log[3] /* [axis] */ = {MFFT_PARTICLE_LOG_X, MFFT_PARTICLE_LOG_Y, MFFT_PARTICLE_LOG_Z};

/* The kernel of a step of a service, compiled for a mesh. */
mfft_service_kernel mfft_cuda_particle_kernel(mfft_service service, const mfft_particle_space *space, int step);

/* Clears the counters at the beginning of the tables of a sort; reads them after waiting for the stream. */
mfft_status mfft_cuda_words_clear(void *tables, void *stream);
mfft_status mfft_cuda_words_read(void *tables, mfft_particle_words *words, void *stream);

/* The index of the first particle that is not finite, and of the first outside of the own cells; -1: none. */
void mfft_cuda_words_refused(const mfft_particle_words *words, int64_t bad[2]);

/* The number of tiles of a mesh, and that along each axis. */
int64_t mfft_cuda_particle_tiles(const mfft_particle_space *space, int64_t tiles[3]);

/* Where the rims of a mesh are, in the form in which kernels take them. */
void mfft_cuda_particle_rims(const mfft_particle_space *space, mfft_particle_cells *cells);

/* The cells of a mesh, with its rims, in that form. */
void mfft_cuda_particle_cells(const mfft_particle_space *space, mfft_particle_cells *cells);

/* Launches one thread for each of `count` elements, but no more blocks than fill any device: a kernel loops over the rest.
 */
mfft_status mfft_cuda_particle_launch(const mfft_service_kernel *kernel, int64_t count, void *args, void *stream,
                                      const char *what);

/* Launches one thread block for each item. */
mfft_status mfft_cuda_particle_launch_items(const mfft_service_kernel *kernel, int64_t items, void *args, void *stream,
                                            const char *what);

#endif
