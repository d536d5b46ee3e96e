/* driver.h: libcuda and NVRTC, opened when they are first needed.
 *
 * The library is linked to neither, so it loads on machines that have no driver, and compiling kernels needs no GPU. */
#ifndef MFFT_CUDA_DRIVER_H
#define MFFT_CUDA_DRIVER_H

#include <cuda.h>
#include <nvrtc.h>

#include "base/status.h"

/* X(result, name, symbol, arguments): the type that a function returns, its name in the table, its symbol in the library. */
#define MFFT_CUDA_FUNCTIONS(X)                                                                                \
  X(CUresult, init, "cuInit", (unsigned))                                                                     \
  X(CUresult, error_name, "cuGetErrorName", (CUresult, const char **))                                        \
  X(CUresult, driver_version, "cuDriverGetVersion", (int *))                                                  \
  X(CUresult, device_count, "cuDeviceGetCount", (int *))                                                      \
  X(CUresult, device_get, "cuDeviceGet", (CUdevice *, int))                                                   \
  X(CUresult, device_attribute, "cuDeviceGetAttribute", (int *, CUdevice_attribute, CUdevice))                \
  X(CUresult, device_pair, "cuDeviceGetP2PAttribute", (int *, CUdevice_P2PAttribute, CUdevice, CUdevice))     \
  X(CUresult, primary_retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))                            \
  X(CUresult, context_current, "cuCtxGetCurrent", (CUcontext *))                                              \
  X(CUresult, context_set, "cuCtxSetCurrent", (CUcontext))                                                    \
  X(CUresult, context_device, "cuCtxGetDevice", (CUdevice *))                                                 \
  X(CUresult, module_load, "cuModuleLoadData", (CUmodule *, const void *))                                    \
  X(CUresult, module_unload, "cuModuleUnload", (CUmodule))                                                    \
  X(CUresult, module_function, "cuModuleGetFunction", (CUfunction *, CUmodule, const char *))                 \
  X(CUresult, function_set, "cuFuncSetAttribute", (CUfunction, CUfunction_attribute, int))                    \
  X(CUresult, active_clusters, "cuOccupancyMaxActiveClusters", (int *, CUfunction, const CUlaunchConfig *))   \
  X(CUresult, memory_alloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t))                                         \
  X(CUresult, memory_free, "cuMemFree_v2", (CUdeviceptr))                                                     \
  X(CUresult, copy_to_device, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))                         \
  X(CUresult, memory_set, "cuMemsetD8_v2", (CUdeviceptr, unsigned char, size_t))                              \
  X(CUresult, memory_clear, "cuMemsetD8Async", (CUdeviceptr, unsigned char, size_t, CUstream))                \
  X(CUresult, copy_any, "cuMemcpyAsync", (CUdeviceptr, CUdeviceptr, size_t, CUstream))                        \
  X(CUresult, copy_rows, "cuMemcpy2DAsync_v2", (const CUDA_MEMCPY2D *, CUstream))                             \
  X(CUresult, pointer_attribute, "cuPointerGetAttribute", (void *, CUpointer_attribute, CUdeviceptr))         \
  X(CUresult, host_alloc, "cuMemHostAlloc", (void **, size_t, unsigned))                                      \
  X(CUresult, host_free, "cuMemFreeHost", (void *))                                                           \
  X(CUresult, host_register, "cuMemHostRegister_v2", (void *, size_t, unsigned))                              \
  X(CUresult, host_unregister, "cuMemHostUnregister", (void *))                                               \
  X(CUresult, host_pointer, "cuMemHostGetDevicePointer_v2", (CUdeviceptr *, void *, unsigned))                \
  X(CUresult, ipc_handle, "cuIpcGetMemHandle", (CUipcMemHandle *, CUdeviceptr))                               \
  X(CUresult, ipc_open, "cuIpcOpenMemHandle_v2", (CUdeviceptr *, CUipcMemHandle, unsigned))                   \
  X(CUresult, ipc_close, "cuIpcCloseMemHandle", (CUdeviceptr))                                                \
  X(CUresult, device_uuid, "cuDeviceGetUuid_v2", (CUuuid *, CUdevice))                                        \
  X(CUresult, device_name, "cuDeviceGetName", (char *, int, CUdevice))                                        \
  X(CUresult, copy_on_device, "cuMemcpyDtoDAsync_v2", (CUdeviceptr, CUdeviceptr, size_t, CUstream))           \
  X(CUresult, copy_to_host, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t))                                 \
  X(CUresult, launch, "cuLaunchKernelEx", (const CUlaunchConfig *, CUfunction, void **, void **))             \
  X(CUresult, event_create, "cuEventCreate", (CUevent *, unsigned))                                           \
  X(CUresult, event_destroy, "cuEventDestroy_v2", (CUevent))                                                  \
  X(CUresult, event_query, "cuEventQuery", (CUevent))                                                         \
  X(CUresult, event_record, "cuEventRecord", (CUevent, CUstream))                                             \
  X(CUresult, event_synchronize, "cuEventSynchronize", (CUevent))                                             \
  X(CUresult, event_elapsed, "cuEventElapsedTime", (float *, CUevent, CUevent))                               \
  X(CUresult, stream_wait, "cuStreamWaitEvent", (CUstream, CUevent, unsigned))                                \
  X(CUresult, stream_create, "cuStreamCreate", (CUstream *, unsigned))                                        \
  X(CUresult, stream_priorities, "cuCtxGetStreamPriorityRange", (int *, int *))                               \
  X(CUresult, stream_create_ranked, "cuStreamCreateWithPriority", (CUstream *, unsigned, int))                \
  X(CUresult, stream_destroy, "cuStreamDestroy_v2", (CUstream))                                               \
  X(CUresult, context_synchronize, "cuCtxSynchronize", (void))                                                \
  X(CUresult, stream_synchronize, "cuStreamSynchronize", (CUstream))                                          \
  X(CUresult, stream_is_capturing, "cuStreamIsCapturing", (CUstream, CUstreamCaptureStatus *))                \
  X(CUresult, capture_begin, "cuStreamBeginCapture_v2", (CUstream, CUstreamCaptureMode))                      \
  X(CUresult, capture_end, "cuStreamEndCapture", (CUstream, CUgraph *))                                       \
  X(CUresult, graph_instantiate, "cuGraphInstantiateWithFlags", (CUgraphExec *, CUgraph, unsigned long long)) \
  X(CUresult, graph_launch, "cuGraphLaunch", (CUgraphExec, CUstream))                                         \
  X(CUresult, graph_exec_destroy, "cuGraphExecDestroy", (CUgraphExec))                                        \
  X(CUresult, graph_destroy, "cuGraphDestroy", (CUgraph))

