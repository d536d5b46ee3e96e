/* particle_direct.c: see particle_direct.h. */
#include "local/cuda/ops/particle_direct.h"

#include "local/cuda/kernels/args/particle_args.h"
#include "local/cuda/ops/particle_kernels.h"

mfft_status mfft_cuda_particles_deposit_direct(const mfft_particle_space *space, const mfft_particle_list *list,
                                               const mfft_particle_values *weight, const double to[2], void *own, void *rims,
                                               void *tables, int64_t bad[2], int64_t *changes, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_DIRECT, space, 0);
  mfft_direct_args args = {.stride = list->stride,
                           .type = list->type,
                           .count = (unsigned)list->count,
                           .value = weight->value,
                           .value_double = weight->precision == MFFT_DOUBLE,
                           .value_stride = weight->stride,
                           .to = {to[0], to[1]},
                           .own = own,
                           .rims = rims,
                           .words = tables};
  mfft_particle_words words;
  mfft_cuda_particle_cells(space, &args.cells);
  for (int a = 0; a < 3; a++) args.position[a] = list->position[a];
  MFFT_TRY(mfft_cuda_words_clear(tables, stream));
  MFFT_TRY(mfft_cuda_particle_launch(&kernel, list->count, &args, stream, "depositing particles in their sequence"));
  MFFT_TRY(mfft_cuda_words_read(tables, &words, stream));
  mfft_cuda_words_refused(&words, bad);
  *changes = (int64_t)words.changes;
  return MFFT_SUCCESS;
}
