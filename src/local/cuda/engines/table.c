/* table.c: see table.h. */
#include "local/cuda/engines/table.h"

static void one_chain(const mfft_kernel *kernel, mfft_compile_options *options) {
  mfft_options_of_pass(kernel, mfft_engine_of(kernel)->source, options);
}
static void two_chains(const mfft_kernel *kernel, mfft_compile_options *options) {
  mfft_options_of_two_chains(kernel, mfft_engine_of(kernel)->source, options);
}

static const mfft_engine engines[MFFT_ENGINES] = {
    [MFFT_ENGINE_BUTTERFLY] = {"", "pass.cu", one_chain},
    [MFFT_ENGINE_TENSOR] = {"tensor ", "tensor.cu", one_chain},
    [MFFT_ENGINE_CLUSTER] = {"cluster ", "cluster.cu", two_chains},
    [MFFT_ENGINE_REAL] = {"pack ", "real.cu", one_chain},
    [MFFT_ENGINE_SPLIT] = {"tensor ", "split.cu", one_chain},
    [MFFT_ENGINE_RESIDENT] = {"resident ", "resident.cu", two_chains},
    [MFFT_ENGINE_ODD] = {"real ", "odd.cu", one_chain},
};

const mfft_engine *mfft_engine_of(const mfft_kernel *kernel) { return &engines[kernel->engine]; }
