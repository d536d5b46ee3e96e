/* copy.h: strided copies on the device, and between it and memory of peers or of the host that it has mapped. */
#ifndef MFFT_CUDA_COPY_H
#define MFFT_CUDA_COPY_H

#include "local/backend.h"

/* The entries of backend.h and device.h. */
mfft_status mfft_cuda_copy(const mfft_block *blocks, int64_t count, int64_t element_bytes, const void *in, void *out,
                           void *stream);
mfft_status mfft_cuda_copy_lists(const mfft_block *blocks, const void *const *in, void *const *out, int64_t count,
                                 int64_t element_bytes, int most_blocks, void *stream);

mfft_status mfft_cuda_convert(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int components, int packs,
                              const void *in, void *out, void *stream); /* wire.c */
mfft_status mfft_cuda_resize(const mfft_block *blocks, int64_t nblocks, mfft_precision precision, int narrows,
                             const void *in, void *out, void *stream); /* wire.c */

/* The loop nest by which a block is copied, in units of `bytes`.  Loops that continue each other are merged, and a run that
 * is contiguous on both sides consists of units of up to 16 bytes.  This function calls no device, so tests can call it. */
typedef struct mfft_nest {
  int64_t n[4], is[4], os[4]; /* slow to fast, units */
  int bytes;
} mfft_nest;
void mfft_cuda_nest(const mfft_block *block, int64_t element_bytes, const void *in, const void *out, mfft_nest *nest);

#endif
