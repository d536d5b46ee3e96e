/* particle_motion.c: see particle_motion.h. */
#include "local/cuda/ops/particle_motion.h"

#include <stdlib.h>
#include <string.h>

#include "local/cuda/kernels/args/motion_args.h"
#include "local/cuda/kernels/args/owner_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/particle_kernels.h"

mfft_status mfft_cuda_particles_arrange(const mfft_particle_sort *sort, int64_t count, int64_t element_bytes, const void *in,
                                        void *out, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_ARRANGE, NULL, 0);
  const int bytes = ((uintptr_t)in | (uintptr_t)out | (uintptr_t)element_bytes) % 8 == 0 ? 8 : 4;
  mfft_arrange_args args = {.record = sort->in_list ? NULL : sort->records,
                            .in = in,
                            .out = out,
                            .type = sort->type,
                            .word_bytes = bytes,
                            .words = (unsigned)(element_bytes / bytes),
                            .count = (unsigned long long)count};
  return mfft_cuda_particle_launch(&kernel, count * args.words, &args, stream, "arranging particles");
}

static mfft_motion_args args_of(const mfft_particle_motion *m) {
  mfft_motion_args args = {.count = (unsigned long long)m->count,
                           .mass = m->mass,
                           .potential = m->potential,
                           .keep = m->keep,
                           .kick = m->kick,
                           .drift = m->drift,
                           .lpt = {m->lpt[0], m->lpt[1]}};
  for (int a = 0; a < 3; a++) {
    args.position[a] = (unsigned long long *)m->position[a];
    args.momentum[a] = m->momentum[a];
    args.force[a] = m->force[a];
    args.first[a] = m->first[a];
    args.second[a] = m->second[a];
    args.length[a] = m->length[a];
  }
  return args;
}

mfft_status mfft_cuda_particles_kick(const mfft_particle_motion *motion, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_MOTION, NULL, 0);
  mfft_motion_args args = args_of(motion);
  return mfft_cuda_particle_launch(&kernel, motion->count, &args, stream, "kicking particles");
}

mfft_status mfft_cuda_particles_drift(const mfft_particle_motion *motion, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_MOTION, NULL, 1);
  mfft_motion_args args = args_of(motion);
  return mfft_cuda_particle_launch(&kernel, motion->count, &args, stream, "drifting particles");
}

size_t mfft_cuda_particles_energy_bytes(void) {
  return (size_t)MFFT_PARTICLE_SUMS * MFFT_MOTION_BLOCKS * sizeof(mfft_block_sums);
}

/* The host adds up the sums of the thread blocks, which takes some microseconds. */
mfft_status mfft_cuda_particles_energies(const mfft_particle_motion *motion, void *memory,
                                         mfft_exact_sum sum[MFFT_PARTICLE_SUMS], void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_ENERGIES, NULL, 0);
  const int64_t tile = MFFT_ARRAY_THREADS * MFFT_SUM_TILE, tiles = (motion->count + tile - 1) / tile;
  const unsigned blocks = (unsigned)(tiles < MFFT_MOTION_BLOCKS ? tiles : MFFT_MOTION_BLOCKS);
  const size_t bytes = (size_t)MFFT_PARTICLE_SUMS * blocks * sizeof(mfft_block_sums);
  mfft_motion_args args = args_of(motion);
  mfft_cuda_current current;
  CUfunction function;
  mfft_status status = MFFT_SUCCESS;
  memset(sum, 0, MFFT_PARTICLE_SUMS * sizeof *sum);
  if (!blocks) return MFFT_SUCCESS;
  args.result = memory;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  mfft_block_sums *found = malloc(bytes); /* [sums][blocks] */
  if (!found) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for %zu bytes of sums", bytes);
  MFFT_GOTO(done, mfft_launch(current.driver, function, 0, blocks, MFFT_PARTICLE_SUMS, MFFT_ARRAY_THREADS, 0, &args, stream,
                              "adding up energies"));
  MFFT_GOTO(done, mfft_cuda_synchronize(stream));
  MFFT_GOTO(done, mfft_cuda_download(found, memory, bytes));
  for (unsigned i = 0; i < MFFT_PARTICLE_SUMS * blocks; i++) mfft_cuda_block_sum_add(&found[i], &sum[i / blocks]);
done:
  free(found);
  return status;
}
