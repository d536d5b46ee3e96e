/* sums.c: exact sums over an array: one launch computes a sum for each thread block, and the host adds those up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/kernels/args/number_args.h"
#include "local/cuda/ops/array.h"
#include "local/cuda/ops/memory.h"
#include "local/cuda/ops/service.h"

enum { MOST_BLOCKS = 1024 };

void mfft_cuda_block_sum_add(const mfft_block_sums *block, mfft_exact_sum *sum) {
  mfft_exact_sum one = {.infinite = {block->infinite[0], block->infinite[1]}, .nan = block->nan};
  memcpy(one.limb, block->limb, sizeof one.limb);
  mfft_exact_merge(sum, &one);
}

static void merge(const mfft_real_loops *loops, const mfft_block_sums *block, unsigned blocks, mfft_sums *found) {
  long long first = INT64_MAX;
  for (unsigned b = 0; b < blocks; b++) {
    mfft_cuda_block_sum_add(&block[b], &found->sum);
    found->min = fmin(found->min, block[b].min);
    found->max = fmax(found->max, block[b].max);
    found->nonfinite += block[b].nonfinite;
    if (block[b].first < first) first = block[b].first;
  }
  if (found->nonfinite) found->first[0] = mfft_real_loops_offset(loops, first);
}

mfft_status mfft_cuda_sums(mfft_precision precision, const mfft_reals_sums *s, const void *in, void *stream) {
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_SUMS, .precision = precision};
  const mfft_real_loops loops = mfft_reals_loops(&s->reals);
  mfft_sums_args args = {.in = in,
                         .count = (unsigned long long)mfft_reals_count(&s->reals),
                         .squares = s->squares,
                         .centre = s->centre,
                         .centre_rest = s->centre_rest};
  const unsigned long long tile = MFFT_ARRAY_THREADS * MFFT_SUM_TILE, tiles = (args.count + tile - 1) / tile;
  const unsigned blocks = tiles < MOST_BLOCKS ? (unsigned)tiles : MOST_BLOCKS;
  const size_t bytes = blocks * sizeof *args.result;
  mfft_block_sums *sums = NULL; /* [blocks] */
  void *memory = NULL;
  mfft_cuda_current current;
  CUfunction function;
  mfft_status status = MFFT_SUCCESS;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_TRY(mfft_service_load(&current, &kernel, &function));
  for (int i = 0; i < MFFT_REAL_LOOPS; i++) {
    args.n[i] = (unsigned long long)loops.n[i];
    args.stride[i] = loops.stride[i];
  }
  sums = malloc(bytes);
  if (!sums) return mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for %zu bytes of sums", bytes);
  MFFT_GOTO(done, mfft_cuda_alloc(bytes, &memory));
  args.result = memory;
  MFFT_GOTO(done,
            mfft_launch(current.driver, function, 0, blocks, 1, MFFT_ARRAY_THREADS, 0, &args, stream, "adding up an array"));
  MFFT_GOTO(done, mfft_cuda_synchronize(stream));
  MFFT_GOTO(done, mfft_cuda_download(sums, memory, bytes));
  merge(&loops, sums, blocks, s->found);
done:
  if (memory) mfft_cuda_free(memory);
  free(sums);
  return status;
}
