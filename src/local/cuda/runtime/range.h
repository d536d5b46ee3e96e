/* range.h: NVTX ranges, which profilers such as Nsight Systems show over what is launched within them.  The headers of NVTX
 * open the tool themselves, when there is one; a build without them has no ranges. */
#ifndef MFFT_CUDA_RANGE_H
#define MFFT_CUDA_RANGE_H

void mfft_cuda_range_begin(const char *name);
void mfft_cuda_range_end(void);

#endif
