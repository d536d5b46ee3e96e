/* peer_driver.h: the functions of the CUDA driver that peers on GPUs call, opened by name. */
#ifndef MFFT_APPS_PEER_DRIVER_H
#define MFFT_APPS_PEER_DRIVER_H

#include <cuda.h>

#include "mfft.h"

#define MFFT_PEER_DRIVER_FUNCTIONS(X)                                                               \
  X(device_count, "cuDeviceGetCount", (int *))                                                      \
  X(primary_retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice))                            \
  X(primary_release, "cuDevicePrimaryCtxRelease_v2", (CUdevice))                                    \
  X(context_current, "cuCtxGetCurrent", (CUcontext *))                                              \
  X(context_set, "cuCtxSetCurrent", (CUcontext))                                                    \
  X(context_synchronize, "cuCtxSynchronize", (void))                                                \
  X(copy_to_device, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t))                         \
  X(event_create, "cuEventCreate", (CUevent *, unsigned))                                           \
  X(event_destroy, "cuEventDestroy_v2", (CUevent))                                                  \
  X(event_record, "cuEventRecord", (CUevent, CUstream))                                             \
  X(event_synchronize, "cuEventSynchronize", (CUevent))                                             \
  X(event_elapsed, "cuEventElapsedTime", (float *, CUevent, CUevent))                               \
  X(stream_create, "cuStreamCreate", (CUstream *, unsigned))                                        \
  X(stream_destroy, "cuStreamDestroy_v2", (CUstream))                                               \
  X(capture_begin, "cuStreamBeginCapture_v2", (CUstream, CUstreamCaptureMode))                      \
  X(capture_end, "cuStreamEndCapture", (CUstream, CUgraph *))                                       \
  X(graph_instantiate, "cuGraphInstantiateWithFlags", (CUgraphExec *, CUgraph, unsigned long long)) \
  X(graph_launch, "cuGraphLaunch", (CUgraphExec, CUstream))                                         \
  X(graph_exec_destroy, "cuGraphExecDestroy", (CUgraphExec))                                        \
  X(graph_destroy, "cuGraphDestroy", (CUgraph))

typedef struct mfft_peer_driver {
#define MFFT_X(name, symbol, arguments) CUresult(*name) arguments;
  MFFT_PEER_DRIVER_FUNCTIONS(MFFT_X)
#undef MFFT_X
} mfft_peer_driver;

/* The table, valid until the process ends; MFFT_ERR_NO_DEVICE with the reason if there is no driver, or one without a
 * function of the table.  `peer` names the peer in messages. */
mfft_status mfft_peer_driver_open(const char *peer, const mfft_peer_driver **driver);

/* MFFT_SUCCESS, or MFFT_ERR_CUDA with a message that names the peer, the operation, and CUDA's number of the error. */
mfft_status mfft_peer_driver_status(const char *peer, CUresult result, const char *doing);

#endif
