/* resident.h: passes of 16-bit lines and planes over tiles that stay where they lie in shared memory (kernels/resident.cu).
 */
#ifndef MFFT_CUDA_RESIDENT_H
#define MFFT_CUDA_RESIDENT_H

#include "local/cuda/builder.h"

/* The longest strided line of such a pass, where the spec asks for such passes; else 0. */
int64_t mfft_resident_longest(const builder *b);

/* Whether lines of n elements can be done so; strided: they are not contiguous where they are read. */
int mfft_resident_fits(const builder *b, int64_t n, int strided);

/* Whether a pass whose loops and maps are set can be one. */
int mfft_resident_suits(const builder *b, const mfft_pass *pass);

/* Merges, threads and lines of such a kernel. */
mfft_status mfft_resident_shape(const builder *b, mfft_kernel *k);

/* Blocks of the launch. */
int64_t mfft_resident_blocks(const builder *b, const mfft_pass *pass);

/* One pass for the plane of two axes, where a tile holds it; sets *added. */
mfft_status mfft_resident_try_plane(builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst, int *added);

#endif
