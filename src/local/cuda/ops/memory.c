/* memory.c: see memory.h. */
#include "local/cuda/ops/memory.h"

#include "local/cuda/runtime/context.h"

mfft_status mfft_cuda_alloc(size_t bytes, void **pointer) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  CUdeviceptr address = 0;
  CUresult result = current.driver->memory_alloc(&address, bytes ? bytes : 64);
  if (result != CUDA_SUCCESS) {
    mfft_cuda_failed(current.driver, result, "cuMemAlloc");
    return mfft_fail_context(MFFT_ERR_MEMORY, "%zu bytes of device memory", bytes);
  }
  *pointer = (void *)address;
  return MFFT_SUCCESS;
}

void mfft_cuda_free(void *pointer) {
  mfft_cuda_current current;
  if (pointer && mfft_cuda_find_current(&current) == MFFT_SUCCESS) current.driver->memory_free((CUdeviceptr)pointer);
}

mfft_status mfft_cuda_upload(void *device, const void *host, size_t bytes) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  if (bytes)
    MFFT_CUDA_TRY(current.driver, "copying to the device", current.driver->copy_to_device((CUdeviceptr)device, host, bytes));
  /* The driver may return before it has copied the last piece from its own buffers, and other streams would not wait for
   * that copy. */
  MFFT_CUDA_TRY(current.driver, "waiting for a copy to the device", current.driver->stream_synchronize(NULL));
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_download(void *host, const void *device, size_t bytes) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  if (bytes)
    MFFT_CUDA_TRY(current.driver, "copying from the device", current.driver->copy_to_host(host, (CUdeviceptr)device, bytes));
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_move(void *to, const void *from, size_t bytes) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  if (bytes)
    MFFT_CUDA_TRY(current.driver, "copying on the device",
                  current.driver->copy_on_device((CUdeviceptr)to, (CUdeviceptr)from, bytes, NULL));
  MFFT_CUDA_TRY(current.driver, "waiting for a copy on the device", current.driver->stream_synchronize(NULL));
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_clear(void *pointer, size_t bytes, void *stream) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  if (bytes)
    MFFT_CUDA_TRY(current.driver, "clearing memory",
                  current.driver->memory_clear((CUdeviceptr)pointer, 0, bytes, (CUstream)stream));
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_synchronize(void *stream) {
  mfft_cuda_current current;
  MFFT_TRY(mfft_cuda_find_current(&current));
  MFFT_CUDA_TRY(current.driver, "waiting for the device", current.driver->stream_synchronize(stream));
  return MFFT_SUCCESS;
}
