// copies.cpp: memory and copies of the emulated driver.
#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "driver.hpp"
#include "memory.hpp"

using namespace emulated;

// Whether these bytes may be copied: all in one allocation; or, if `any` is set, none of them in device memory.
static bool may_copy(const void *at, size_t bytes, bool any) {
  const allocation *a = memory_find(at);
  if (!a) return any;
  return (const char *)at + bytes <= a->base + a->bytes;
}

// Whether a bit of this copy is to be flipped, as a bus that makes an error would: MFFT_EMULATED_FLIP is the number of a
// copy of this process from the device to page-locked memory of the host, counted from 1, or minus that of a copy to the
// device.
static bool flips(const void *to, const void *from) {
  static const int wanted = number_of("MFFT_EMULATED_FLIP", 0);
  static int downloads, uploads;
  const allocation *a = memory_find(to), *b = memory_find(from);
  if (!wanted || !a || !b) return false;
  if (a->kind == PINNED && b->kind == DEVICE) return ++downloads == wanted;
  return a->kind == DEVICE && b->kind == PINNED && ++uploads == -wanted;
}

// A device that only compiles holds nothing: what is copied from it to the host is zeros, as far as a counter or a table is
// long.
static void clear_on_host(void *to, size_t bytes) {
  const size_t most = 1 << 20;
  if (!memory_find(to)) memset(to, 0, std::min(bytes, most));
}

static CUresult copy_on(CUstream handle, void *to, const void *from, size_t bytes, bool wait) {
  if (only_compiles()) {
    clear_on_host(to, bytes);
    return CUDA_SUCCESS;
  }
  std::unique_lock<std::mutex> held(gate);
  stream *s;
  CUresult result = find_stream(handle, &s);
  if (result != CUDA_SUCCESS) return result;
  node_ptr made;
  work what;
  const bool flip = flips(to, from);
  what.call = [=] {
    memmove(to, from, bytes);
    if (flip) ((unsigned char *)to)[bytes / 2] ^= 1;
  };
  if (!wait && !memory_find(from)) {  // CUDA has read pageable memory when the call returns
    const auto staged = std::make_shared<std::vector<char>>((const char *)from, (const char *)from + bytes);
    what.call = [=] { memmove(to, staged->data(), bytes); };
  }
  result = put(s, what, false, &made);
  if (result == CUDA_SUCCESS && wait) {
    queue_wait(held, made);
    result = s->owner->error;
  }
  return result;
}

static CUresult refuse(const char *what, const void *to, const void *from, size_t bytes) {
  complain("%s of %zu bytes from %p to %p: not within memory that it may copy", what, bytes, from, to);
  return CUDA_ERROR_INVALID_VALUE;
}

