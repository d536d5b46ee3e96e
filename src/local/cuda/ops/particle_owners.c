/* particle_owners.c: see particle_owners.h. */
#include "local/cuda/ops/particle_owners.h"

#include <stdlib.h>
#include <string.h>

#include "local/cuda/kernels/args/owner_args.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/particle_kernels.h"
#include "local/cuda/tuned/particle_rules.h"

enum { WORD_BYTES = 256 };
_Static_assert(sizeof(mfft_particle_words) <= WORD_BYTES, "words come before the table");

/* Most warps among which the particles are divided. */
static unsigned most_warps(int ranks) { return mfft_tuned_owner_warps(ranks, MFFT_OWNERS_WARPS); }

size_t mfft_cuda_particles_owner_bytes(int ranks) {
  return WORD_BYTES + most_warps(ranks) * (size_t)ranks * sizeof(unsigned);
}

static mfft_status launch(mfft_owners_args *args, int step, void *stream) {
  const mfft_service_kernel kernel = mfft_cuda_particle_kernel(MFFT_SERVICE_OWNERS, NULL, step);
  return mfft_cuda_particle_launch(&kernel, (int64_t)args->warps * 32, args, stream, "listing the particles of ranks");
}

/* Replaces the counts table[warps][ranks] by the positions at which each warp begins to write the particles of each rank,
 * and fills owned[ranks] with the totals. */
static void add_up(unsigned *table, unsigned warps, int ranks, int64_t *owned) {
  unsigned next = 0;
  for (int r = 0; r < ranks; r++) {
    const unsigned first = next;
    for (unsigned w = 0; w < warps; w++) {
      unsigned *at = &table[(size_t)w * (size_t)ranks + (size_t)r];
      const unsigned count = *at;
      *at = next;
      next += count;
    }
    owned[r] = (int64_t)(next - first);
  }
}

mfft_status mfft_cuda_particles_order(const mfft_particle_space *space, const mfft_particle_list *list,
                                      const mfft_particle_owners *owners, void *memory, uint32_t *order, int64_t *owned,
                                      int64_t *bad, void *stream) {
  const int64_t warps = (list->count + 31) / 32, most = most_warps(owners->ranks);
  mfft_particle_words words;
  mfft_owners_args args = {.stride = list->stride,
                           .type = list->type,
                           .ranks = owners->ranks,
                           .count = (unsigned long long)list->count,
                           .rank = owners->rank,
                           .warps = (unsigned)(warps < most ? warps : most),
                           .table = (unsigned *)((char *)memory + WORD_BYTES),
                           .order = order,
                           .words = memory};
  for (int a = 0; a < 3; a++) {
    args.position[a] = list->position[a];
    args.n[a] = space->n[a];
    args.scale[a] = space->scale[a];
    args.edge[a] = (const long long *)owners->edge[a];
    args.edges[a] = owners->edges[a];
  }
  const size_t bytes = args.warps * (size_t)args.ranks * sizeof(unsigned);
  *bad = -1;
  memset(owned, 0, (size_t)args.ranks * sizeof *owned);
  if (!list->count) return MFFT_SUCCESS;
  unsigned *table = malloc(bytes); /* [warps][ranks] */
  if (!table) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for the particles of %d ranks", args.ranks);
  mfft_status status = mfft_cuda_clear(memory, WORD_BYTES + bytes, stream);
  if (status == MFFT_SUCCESS) status = launch(&args, 0, stream);
  if (status == MFFT_SUCCESS) status = mfft_cuda_words_read(memory, &words, stream);
  if (status == MFFT_SUCCESS) status = mfft_cuda_download(table, args.table, bytes);
  if (status == MFFT_SUCCESS && words.nonfinite) *bad = (int64_t)~words.nonfinite;
  if (status == MFFT_SUCCESS) add_up(table, args.warps, args.ranks, owned);
  if (status == MFFT_SUCCESS) status = mfft_cuda_upload(args.table, table, bytes);
  if (status == MFFT_SUCCESS && *bad < 0) status = launch(&args, 1, stream);
  free(table);
  return status;
}

mfft_status mfft_cuda_particles_reorder(const uint32_t *order, int64_t count, int64_t element_bytes, int direction,
                                        const void *in, void *out, void *stream) {
  const mfft_service_kernel kernel =
      mfft_cuda_particle_kernel(MFFT_SERVICE_ARRANGE, NULL, direction == MFFT_INTO_ORDER ? 1 : 2);
  const uintptr_t all = (uintptr_t)in | (uintptr_t)out | (uintptr_t)element_bytes;
  const int bytes = all % 8 == 0 ? 8 : all % 4 == 0 ? 4 : 1;
  mfft_arrange_args args = {.record = order,
                            .in = in,
                            .out = out,
                            .word_bytes = bytes,
                            .words = (unsigned)(element_bytes / bytes),
                            .count = (unsigned long long)count};
  return mfft_cuda_particle_launch(&kernel, count * args.words, &args, stream, "moving columns of particles");
}
