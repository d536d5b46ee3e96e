/* load.h: kernels that are ready to launch.  A kernel is compiled, or read from disk, once in each context of a process, and
 * is never unloaded. */
#ifndef MFFT_CUDA_LOAD_H
#define MFFT_CUDA_LOAD_H

#include "local/backend.h"
#include "local/cuda/engines/options.h"
#include "local/cuda/runtime/context.h"

/* Loads the kernel of some options.  shared_bytes: dynamic shared memory of a block; cluster: blocks of a cluster. */
mfft_status mfft_load_function(const mfft_cuda_current *current, const mfft_compile_options *options, int shared_bytes,
                               int cluster, CUfunction *function);

/* Loads the kernel of a pass. */
mfft_status mfft_load_kernel(const mfft_cuda_current *current, const mfft_kernel *kernel, CUfunction *function);

/* Makes one launch.  From sm_90 on its blocks may start while the last blocks of the preceding kernel of the stream still
 * run; each kernel therefore begins by waiting for the end of the preceding one. */
mfft_status mfft_launch(const mfft_cuda_driver *driver, CUfunction function, int arch, unsigned blocks, unsigned blocks_y,
                        unsigned threads, unsigned shared, void *args, void *stream, const char *what);

/* Makes one launch in clusters of `cluster` blocks. */
mfft_status mfft_launch_clusters(const mfft_cuda_driver *driver, CUfunction function, int arch, int cluster, unsigned blocks,
                                 unsigned blocks_y, unsigned threads, unsigned shared, void *args, void *stream,
                                 const char *what);

/* Most clusters of the kernel that are resident on the device at a time; INT_MAX for kernels without clusters. */
int mfft_clusters_resident(const mfft_cuda_driver *driver, CUfunction function, const mfft_kernel *kernel);

#endif
