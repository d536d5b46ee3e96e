// device.cpp: devices and contexts of the emulated driver.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>

#include "driver.hpp"

using namespace emulated;

static bool initialised;
static thread_local context *current;

static int device_count() { return number_of("MFFT_EMULATED_GPUS", 2); }
static int cache_bytes() { return number_of("MFFT_EMULATED_CACHE", 60 << 20); }
static bool is_device(CUdevice device) { return device >= 0 && device < device_count(); }

static context *primary(int device) {  // the gate is held
  static auto &all = *new std::map<int, context *>;
  context *&c = all[device];
  if (!c) {
    c = new context;
    c->device = device;
    c->standard = hand_out(new stream);
    c->standard->owner = c;
    c->streams.insert(c->standard);
  }
  return c;
}

CUresult emulated::current_context(context **found) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  if (!current) return CUDA_ERROR_INVALID_CONTEXT;
  *found = current;
  return current->error;
}

extern "C" {

CUresult cuInit(unsigned flags) {
  if (flags) return CUDA_ERROR_INVALID_VALUE;
  initialised = true;
  return device_count() > 0 ? CUDA_SUCCESS : CUDA_ERROR_NO_DEVICE;
}

CUresult cuDriverGetVersion(int *version) {
  *version = number_of("MFFT_EMULATED_DRIVER", CUDA_VERSION);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
#define NAME(code) \
  { code, #code }
  static const struct {
    CUresult code;
    const char *name;
  } names[] = {NAME(CUDA_SUCCESS),
               NAME(CUDA_ERROR_INVALID_VALUE),
               NAME(CUDA_ERROR_OUT_OF_MEMORY),
               NAME(CUDA_ERROR_NOT_INITIALIZED),
               NAME(CUDA_ERROR_NO_DEVICE),
               NAME(CUDA_ERROR_INVALID_DEVICE),
               NAME(CUDA_ERROR_INVALID_IMAGE),
               NAME(CUDA_ERROR_INVALID_CONTEXT),
               NAME(CUDA_ERROR_ALREADY_MAPPED),
               NAME(CUDA_ERROR_NO_BINARY_FOR_GPU),
               NAME(CUDA_ERROR_INVALID_HANDLE),
               NAME(CUDA_ERROR_ILLEGAL_STATE),
               NAME(CUDA_ERROR_NOT_FOUND),
               NAME(CUDA_ERROR_NOT_READY),
               NAME(CUDA_ERROR_ILLEGAL_ADDRESS),
               NAME(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
               NAME(CUDA_ERROR_LAUNCH_FAILED),
               NAME(CUDA_ERROR_INVALID_CLUSTER_SIZE),
               NAME(CUDA_ERROR_NOT_SUPPORTED),
               NAME(CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED),
               NAME(CUDA_ERROR_STREAM_CAPTURE_INVALIDATED),
               NAME(CUDA_ERROR_STREAM_CAPTURE_MERGE),
               NAME(CUDA_ERROR_STREAM_CAPTURE_UNMATCHED),
               NAME(CUDA_ERROR_STREAM_CAPTURE_UNJOINED),
               NAME(CUDA_ERROR_STREAM_CAPTURE_IMPLICIT),
               NAME(CUDA_ERROR_CAPTURED_EVENT)};
#undef NAME
  *name = "CUDA_ERROR_UNKNOWN";
  for (const auto &n : names)
    if (n.code == error) *name = n.name;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  *count = device_count();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int number) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(number)) return CUDA_ERROR_INVALID_DEVICE;
  *device = number;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  snprintf(name, (size_t)size, "emulated GPU");
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetUuid_v2(CUuuid *uuid, CUdevice device) {
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  memset(uuid, 0, sizeof *uuid);
  snprintf(uuid->bytes, sizeof uuid->bytes, "emulated %d", device % 1000);
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute what, CUdevice device) {
  const struct {
    CUdevice_attribute what;
    int value;
  } table[] = {{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, PLAIN_SHARED},
               {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, (int)model().most_shared},
               {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, (int)model().sm_shared},
               {CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK, 1024},
               {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, MOST_THREADS},
               {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, (int)model().sm_threads},
               {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, SM_BLOCKS},
               {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, 65536},
               {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_BLOCK, 65536},
               {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, multiprocessors()},
               {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, model().arch / 10},
               {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, model().arch % 10},
               {CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, model().most_cluster > 0},
               {CU_DEVICE_ATTRIBUTE_WARP_SIZE, WARP},
               {CU_DEVICE_ATTRIBUTE_UNIFIED_ADDRESSING, 1},
               {CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, 0},
               {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, cache_bytes()}};
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  for (const auto &t : table)
    if (t.what == what) {
      *value = t.value;
      return CUDA_SUCCESS;
    }
  complain("attribute %d of a device is not emulated", (int)what);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuDeviceGetP2PAttribute(int *value, CUdevice_P2PAttribute what, CUdevice from, CUdevice to) {
  if (!is_device(from) || !is_device(to) || from == to) return CUDA_ERROR_INVALID_DEVICE;
  const int links = number_of("MFFT_EMULATED_LINKS", 2);
  *value = links > (what == CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED);
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *made, CUdevice device) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  if (!is_device(device)) return CUDA_ERROR_INVALID_DEVICE;
  std::lock_guard<std::mutex> hold(gate);
  *made = reinterpret_cast<CUcontext>(primary(device));
  return CUDA_SUCCESS;
}

// A primary context exists until the process ends.
CUresult cuDevicePrimaryCtxRelease_v2(CUdevice device) {
  return is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}

CUresult cuCtxGetCurrent(CUcontext *found) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  *found = reinterpret_cast<CUcontext>(current);
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext wanted) {
  if (!initialised) return CUDA_ERROR_NOT_INITIALIZED;
  current = reinterpret_cast<context *>(wanted);
  return CUDA_SUCCESS;
}

CUresult cuCtxGetDevice(CUdevice *device) {
  context *c;
  CUresult result = current_context(&c);
  if (result == CUDA_SUCCESS) *device = c->device;
  return result;
}

CUresult cuCtxSynchronize(void) {
  std::unique_lock<std::mutex> held(gate);
  context *c;
  CUresult result = current_context(&c);
  return result == CUDA_SUCCESS ? finish_context(held, c) : result;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}
}
