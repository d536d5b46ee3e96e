/* device.c: the table of device.h for a GPU: streams, events, memory mapped by CUDA IPC, and signals in it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/env.h"
#include "local/cuda/kernels/args/signal_args.h"
#include "local/cuda/ops/copy.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/runtime/alarm.h"
#include "local/cuda/runtime/cufile.h"
#include "local/cuda/runtime/range.h"
#include "local/device.h"

static mfft_status prepare(mfft_precision precision, int wire) {
  mfft_cuda_current h;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&h));
  for (int sends = 0; sends < 2; sends++) {
    const mfft_service_kernel signal = {.service = MFFT_SERVICE_SIGNAL, .sends = sends};
    MFFT_TRY(mfft_service_load(&h, &signal, &function));
  }
  for (int unit = (int)mfft_real_bytes(precision); unit <= 16; unit *= 2) {
    const mfft_service_kernel copy = {.service = MFFT_SERVICE_COPY, .element_bytes = unit};
    MFFT_TRY(mfft_service_load(&h, &copy, &function));
  }
  for (int components = 1; wire && components <= 2; components++)
    for (int packs = 0; packs < 2; packs++) {
      const mfft_service_kernel convert = {
          .service = MFFT_SERVICE_WIRE, .precision = precision, .components = components, .narrows = packs};
      MFFT_TRY(mfft_service_load(&h, &convert, &function));
    }
  for (int narrows = 0; wire && narrows < 2; narrows++) {
    const mfft_service_kernel resize = {.service = MFFT_SERVICE_RESIZE, .precision = precision, .narrows = narrows};
    MFFT_TRY(mfft_service_load(&h, &resize, &function));
  }
  return MFFT_SUCCESS;
}

/* ---- The current context of a thread ---- */

static mfft_status find_context(void **context) {
  mfft_cuda_current h;
  MFFT_TRY(mfft_cuda_find_current(&h));
  *context = h.context;
  return MFFT_SUCCESS;
}

static mfft_status enter(void *context, void **before) {
  const mfft_cuda_driver *driver;
  CUcontext current = NULL;
  MFFT_TRY(mfft_cuda_open(&driver));
  MFFT_CUDA_TRY(driver, "the current context", driver->context_current(&current));
  if (current != context) MFFT_CUDA_TRY(driver, "making the plan's context current", driver->context_set(context));
  *before = current;
  return MFFT_SUCCESS;
}

static void leave(void *context, void *before) {
  const mfft_cuda_driver *driver;
  if (before != context && mfft_cuda_open(&driver) == MFFT_SUCCESS) driver->context_set(before);
}

static mfft_status identity(char *text, size_t size) {
  mfft_cuda_current h;
  CUdevice device;
  CUuuid id;
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "the device of the context", h.driver->context_device(&device));
  MFFT_CUDA_TRY(h.driver, "the identity of a device", h.driver->device_uuid(&id, device));
  size_t used = 0;
  for (int i = 0; i < 16 && used < size; i++)
    used += (size_t)snprintf(text + used, size - used, "%02x", (unsigned char)id.bytes[i]);
  return MFFT_SUCCESS;
}

static mfft_status model(char *text, size_t size) {
  mfft_cuda_current h;
  CUdevice device;
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "the device of the context", h.driver->context_device(&device));
  MFFT_CUDA_TRY(h.driver, "the name of a device", h.driver->device_name(text, (int)size, device));
  return MFFT_SUCCESS;
}

/* The kind of links between the devices.  A device has native atomics on memory of a peer over NVLink, and not over PCIe. */
static mfft_status links(char *text, size_t size) {
  enum { NONE, PCIE, NVLINK, KINDS };
  static const char *const name[] = {[NONE] = "none", [PCIE] = "pcie", [NVLINK] = "nvlink"};
  mfft_cuda_current h;
  CUdevice device;
  int count = 0, seen[KINDS] = {0}, last = NONE; /* [KINDS] */
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "the device of the context", h.driver->context_device(&device));
  MFFT_CUDA_TRY(h.driver, "the number of devices", h.driver->device_count(&count));
  for (int i = 0; i < count; i++) {
    CUdevice peer;
    int access = 0, atomics = 0;
    MFFT_CUDA_TRY(h.driver, "a device", h.driver->device_get(&peer, i));
    if (peer == device) continue;
    MFFT_CUDA_TRY(h.driver, "access to a peer",
                  h.driver->device_pair(&access, CU_DEVICE_P2P_ATTRIBUTE_ACCESS_SUPPORTED, device, peer));
    MFFT_CUDA_TRY(h.driver, "atomics on a peer",
                  h.driver->device_pair(&atomics, CU_DEVICE_P2P_ATTRIBUTE_NATIVE_ATOMIC_SUPPORTED, device, peer));
    last = !access ? NONE : atomics ? NVLINK : PCIE;
    seen[last] = 1;
  }
  snprintf(text, size, "%s", seen[NONE] + seen[PCIE] + seen[NVLINK] > 1 ? "mixed" : name[last]);
  return MFFT_SUCCESS;
}

