/* table.c: see table.h. */
#include "local/cuda/engines/table.h"

#include "local/cuda/engines/butterfly.h"
#include "local/cuda/engines/cluster.h"
#include "local/cuda/engines/convolution.h"
#include "local/cuda/engines/odd.h"
#include "local/cuda/engines/rader.h"
#include "local/cuda/engines/real.h"
#include "local/cuda/engines/resident.h"
#include "local/cuda/engines/split.h"
#include "local/cuda/engines/tensor.h"

static const mfft_engine *const engines[MFFT_ENGINES] = {
    [MFFT_ENGINE_BUTTERFLY] = &mfft_engine_butterfly,
    [MFFT_ENGINE_TENSOR] = &mfft_engine_tensor,
    [MFFT_ENGINE_CLUSTER] = &mfft_engine_cluster,
    [MFFT_ENGINE_REAL] = &mfft_engine_real,
    [MFFT_ENGINE_SPLIT] = &mfft_engine_split,
    [MFFT_ENGINE_RESIDENT] = &mfft_engine_resident,
    [MFFT_ENGINE_ODD] = &mfft_engine_odd,
    [MFFT_ENGINE_CONVOLUTION] = &mfft_engine_convolution,
    [MFFT_ENGINE_RADER] = &mfft_engine_rader,
};

/* In which order families are asked: those that do fewer things first. */
static const mfft_engine_id order[MFFT_ENGINES] = {MFFT_ENGINE_RESIDENT, MFFT_ENGINE_CLUSTER,     MFFT_ENGINE_TENSOR,
                                                   MFFT_ENGINE_SPLIT,    MFFT_ENGINE_ODD,         MFFT_ENGINE_REAL,
                                                   MFFT_ENGINE_RADER,    MFFT_ENGINE_CONVOLUTION, MFFT_ENGINE_BUTTERFLY};

const mfft_engine *mfft_engine_of(const mfft_kernel *kernel) { return engines[kernel->engine]; }

void mfft_engine_options(const mfft_kernel *kernel, mfft_compile_options *options) {
  const mfft_engine *engine = mfft_engine_of(kernel);
  engine->options(kernel, engine->source, options);
}

const mfft_engine *mfft_engine_general(void) { return engines[order[MFFT_ENGINES - 1]]; }

mfft_engine_id mfft_engine_for(const mfft_pass_request *request) {
  int i = 0;
  while (i + 1 < MFFT_ENGINES && !(engines[order[i]]->suits && engines[order[i]]->suits(request))) i++;
  return order[i];
}

mfft_engine_id mfft_engine_final(const mfft_pass_draft *draft) {
  for (int i = 0; i < MFFT_ENGINES; i++)
    if (engines[order[i]]->takes_over && engines[order[i]]->takes_over(draft)) return order[i];
  return draft->pass->kernel.engine;
}

int mfft_engines_hold(const mfft_builder *b, int64_t n, int64_t whole, int strided) {
  for (int i = 0; i < MFFT_ENGINES; i++)
    if (engines[i]->holds && engines[i]->holds(b, n, whole, strided)) return 1;
  return 0;
}

int64_t mfft_engines_longest_part(const mfft_builder *b, int64_t whole) {
  int64_t longest = 0;
  for (int i = 0; i < MFFT_ENGINES; i++) {
    const int64_t n = engines[i]->longest_part ? engines[i]->longest_part(b, whole) : 0;
    if (n > longest) longest = n;
  }
  return longest;
}

mfft_status mfft_engines_try_pair(mfft_builder *b, const mfft_pair_request *request, int *added) {
  *added = 0;
  for (int i = 0; i < MFFT_ENGINES && !*added; i++)
    if (engines[order[i]]->try_pair) MFFT_TRY(engines[order[i]]->try_pair(b, request, added));
  return MFFT_SUCCESS;
}

mfft_status mfft_engines_add_packing(mfft_builder *b, const mfft_pass_geometry *geometry) {
  for (int i = 0; i < MFFT_ENGINES; i++)
    if (engines[i]->add_packing) return engines[i]->add_packing(b, geometry);
  return mfft_fail(MFFT_ERR_INTERNAL, "cuda: no kernel packs half spectra");
}
