/* load.c: see load.h. */
#include "local/cuda/runtime/load.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/runtime/compile.h"
#include "local/cuda/runtime/prebuilt.h"

typedef struct loaded {
  struct loaded *next;
  CUcontext context;
  unsigned long long context_id;
  mfft_compile_options options;
  CUfunction function;
} loaded;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static loaded *all; /* guarded by lock */

static CUfunction find(const mfft_cuda_current *current, const mfft_compile_options *options) {
  for (const loaded *l = all; l; l = l->next)
    if (l->context == current->context && l->context_id == current->context_id && l->options.file == options->file &&
        !memcmp(l->options.text, options->text, sizeof options->text))
      return l->function;
  return NULL;
}

/* Loads the machine code that was installed with the library if the driver accepts it, otherwise code that is compiled, or
 * was compiled, on this machine. */
static mfft_status load_module(const mfft_cuda_current *current, const mfft_compile_options *options, CUmodule *module) {
  const mfft_cuda_driver *driver = current->driver;
  mfft_cubin cubin = {0};
  if (mfft_prebuilt_read(options, current->limits->arch, &cubin)) {
    const CUresult result = driver->module_load(module, cubin.data);
    free(cubin.data);
    if (result == CUDA_SUCCESS) return MFFT_SUCCESS;
    mfft_log(MFFT_LOG_INFO, "a kernel of %s that was installed with the library does not suit the driver", options->file);
  }
  MFFT_TRY(mfft_compile(options, current->limits->arch, &cubin));
  const CUresult result = driver->module_load(module, cubin.data);
  free(cubin.data);
  MFFT_CUDA_TRY(driver, "loading a kernel", result);
  return MFFT_SUCCESS;
}

mfft_status mfft_load_function(const mfft_cuda_current *current, const mfft_compile_options *options, int shared_bytes,
                               int cluster, CUfunction *function) {
  const mfft_cuda_driver *driver = current->driver;
  mfft_status status = MFFT_SUCCESS;
  CUmodule module = NULL;
  loaded *entry = NULL;

  pthread_mutex_lock(&lock);
  CUfunction found = find(current, options);
  if (found) goto done;
  entry = calloc(1, sizeof *entry);
  if (!entry) {
    status = mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for a kernel's entry of %zu bytes", sizeof *entry);
    goto done;
  }
  MFFT_GOTO(done, load_module(current, options, &module));
  MFFT_CUDA_GOTO(done, driver, "finding a kernel", driver->module_function(&found, module, "mfft_pass"));
  if (shared_bytes > 48 * 1024)
    MFFT_CUDA_GOTO(done, driver, "asking for shared memory",
                   driver->function_set(found, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, shared_bytes));
  if (cluster > MFFT_PORTABLE_CLUSTER)
    MFFT_CUDA_GOTO(done, driver, "asking for a large cluster",
                   driver->function_set(found, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED, 1));
  entry->context = current->context;
  entry->context_id = current->context_id;
  entry->options = *options;
  entry->function = found;
  entry->next = all;
  all = entry;
  entry = NULL;
  module = NULL;
done:
  pthread_mutex_unlock(&lock);
  if (module) driver->module_unload(module);
  free(entry);
  if (status == MFFT_SUCCESS) *function = found;
  return status;
}

mfft_status mfft_load_kernel(const mfft_cuda_current *current, const mfft_kernel *kernel, CUfunction *function) {
  mfft_compile_options options;
  mfft_engine_options(kernel, &options);
  return mfft_load_function(current, &options, kernel->tile.shared_bytes, kernel->cluster.blocks, function);
}

/* Fills in the launch attributes of a grid and returns their number: whether it may start before its predecessor has
 * ended, and the size of its clusters. */
static unsigned attributes(int arch, int cluster, CUlaunchAttribute list[2]) {
  unsigned count = 0;
  if (arch >= 90)
    list[count++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION,
                                        .value = {.programmaticStreamSerializationAllowed = 1}};
  if (cluster > 1)
    list[count++] = (CUlaunchAttribute){.id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION,
                                        .value = {.clusterDim = {.x = (unsigned)cluster, .y = 1, .z = 1}}};
  return count;
}

int mfft_clusters_resident(const mfft_cuda_driver *driver, CUfunction function, const mfft_kernel *kernel) {
  if (kernel->cluster.blocks <= 1) return INT_MAX;
  CUlaunchAttribute list[2];
  CUlaunchConfig config = {.gridDimX = 1024 * (unsigned)kernel->cluster.blocks,
                           .gridDimY = 1,
                           .gridDimZ = 1,
                           .blockDimX = (unsigned)(kernel->chain.lines * kernel->chain.threads),
                           .blockDimY = 1,
                           .blockDimZ = 1,
                           .sharedMemBytes = (unsigned)kernel->tile.shared_bytes,
                           .attrs = list,
                           .numAttrs = attributes(0, kernel->cluster.blocks, list)};
  int clusters = 0;
  return driver->active_clusters(&clusters, function, &config) == CUDA_SUCCESS ? clusters : 0;
}

mfft_status mfft_launch_clusters(const mfft_cuda_driver *driver, CUfunction function, int arch, int cluster, unsigned blocks,
                                 unsigned blocks_y, unsigned threads, unsigned shared, void *args, void *stream,
                                 const char *what) {
  CUlaunchAttribute list[2];
  CUlaunchConfig config = {.gridDimX = blocks,
                           .gridDimY = blocks_y,
                           .gridDimZ = 1,
                           .blockDimX = threads,
                           .blockDimY = 1,
                           .blockDimZ = 1,
                           .sharedMemBytes = shared,
                           .hStream = (CUstream)stream,
                           .attrs = list,
                           .numAttrs = attributes(arch, cluster, list)};
  void *arguments[] = {args};
  MFFT_CUDA_TRY(driver, what, driver->launch(&config, function, arguments, NULL));
  return MFFT_SUCCESS;
}

mfft_status mfft_launch(const mfft_cuda_driver *driver, CUfunction function, int arch, unsigned blocks, unsigned blocks_y,
                        unsigned threads, unsigned shared, void *args, void *stream, const char *what) {
  return mfft_launch_clusters(driver, function, arch, 1, blocks, blocks_y, threads, shared, args, stream, what);
}