/* ---- Queues ---- */

static mfft_status stream_create(void **stream) {
  mfft_cuda_current h;
  CUstream made;
  int least, greatest; /* priorities: the few blocks of copies start before those of transforms */
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "the priorities of streams", h.driver->stream_priorities(&least, &greatest));
  MFFT_CUDA_TRY(h.driver, "a stream", h.driver->stream_create_ranked(&made, CU_STREAM_NON_BLOCKING, greatest));
  *stream = made;
  return MFFT_SUCCESS;
}

static void stream_destroy(void *stream) {
  const mfft_cuda_driver *driver;
  if (stream && mfft_cuda_open(&driver) == MFFT_SUCCESS) driver->stream_destroy(stream);
}

static mfft_status stream_synchronize(void *stream) {
  mfft_cuda_current h;
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "waiting for a stream", h.driver->stream_synchronize(stream));
  return MFFT_SUCCESS;
}

static mfft_status make_event(unsigned flags, void **event) {
  mfft_cuda_current h;
  CUevent made;
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "an event", h.driver->event_create(&made, flags));
  *event = made;
  return MFFT_SUCCESS;
}

static mfft_status event_create(void **event) { return make_event(CU_EVENT_DISABLE_TIMING, event); }

static void event_destroy(void *event) {
  const mfft_cuda_driver *driver;
  if (event && mfft_cuda_open(&driver) == MFFT_SUCCESS) driver->event_destroy(event);
}

static mfft_status event_record(void *event, void *stream) {
  const mfft_cuda_driver *driver;
  MFFT_TRY(mfft_cuda_open(&driver));
  MFFT_CUDA_TRY(driver, "recording an event", driver->event_record(event, stream));
  return MFFT_SUCCESS;
}

static mfft_status event_wait(void *event, void *stream) {
  const mfft_cuda_driver *driver;
  MFFT_TRY(mfft_cuda_open(&driver));
  MFFT_CUDA_TRY(driver, "ordering a stream after an event", driver->stream_wait(stream, event, 0));
  return MFFT_SUCCESS;
}

static mfft_status event_done(void *event, int *done) {
  const mfft_cuda_driver *driver;
  MFFT_TRY(mfft_cuda_open(&driver));
  CUresult result = driver->event_query(event);
  *done = result == CUDA_SUCCESS;
  if (result == CUDA_ERROR_NOT_READY) return MFFT_SUCCESS;
  MFFT_CUDA_TRY(driver, "querying an event", result);
  return MFFT_SUCCESS;
}

static mfft_status timer_create(void **timer) { return make_event(CU_EVENT_DEFAULT, timer); }

static mfft_status timer_elapsed(void *from, void *to, double *seconds) {
  const mfft_cuda_driver *driver;
  float milliseconds = 0;
  MFFT_TRY(mfft_cuda_open(&driver));
  CUresult result = driver->event_elapsed(&milliseconds, from, to);
  if (result == CUDA_ERROR_NOT_READY || result == CUDA_ERROR_INVALID_HANDLE)
    return mfft_fail(MFFT_ERR_STATE, "the work to be timed has not run yet; call mfft_plan_synchronize first");
  MFFT_CUDA_TRY(driver, "the time between two events", result);
  *seconds = 1e-3 * (double)milliseconds;
  return MFFT_SUCCESS;
}

/* ---- Pinned memory ---- */

static mfft_status pinned_alloc(size_t bytes, void **pointer) {
  mfft_cuda_current h;
  MFFT_TRY(mfft_cuda_find_current(&h));
  void *made = NULL;
  CUresult result = h.driver->host_alloc(&made, bytes ? bytes : 1, 0);
  if (result != CUDA_SUCCESS) {
    mfft_cuda_failed(h.driver, result, "cuMemHostAlloc");
    return mfft_fail_context(MFFT_ERR_MEMORY, "%zu bytes of page-locked host memory", bytes);
  }
  *pointer = made;
  return MFFT_SUCCESS;
}

