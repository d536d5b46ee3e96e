/* backend.c: the backend table of the merging engine: memory and twiddles; transforms are in transform.c, copies in copy.c.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/ops/copy.h"
#include "local/cuda/ops/filter.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/ops/shells.h"
#include "local/cuda/runtime/pointer.h"
#include "local/cuda/transform.h"
#include "local/device.h"

static mfft_status probe(void) {
  const mfft_nvrtc *nvrtc;
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  return mfft_nvrtc_open(&nvrtc);
}

static mfft_status cuda_alloc(size_t bytes, void **pointer) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  CUdeviceptr address = 0;
  CUresult result = here.driver->memory_alloc(&address, bytes ? bytes : 64);
  if (result != CUDA_SUCCESS) {
    mfft_cuda_failed(here.driver, result, "cuMemAlloc");
    return mfft_fail_context(MFFT_ERR_MEMORY, "%zu bytes of device memory", bytes);
  }
  *pointer = (void *)address;
  return MFFT_SUCCESS;
}

static void cuda_free(void *pointer) {
  mfft_cuda_here here;
  if (pointer && mfft_cuda_find_here(&here) == MFFT_SUCCESS) here.driver->memory_free((CUdeviceptr)pointer);
}

static mfft_status upload(void *device, const void *host, size_t bytes) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  if (bytes)
    MFFT_CUDA_TRY(here.driver, "copying to the device", here.driver->copy_to_device((CUdeviceptr)device, host, bytes));
  /* The driver may return while the last piece is on its way from its own buffers; other streams would not wait for it. */
  MFFT_CUDA_TRY(here.driver, "waiting for a copy to the device", here.driver->stream_synchronize(NULL));
  return MFFT_SUCCESS;
}

static mfft_status download(void *host, const void *device, size_t bytes) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  if (bytes)
    MFFT_CUDA_TRY(here.driver, "copying from the device", here.driver->copy_to_host(host, (CUdeviceptr)device, bytes));
  return MFFT_SUCCESS;
}

static mfft_status move(void *to, const void *from, size_t bytes) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  if (bytes)
    MFFT_CUDA_TRY(here.driver, "copying on the device",
                  here.driver->copy_on_device((CUdeviceptr)to, (CUdeviceptr)from, bytes, NULL));
  MFFT_CUDA_TRY(here.driver, "waiting for a copy on the device", here.driver->stream_synchronize(NULL));
  return MFFT_SUCCESS;
}

static mfft_status synchronize(void *stream) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  MFFT_CUDA_TRY(here.driver, "waiting for the device", here.driver->stream_synchronize(stream));
  return MFFT_SUCCESS;
}

static mfft_status twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                           int64_t col0, int64_t length, void *data, void *stream) {
  mfft_cuda_here here;
  MFFT_TRY(mfft_cuda_find_here(&here));
  const mfft_service_kernel kernel = {
      .service = MFFT_SERVICE_TWIDDLE, .precision = precision, .sign = direction == MFFT_FORWARD ? -1 : 1};
  CUfunction function;
  MFFT_TRY(mfft_service_load(&here, &kernel, &function));
  mfft_twiddle_args_device args = {data, {n[0], n[1], n[2]}, row0, col0, length};
  int64_t grid = (n[0] * n[1] * n[2] + 1023) / 1024;
  if (grid == 0) return MFFT_SUCCESS;
  return mfft_launch(here.driver, function, 0, (unsigned)(grid < 1 << 20 ? grid : 1 << 20), 1, 256, 0, &args, stream,
                     "launching a twiddle");
}

extern const mfft_backend mfft_backend_cuda_paper;

const mfft_backend mfft_backend_cuda = {
    .name = "cuda",
    .summary = "one NVIDIA GPU, kernels compiled when a plan is made",
    .host_memory = 0,
    .scrambles = 1,
    .probe = probe,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .upload = upload,
    .download = download,
    .move = move,
    .synchronize = synchronize,
    .check = mfft_cuda_check,
    .fft_create = mfft_cuda_fft_choose,
    .fft_execute = mfft_cuda_fft_execute,
    .fft_print = mfft_cuda_fft_print,
    .fft_destroy = mfft_cuda_fft_destroy,
    .fft_scatter = mfft_cuda_fft_scatter,
    .copy = mfft_cuda_copy,
    .twiddle = twiddle,
    .filter = mfft_cuda_filter,
    .shells = mfft_cuda_shells,
    .fuses = mfft_cuda_fuses,
    .convert = mfft_cuda_convert,
    .resize = mfft_cuda_resize,
    .ways = mfft_cuda_ways,
    .device = &mfft_device_cuda,
    .paper = &mfft_backend_cuda_paper,
};
