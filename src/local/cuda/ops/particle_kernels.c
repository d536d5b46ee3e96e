/* particle_kernels.c: see particle_kernels.h. */
#include "local/cuda/ops/particle_kernels.h"

#include "base/precision.h"
#include "local/cuda/ops/memory.h"

enum { MOST_BLOCKS = 1 << 15 };

/* The number of cells of a tile with its ghost cells, and with so many more on either side. */
static int tile_cells(const mfft_particle_space *space, int more) {
  int cells = 1;
  for (int a = 0; a < 3; a++) cells *= (1 << mfft_tile_log[a]) + space->low + space->high + 2 * more;
  return cells;
}

static unsigned threads_of(const mfft_service_kernel *kernel) {
  return kernel->service == MFFT_SERVICE_SLOPES ? MFFT_SLOPES_THREADS : MFFT_PARTICLE_THREADS;
}

int64_t mfft_cuda_particle_tiles(const mfft_particle_space *space, int64_t tiles[3]) {
  int64_t count = 1;
  for (int a = 0; a < 3; a++) {
    tiles[a] = (space->extent[a] + (1 << mfft_tile_log[a]) - 1) >> mfft_tile_log[a];
    count *= tiles[a];
  }
  return count;
}

void mfft_cuda_particle_rims(const mfft_particle_space *space, mfft_particle_cells *cells) {
  for (int rim = 0; rim < MFFT_RIMS; rim++) {
    cells->rim_start[rim] = space->rim_start[rim];
    for (int a = 0; a < 3; a++) cells->rim_stride[rim][a] = space->rim_stride[rim][a];
  }
}

void mfft_cuda_particle_cells(const mfft_particle_space *space, mfft_particle_cells *cells) {
  int64_t tiles[3]; /* [axis] */
  (void)mfft_cuda_particle_tiles(space, tiles);
  for (int a = 0; a < 3; a++) {
    cells->n[a] = space->n[a];
    cells->lo[a] = space->lo[a];
    cells->extent[a] = (int)space->extent[a];
    cells->tiles[a] = (int)tiles[a];
    cells->stride[a] = space->stride[a];
    cells->scale[a] = space->scale[a];
  }
  cells->shift = space->shift;
  mfft_cuda_particle_rims(space, cells);
}

mfft_service_kernel mfft_cuda_particle_kernel(mfft_service service, const mfft_particle_space *space, int step) {
  mfft_service_kernel kernel = {.service = service, .precision = MFFT_DOUBLE, .step = step, .order = 1};
  if (service != MFFT_SERVICE_DEPOSIT && service != MFFT_SERVICE_DIRECT && service != MFFT_SERVICE_GATHER &&
      service != MFFT_SERVICE_SLOPES && service != MFFT_SERVICE_SLOPES_APART)
    return kernel; /* others do not use the window */
  kernel.order = space->order;
  kernel.low = space->low;
  kernel.high = space->high;
  if (service == MFFT_SERVICE_DIRECT) return kernel;
  kernel.shared_bytes = tile_cells(space, 0) * 8;
  if (service == MFFT_SERVICE_DEPOSIT) return kernel;
  kernel.precision = space->precision;
  const int loaded = service == MFFT_SERVICE_SLOPES ? tile_cells(space, MFFT_PARTICLE_REACH) : 0;
  kernel.shared_bytes = (tile_cells(space, 0) * step + loaded) * (int)mfft_real_bytes(space->precision);
  return kernel;
}

/* Loads a kernel and launches it; does nothing for 0 blocks. */
static mfft_status launch(const mfft_service_kernel *kernel, int64_t blocks, int shared_bytes, void *args, void *stream,
                          const char *what) {
  mfft_cuda_current current;
  CUfunction function;
  if (!blocks) return MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, kernel, &function));
  return mfft_launch(current.driver, function, 0, (unsigned)blocks, 1, threads_of(kernel), (unsigned)shared_bytes, args,
                     stream, what);
}

mfft_status mfft_cuda_particle_launch(const mfft_service_kernel *kernel, int64_t count, void *args, void *stream,
                                      const char *what) {
  const int64_t blocks = (count + MFFT_PARTICLE_THREADS - 1) / MFFT_PARTICLE_THREADS;
  return launch(kernel, blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS, 0, args, stream, what);
}

mfft_status mfft_cuda_particle_launch_items(const mfft_service_kernel *kernel, int64_t items, void *args, void *stream,
                                            const char *what) {
  return launch(kernel, items, kernel->shared_bytes, args, stream, what);
}

mfft_status mfft_cuda_words_clear(void *tables, void *stream) {
  return mfft_cuda_clear(tables, sizeof(mfft_particle_words), stream);
}

mfft_status mfft_cuda_words_read(void *tables, mfft_particle_words *words, void *stream) {
  MFFT_TRY(mfft_cuda_synchronize(stream));
  return mfft_cuda_download(words, tables, sizeof *words);
}

void mfft_cuda_words_refused(const mfft_particle_words *words, int64_t bad[2]) {
  bad[0] = words->nonfinite ? (int64_t)~words->nonfinite : -1;
  bad[1] = words->foreign ? (int64_t)~words->foreign : -1;
}