/* Functions that only newer drivers have; NULL in the table of an older one. */
#define MFFT_CUDA_LATER_FUNCTIONS(X)                                                                   \
  X(CUresult, context_id, "cuCtxGetId", (CUcontext, unsigned long long *))                             \
  X(CUresult, graph_nodes, "cuGraphGetNodes", (CUgraph, CUgraphNode *, size_t *))                      \
  X(CUresult, graph_kernel, "cuGraphKernelNodeGetParams_v2", (CUgraphNode, CUDA_KERNEL_NODE_PARAMS *)) \
  X(CUresult, graph_set_kernel, "cuGraphExecKernelNodeSetParams_v2",                                   \
    (CUgraphExec, CUgraphNode, const CUDA_KERNEL_NODE_PARAMS *))

#define MFFT_NVRTC_FUNCTIONS(X)                                                                  \
  X(nvrtcResult, version, "nvrtcVersion", (int *, int *))                                        \
  X(const char *, error_name, "nvrtcGetErrorString", (nvrtcResult))                              \
  X(nvrtcResult, create, "nvrtcCreateProgram",                                                   \
    (nvrtcProgram *, const char *, const char *, int, const char *const *, const char *const *)) \
  X(nvrtcResult, compile, "nvrtcCompileProgram", (nvrtcProgram, int, const char *const *))       \
  X(nvrtcResult, log_size, "nvrtcGetProgramLogSize", (nvrtcProgram, size_t *))                   \
  X(nvrtcResult, log, "nvrtcGetProgramLog", (nvrtcProgram, char *))                              \
  X(nvrtcResult, cubin_size, "nvrtcGetCUBINSize", (nvrtcProgram, size_t *))                      \
  X(nvrtcResult, cubin, "nvrtcGetCUBIN", (nvrtcProgram, char *))                                 \
  X(nvrtcResult, destroy, "nvrtcDestroyProgram", (nvrtcProgram *))

#define MFFT_X(result, name, symbol, arguments) result(*name) arguments;
typedef struct mfft_cuda_driver {
  MFFT_CUDA_FUNCTIONS(MFFT_X)
  MFFT_CUDA_LATER_FUNCTIONS(MFFT_X)
} mfft_cuda_driver;
typedef struct mfft_nvrtc {
  MFFT_NVRTC_FUNCTIONS(MFFT_X)
} mfft_nvrtc;
#undef MFFT_X

/* Opens libcuda and NVRTC.  MFFT_ERR_NO_DEVICE, with the reason, if there is no driver or no GPU; MFFT_ERR_UNSUPPORTED if
 * there is no NVRTC whose machine code the driver loads, which is one of the driver's major version of CUDA or older. */
mfft_status mfft_cuda_open(const mfft_cuda_driver **driver);
mfft_status mfft_nvrtc_open(const mfft_nvrtc **nvrtc);

mfft_status mfft_cuda_failed(const mfft_cuda_driver *driver, CUresult result, const char *doing);

#define MFFT_CUDA_TRY(driver, doing, call)                                                  \
  do {                                                                                      \
    CUresult cuda_result_ = (call);                                                         \
    if (cuda_result_ != CUDA_SUCCESS) return mfft_cuda_failed(driver, cuda_result_, doing); \
  } while (0)
#define MFFT_CUDA_GOTO(label, driver, doing, call)            \
  do {                                                        \
    CUresult cuda_result_ = (call);                           \
    if (cuda_result_ != CUDA_SUCCESS) {                       \
      status = mfft_cuda_failed(driver, cuda_result_, doing); \
      goto label;                                             \
    }                                                         \
  } while (0)

#endif
