/* resident.h: passes of 16-bit lines and planes over tiles that stay where they lie in shared memory
 * (kernels/tensor/resident.cu).
 */
#ifndef MFFT_CUDA_RESIDENT_H
#define MFFT_CUDA_RESIDENT_H

#include "local/cuda/planner/builder.h"

/* The longest strided line of such a pass, one of several of an axis of `whole` elements; 0: there is none. */
int64_t mfft_resident_longest(const builder *b, int64_t whole);

/* Whether tiles, or other passes on tensor cores in parts that stay in the cache, were the fastest for a pass of n elements
 * of an axis of `whole`, on a device that has the room for them. */
int mfft_resident_known(mfft_precision precision, int64_t n, int64_t whole, int strided);

/* Whether lines of n elements, of a pass of such an axis, can be done so, and are by rule or by name; strided: they are not
 * contiguous where they are read. */
int mfft_resident_fits(const builder *b, int64_t n, int64_t whole, int strided);

/* Whether a pass whose loops and maps are set can be one. */
int mfft_resident_suits(const builder *b, const mfft_pass *pass, int64_t whole);

/* Merges, threads and lines of such a kernel. */
mfft_status mfft_resident_shape(const builder *b, mfft_kernel *k, int64_t whole);

/* Blocks of the launch. */
int64_t mfft_resident_blocks(const builder *b, const mfft_pass *pass);

/* One pass for the plane of two axes, where a tile holds it; sets *added. */
mfft_status mfft_resident_try_plane(builder *b, int slow, int fast, mfft_place_id src, mfft_place_id dst, int *added);

#endif