static void pinned_free(void *pointer) {
  const mfft_cuda_driver *driver;
  if (pointer && mfft_cuda_open(&driver) == MFFT_SUCCESS) driver->host_free(pointer);
}

static mfft_status copy_bytes(void *to, const void *from, size_t bytes, void *stream) {
  const mfft_cuda_driver *driver;
  MFFT_TRY(mfft_cuda_open(&driver));
  MFFT_CUDA_TRY(driver, "copying between host and device",
                driver->copy_any((CUdeviceptr)to, (CUdeviceptr)from, bytes, (CUstream)stream));
  return MFFT_SUCCESS;
}

static mfft_status copy_rows(void *to, const void *from, size_t row_bytes, size_t rows, size_t stride_bytes, void *stream) {
  const size_t most_pitch = INT32_MAX; /* largest stride of a two-dimensional copy, in bytes */
  const mfft_cuda_driver *driver;
  mfft_status status = MFFT_SUCCESS;
  if (rows == 1) return copy_bytes(to, from, row_bytes, stream);
  for (size_t i = 0; stride_bytes > most_pitch && i < rows && status == MFFT_SUCCESS; i++)
    status = copy_bytes((char *)to + i * stride_bytes, (const char *)from + i * stride_bytes, row_bytes, stream);
  if (stride_bytes > most_pitch || status) return status;
  const CUDA_MEMCPY2D rectangle = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
                                   .srcDevice = (CUdeviceptr)from,
                                   .srcPitch = stride_bytes,
                                   .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
                                   .dstDevice = (CUdeviceptr)to,
                                   .dstPitch = stride_bytes,
                                   .WidthInBytes = row_bytes,
                                   .Height = rows};
  MFFT_TRY(mfft_cuda_open(&driver));
  MFFT_CUDA_TRY(driver, "copying rows between host and device", driver->copy_rows(&rectangle, (CUstream)stream));
  return MFFT_SUCCESS;
}

static mfft_status map_host(void *memory, size_t bytes, void **mapped) {
  mfft_cuda_current h;
  CUdeviceptr address = 0;
  MFFT_TRY(mfft_cuda_find_current(&h));
  MFFT_CUDA_TRY(h.driver, "page-locking host memory", h.driver->host_register(memory, bytes, CU_MEMHOSTREGISTER_DEVICEMAP));
  CUresult result = h.driver->host_pointer(&address, memory, 0);
  if (result != CUDA_SUCCESS) h.driver->host_unregister(memory);
  MFFT_CUDA_TRY(h.driver, "the address of host memory on the device", result);
  *mapped = (void *)address;
  return MFFT_SUCCESS;
}

static void unmap_host(void *memory) {
  const mfft_cuda_driver *driver;
  if (mfft_cuda_open(&driver) == MFFT_SUCCESS) driver->host_unregister(memory);
}

/* ---- Memory that processes share ---- */

static mfft_status shared_alloc(size_t bytes, void **pointer, mfft_handle *handle) {
  _Static_assert(sizeof(CUipcMemHandle) <= MFFT_HANDLE_BYTES, "a handle holds a CUDA IPC handle");
  mfft_status status = MFFT_SUCCESS;
  mfft_cuda_current h;
  CUdeviceptr made = 0;
  CUipcMemHandle ipc;
  MFFT_TRY(mfft_cuda_find_current(&h));
  /* The allocation has at least 2 MiB: smaller ones share a block with others of this process, and a handle opens the whole
   * block. */
  const size_t block = 2 << 20;
  MFFT_CUDA_TRY(h.driver, "device memory to share", h.driver->memory_alloc(&made, bytes < block ? block : bytes));
  MFFT_CUDA_GOTO(fail, h.driver, "clearing device memory", h.driver->memory_set(made, 0, bytes));
  MFFT_CUDA_GOTO(fail, h.driver, "clearing device memory", h.driver->stream_synchronize(NULL));
  MFFT_CUDA_GOTO(fail, h.driver, "a handle of device memory", h.driver->ipc_handle(&ipc, made));
  memset(handle, 0, sizeof *handle);
  memcpy(handle->bytes, &ipc, sizeof ipc);
  *pointer = (void *)made;
  return MFFT_SUCCESS;
fail:
  h.driver->memory_free(made);
  return status;
}