extern "C" {

CUresult cuMemAlloc_v2(CUdeviceptr *made, size_t bytes) {
  std::lock_guard<std::mutex> hold(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  const allocation *a = memory_make(bytes, DEVICE, c->device);
  if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
  *made = (CUdeviceptr)a->base;
  return CUDA_SUCCESS;
}

CUresult cuMemFree_v2(CUdeviceptr at) {
  std::unique_lock<std::mutex> held(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS || !at) return result;
  result = finish_context(held, c);
  if (memory_free((const char *)at, DEVICE)) return result;
  complain("%p is freed, which is not device memory of this process", (void *)at);
  return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostAlloc(void **made, size_t bytes, unsigned) {
  std::lock_guard<std::mutex> hold(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  if (!bytes) return CUDA_ERROR_INVALID_VALUE;
  const allocation *a = memory_make(bytes, PINNED, c->device);
  if (!a) return CUDA_ERROR_OUT_OF_MEMORY;
  *made = a->base;
  return CUDA_SUCCESS;
}

CUresult cuMemFreeHost(void *at) {
  std::unique_lock<std::mutex> held(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS || !at) return result;
  result = finish_context(held, c);
  return memory_free((const char *)at, PINNED) ? result : CUDA_ERROR_INVALID_VALUE;
}

CUresult cuMemHostRegister_v2(void *at, size_t bytes, unsigned) {
  std::lock_guard<std::mutex> hold(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  if (!at || !bytes || (size_t)at % 4096) return CUDA_ERROR_INVALID_VALUE;
  return memory_register((char *)at, bytes) ? CUDA_SUCCESS : CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
}

CUresult cuMemHostUnregister(void *at) {
  std::unique_lock<std::mutex> held(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  result = finish_context(held, c);
  return memory_free((const char *)at, REGISTERED) ? result : CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
}

CUresult cuMemHostGetDevicePointer_v2(CUdeviceptr *address, void *at, unsigned) {
  const allocation *a = memory_find(at);
  if (!a || (a->kind != PINNED && a->kind != REGISTERED)) return CUDA_ERROR_INVALID_VALUE;
  *address = (CUdeviceptr)at;
  return CUDA_SUCCESS;
}

CUresult cuMemcpyHtoD_v2(CUdeviceptr to, const void *from, size_t bytes) {
  if (!may_copy((void *)to, bytes, false) || !may_copy(from, bytes, true))
    return refuse("a copy to the device", (void *)to, from, bytes);
  return copy_on(nullptr, (void *)to, from, bytes, true);
}
CUresult cuMemcpyDtoH_v2(void *to, CUdeviceptr from, size_t bytes) {
  if (!may_copy((void *)from, bytes, false) || !may_copy(to, bytes, true))
    return refuse("a copy to the host", to, (void *)from, bytes);
  return copy_on(nullptr, to, (void *)from, bytes, true);
}
CUresult cuMemcpyDtoDAsync_v2(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream on) {
  if (!may_copy((void *)to, bytes, false) || !may_copy((void *)from, bytes, false))
    return refuse("a copy on the device", (void *)to, (void *)from, bytes);
  return copy_on(on, (void *)to, (void *)from, bytes, false);
}
CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream on) {
  if (!may_copy((void *)to, bytes, true) || !may_copy((void *)from, bytes, true))
    return refuse("a copy", (void *)to, (void *)from, bytes);
  return copy_on(on, (void *)to, (void *)from, bytes, false);
}

CUresult cuMemcpy2DAsync_v2(const CUDA_MEMCPY2D *rectangle, CUstream on) {
  const CUDA_MEMCPY2D r = *rectangle;
  if (r.srcMemoryType != CU_MEMORYTYPE_UNIFIED || r.dstMemoryType != CU_MEMORYTYPE_UNIFIED || !r.Height)
    return CUDA_ERROR_INVALID_VALUE;
  if (r.srcXInBytes || r.srcY || r.dstXInBytes || r.dstY || r.WidthInBytes > r.srcPitch || r.WidthInBytes > r.dstPitch)
    return CUDA_ERROR_INVALID_VALUE;
  const size_t from_bytes = (r.Height - 1) * r.srcPitch + r.WidthInBytes,
               to_bytes = (r.Height - 1) * r.dstPitch + r.WidthInBytes;
  if (!may_copy((void *)r.dstDevice, to_bytes, true) || !may_copy((void *)r.srcDevice, from_bytes, true))
    return refuse("a copy of rows", (void *)r.dstDevice, (void *)r.srcDevice, from_bytes);
  if (only_compiles()) return CUDA_SUCCESS;
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(on, &s);
  if (result != CUDA_SUCCESS) return result;
  work what;
  what.call = [=] {
    for (size_t i = 0; i < r.Height; i++)
      memcpy((char *)r.dstDevice + i * r.dstPitch, (const char *)r.srcDevice + i * r.srcPitch, r.WidthInBytes);
  };
  return put(s, what, false, nullptr);
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t bytes, CUstream on) {
  std::lock_guard<std::mutex> hold(gate);
  stream *s;
  CUresult result = find_stream(on, &s);
  if (result != CUDA_SUCCESS) return result;
  if (!may_copy((void *)to, bytes, false)) return refuse("filling", (void *)to, nullptr, bytes);
  if (only_compiles()) return CUDA_SUCCESS;
  work what;
  what.call = [=] { memset((void *)to, value, bytes); };
  return put(s, what, false, nullptr);
}
CUresult cuMemsetD8_v2(CUdeviceptr to, unsigned char value, size_t bytes) {
  return cuMemsetD8Async(to, value, bytes, nullptr);
}

CUresult cuPointerGetAttribute(void *value, CUpointer_attribute what, CUdeviceptr at) {
  const allocation *a = memory_find((const void *)at);
  if (!a) return CUDA_ERROR_INVALID_VALUE;
  switch (what) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(unsigned *)value = a->kind == PINNED || a->kind == REGISTERED ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *(int *)value = a->device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER: {
      context *c;
      CUresult result = current_context(&c);
      if (result != CUDA_SUCCESS) return result;
      if (a->kind == DEVICE && a->device != c->device) return CUDA_ERROR_INVALID_VALUE;
      *(CUdeviceptr *)value = at;
      return CUDA_SUCCESS;
    }
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *(unsigned *)value = 0;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      *(int *)value = a->kind == DEVICE;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *(CUdeviceptr *)value = (CUdeviceptr)a->base;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *(size_t *)value = a->bytes;
      return CUDA_SUCCESS;
    default:
      complain("attribute %d of a pointer is not emulated", (int)what);
      return CUDA_ERROR_INVALID_VALUE;
  }
}

CUresult cuIpcGetMemHandle(CUipcMemHandle *handle, CUdeviceptr at) {
  static_assert(sizeof(memory_handle) <= sizeof(CUipcMemHandle), "a handle holds what is needed to open it");
  memory_handle made;
  if (!memory_name((const char *)at, &made)) return CUDA_ERROR_INVALID_VALUE;
  memset(handle, 0, sizeof *handle);
  memcpy(handle, &made, sizeof made);
  return CUDA_SUCCESS;
}

CUresult cuIpcOpenMemHandle_v2(CUdeviceptr *made, CUipcMemHandle handle, unsigned flags) {
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  if (flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS) return CUDA_ERROR_INVALID_VALUE;
  memory_handle wanted;
  memcpy(&wanted, &handle, sizeof wanted);
  const allocation *a = memory_open(wanted);
  if (!a) return CUDA_ERROR_INVALID_CONTEXT; /* memory of this process, or freed */
  *made = (CUdeviceptr)a->base;
  return CUDA_SUCCESS;
}

CUresult cuIpcCloseMemHandle(CUdeviceptr at) {
  std::unique_lock<std::mutex> held(gate);
  context *c;
  CUresult result = current_context(&c);
  if (result != CUDA_SUCCESS) return result;
  result = finish_context(held, c);
  return memory_free((const char *)at, PEER) ? result : CUDA_ERROR_INVALID_VALUE;
}
}
