/* load.h: kernels that are ready to launch.  They are compiled, or taken from disk, once in a process and context, and stay.
 */
#ifndef MFFT_CUDA_LOAD_H
#define MFFT_CUDA_LOAD_H

#include "local/cuda/engines/options.h"
#include "local/cuda/runtime/context.h"

extern const mfft_backend mfft_backend_cuda;

/* The function that is compiled by some options; it takes so much shared memory, and clusters of so many blocks. */
mfft_status mfft_load_function(const mfft_cuda_current *current, const mfft_compile_options *options, int shared_bytes,
                               int cluster, CUfunction *function);

/* The function of a pass. */
mfft_status mfft_load_kernel(const mfft_cuda_current *current, const mfft_kernel *kernel, CUfunction *function);

/* One launch.  From sm_90 on it may begin while the kernel before it on the stream drains: kernels wait for that one first.
 */
mfft_status mfft_launch(const mfft_cuda_driver *driver, CUfunction function, int arch, unsigned blocks, unsigned blocks_y,
                        unsigned threads, unsigned shared, void *args, void *stream, const char *what);

/* The same in clusters of so many blocks. */
mfft_status mfft_launch_clusters(const mfft_cuda_driver *driver, CUfunction function, int arch, int cluster, unsigned blocks,
                                 unsigned blocks_y, unsigned threads, unsigned shared, void *args, void *stream,
                                 const char *what);

/* How many clusters of the kernel the device holds at a time; INT_MAX for kernels without. */
int mfft_clusters_resident(const mfft_cuda_driver *driver, CUfunction function, const mfft_kernel *kernel);

#endif
