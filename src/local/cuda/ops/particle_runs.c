/* particle_runs.c: see particle_runs.h. */
#include "local/cuda/ops/particle_runs.h"

#include "local/cuda/ops/particle_kernels.h"
#include "local/cuda/tuned/particle_rules.h"

int mfft_cuda_particles_run_tiles(int order, double disorder) { return mfft_tuned_run_tiles(order, disorder); }

mfft_status mfft_cuda_particles_deposit_runs(const mfft_particle_space *space, const mfft_particle_list *list,
                                             const mfft_particle_values *weight, const double to[2], int tiles, void *own,
                                             void *rims, void *tables, int64_t bad[2], int64_t *changes, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_RUNS, space, 0);
  const int shared_bytes = tiles ? kernel.shared_bytes : MFFT_PARTICLE_RUN * (int)sizeof(unsigned);
  const unsigned blocks = (unsigned)((list->count + MFFT_PARTICLE_RUN - 1) / MFFT_PARTICLE_RUN);
  mfft_runs_args args = {.stride = list->stride,
                         .type = list->type,
                         .count = (unsigned)list->count,
                         .value = weight->value,
                         .value_double = weight->precision == MFFT_DOUBLE,
                         .value_stride = weight->stride,
                         .to = {to[0], to[1]},
                         .tiles = tiles,
                         .own = own,
                         .rims = rims,
                         .words = tables};
  mfft_particle_words words;
  mfft_cuda_current current;
  CUfunction function;
  mfft_cuda_particle_cells(space, &args.cells);
  for (int a = 0; a < 3; a++) args.position[a] = list->position[a];
  MFFT_TRY(mfft_cuda_words_clear(tables, stream));
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  MFFT_TRY(mfft_launch(current.driver, function, 0, blocks, 1, MFFT_PARTICLE_THREADS, (unsigned)shared_bytes, &args, stream,
                       "depositing particles in their sequence"));
  MFFT_TRY(mfft_cuda_words_read(tables, &words, stream));
  mfft_cuda_words_refused(&words, bad);
  *changes = (int64_t)words.changes;
  return MFFT_SUCCESS;
}
