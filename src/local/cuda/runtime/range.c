#include "local/cuda/runtime/range.h"

#ifdef __has_include
#if __has_include(<nvtx3/nvToolsExt.h>)
#define MFFT_HAVE_NVTX
#include <nvtx3/nvToolsExt.h>
#endif
#endif

#ifdef MFFT_HAVE_NVTX
void mfft_cuda_range_begin(const char *name) { nvtxRangePushA(name); }
void mfft_cuda_range_end(void) { nvtxRangePop(); }
#else
void mfft_cuda_range_begin(const char *name) { (void)name; }
void mfft_cuda_range_end(void) {}
#endif
