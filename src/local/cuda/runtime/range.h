/* range.h: NVTX ranges, which profilers such as Nsight Systems show above the launches within them.  The headers of NVTX
 * connect to the profiler if one is attached; a build without these headers has no ranges. */
#ifndef MFFT_CUDA_RANGE_H
#define MFFT_CUDA_RANGE_H

void mfft_cuda_range_begin(const char *name);
void mfft_cuda_range_end(void);

#endif