static void shared_free(void *pointer) {
  mfft_cuda_current h;
  if (pointer && mfft_cuda_find_current(&h) == MFFT_SUCCESS) h.driver->memory_free((CUdeviceptr)pointer);
}

static mfft_status shared_open(const mfft_handle *handle, void **pointer) {
  mfft_cuda_current h;
  CUdeviceptr mapped = 0;
  CUipcMemHandle ipc;
  MFFT_TRY(mfft_cuda_find_current(&h));
  memcpy(&ipc, handle->bytes, sizeof ipc);
  CUresult result = h.driver->ipc_open(&mapped, ipc, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS);
  if (result != CUDA_SUCCESS) {
    mfft_cuda_failed(h.driver, result, "mapping a peer's device memory");
    return mfft_fail_context(MFFT_ERR_UNSUPPORTED,
                             "the peer's GPU cannot be mapped (all GPUs of the node must be visible to every rank: srun "
                             "--gpu-bind=none); use transport \"pairwise\", \"nccl\" or \"staged\"");
  }
  *pointer = (void *)mapped;
  return MFFT_SUCCESS;
}

static void shared_close(void *pointer) {
  mfft_cuda_current h;
  if (pointer && mfft_cuda_find_current(&h) == MFFT_SUCCESS) h.driver->ipc_close((CUdeviceptr)pointer);
}

/* ---- Signals ---- */

static mfft_status launch_signal(const mfft_signal *s, int sends, const char *what, void *stream) {
  mfft_cuda_current h;
  CUfunction function;
  MFFT_TRY(mfft_cuda_find_current(&h));
  const mfft_service_kernel kernel = {.service = MFFT_SERVICE_SIGNAL, .sends = sends};
  MFFT_TRY(mfft_service_load(&h, &kernel, &function));
  mfft_signal_args args = {.counter = (unsigned long long *)s->counter, .what = what};
  if (!sends) MFFT_TRY(mfft_cuda_alarm(h.driver, &args.alarm, &args.limit_ns));
  args.failed = (const unsigned long long *)s->failed;
  for (int first = 0; first == 0 || first < s->count; first += MFFT_SIGNAL_FLAGS) {
    const int left = s->count - first;
    args.count = left < MFFT_SIGNAL_FLAGS ? left : MFFT_SIGNAL_FLAGS;
    args.last = left <= MFFT_SIGNAL_FLAGS;
    for (int i = 0; i < args.count; i++) {
      args.flag[i] = (unsigned long long *)s->flag[first + i];
      args.peer[i] = s->peer[first + i];
    }
    MFFT_TRY(mfft_launch(h.driver, function, 0, 1, 1, 32, 0, &args, stream, "launching a signal"));
  }
  return MFFT_SUCCESS;
}

static mfft_status send_signal(const mfft_signal *s, void *stream) { return launch_signal(s, 1, NULL, stream); }

static mfft_status await_signal(const mfft_signal *s, const char *what, int *missing, void *stream) {
  *missing = -1;
  return launch_signal(s, 0, what, stream);
}

const mfft_device mfft_device_cuda = {
    .prepare = prepare,
    .prefer = mfft_cuda_prefer,
    .current = find_context,
    .enter = enter,
    .leave = leave,
    .identity = identity,
    .model = model,
    .links = links,
    .stream_create = stream_create,
    .stream_destroy = stream_destroy,
    .stream_synchronize = stream_synchronize,
    .event_create = event_create,
    .event_destroy = event_destroy,
    .event_record = event_record,
    .event_wait = event_wait,
    .event_done = event_done,
    .timer_create = timer_create,
    .timer_destroy = event_destroy,
    .timer_record = event_record,
    .timer_elapsed = timer_elapsed,
    .range_begin = mfft_cuda_range_begin,
    .range_end = mfft_cuda_range_end,
    .pinned_alloc = pinned_alloc,
    .pinned_free = pinned_free,
    .copy_bytes = copy_bytes,
    .copy_rows = copy_rows,
    .map_host = map_host,
    .unmap_host = unmap_host,
    .shared_alloc = shared_alloc,
    .shared_free = shared_free,
    .shared_open = shared_open,
    .shared_close = shared_close,
    .send = send_signal,
    .await = await_signal,
    .copy_lists = mfft_cuda_copy_lists,
    .files = &mfft_cufile_calls,
};
