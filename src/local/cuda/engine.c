/* engine.c: the backend table of the merging engine: memory, copies, twiddles; transforms are in transform.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/driver.h"
#include "local/cuda/load.h"
#include "local/cuda/transform.h"

static mfft_status probe(void) {
  const mfft_cuda_driver *driver;
  const mfft_nvrtc *nvrtc;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  return mfft_nvrtc_open(&nvrtc);
}

static mfft_status cuda_alloc(size_t bytes, void **pointer) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  CUdeviceptr address = 0;
  CUresult result = driver->memory_alloc(&address, bytes ? bytes : 64);
  if (result != CUDA_SUCCESS) {
    mfft_cuda_failed(driver, result, "cuMemAlloc");
    return mfft_fail_context(MFFT_ERR_MEMORY, "%zu bytes of device memory", bytes);
  }
  *pointer = (void *)address;
  return MFFT_SUCCESS;
}

static void cuda_free(void *pointer) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  if (pointer && mfft_cuda_device(&driver, &context, &limits) == MFFT_SUCCESS) driver->memory_free((CUdeviceptr)pointer);
}

static mfft_status upload(void *device, const void *host, size_t bytes) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  if (bytes) MFFT_CUDA_TRY(driver, "copying to the device", driver->copy_to_device((CUdeviceptr)device, host, bytes));
  /* The driver may return while the last piece is on its way from its own buffers; other streams would not wait for it. */
  MFFT_CUDA_TRY(driver, "waiting for a copy to the device", driver->stream_synchronize(NULL));
  return MFFT_SUCCESS;
}

static mfft_status download(void *host, const void *device, size_t bytes) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  if (bytes) MFFT_CUDA_TRY(driver, "copying from the device", driver->copy_to_host(host, (CUdeviceptr)device, bytes));
  return MFFT_SUCCESS;
}

static mfft_status synchronize(void *stream) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  MFFT_CUDA_TRY(driver, "waiting for the device", driver->stream_synchronize(stream));
  return MFFT_SUCCESS;
}

static mfft_status copy(const mfft_block *blocks, int64_t nblocks, int64_t element_bytes, const void *in, void *out,
                        void *stream) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  if (element_bytes != 2 && element_bytes != 4 && element_bytes != 8 && element_bytes != 16)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: copies of elements of %lld bytes; 2, 4, 8 and 16 are possible",
                     (long long)element_bytes);
  const mfft_kernel kernel = {.engine = MFFT_ENGINE_COPY};
  CUfunction function;
  MFFT_TRY(mfft_load_kernel(driver, context, &kernel, (int)element_bytes, limits.arch, &function));
  for (int64_t first = 0; first < nblocks; first += MFFT_COPY_BLOCKS) {
    mfft_copy_args args = {.in = in, .out = out};
    int64_t count = nblocks - first < MFFT_COPY_BLOCKS ? nblocks - first : MFFT_COPY_BLOCKS, most = 1;
    for (int64_t b = 0; b < count; b++) {
      const mfft_block *block = &blocks[first + b];
      int64_t elements = 1;
      for (int d = 0; d < 4; d++) {
        args.n[b][d] = block->n[d];
        args.is[b][d] = block->is[d];
        args.os[b][d] = block->os[d];
        elements *= block->n[d];
      }
      args.in_offset[b] = block->in_offset;
      args.out_offset[b] = block->out_offset;
      if (elements > most) most = elements;
    }
    int64_t grid = (most + 1023) / 1024;
    MFFT_TRY(mfft_launch(driver, function, 0, (unsigned)(grid < 65535 ? grid : 65535), (unsigned)count, 256, 0, &args,
                         stream, "launching a copy"));
  }
  return MFFT_SUCCESS;
}

static mfft_status twiddle(mfft_precision precision, mfft_direction direction, const int64_t n[3], int64_t row0,
                           int64_t col0, int64_t length, void *data, void *stream) {
  const mfft_cuda_driver *driver;
  CUcontext context;
  mfft_device_limits limits;
  MFFT_TRY(mfft_cuda_device(&driver, &context, &limits));
  mfft_kernel kernel = {.engine = MFFT_ENGINE_TWIDDLE,
                        .precision = precision,
                        .n = 1,
                        .merges = 1,
                        .lines = 1,
                        .threads = 256,
                        .loops = 1,
                        .sign = direction == MFFT_FORWARD ? -1 : 1,
                        .min_blocks = 1};
  for (int i = 0; i < MFFT_MAX_MERGES; i++) kernel.radix[i] = 1;
  CUfunction function;
  MFFT_TRY(mfft_load_kernel(driver, context, &kernel, 0, limits.arch, &function));
  mfft_twiddle_args_device args = {data, {n[0], n[1], n[2]}, row0, col0, length};
  int64_t grid = (n[0] * n[1] * n[2] + 1023) / 1024;
  if (grid == 0) return MFFT_SUCCESS;
  return mfft_launch(driver, function, 0, (unsigned)(grid < 1 << 20 ? grid : 1 << 20), 1, 256, 0, &args, stream,
                     "launching a twiddle");
}

const mfft_backend mfft_backend_cuda = {
    .name = "cuda",
    .summary = "one NVIDIA GPU, kernels compiled when a plan is made",
    .host_memory = 0,
    .probe = probe,
    .alloc = cuda_alloc,
    .free = cuda_free,
    .upload = upload,
    .download = download,
    .synchronize = synchronize,
    .fft_create = mfft_cuda_fft_create,
    .fft_execute = mfft_cuda_fft_execute,
    .fft_print = mfft_cuda_fft_print,
    .fft_destroy = mfft_cuda_fft_destroy,
    .copy = copy,
    .twiddle = twiddle,
};
