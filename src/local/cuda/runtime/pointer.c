/* pointer.c: see pointer.h.
 *
 * A pointer about which the driver has no answer passes: an error is returned only if the driver knows that an access would
 * fail. */
#include "local/cuda/runtime/pointer.h"

#include "local/cuda/runtime/context.h"
#include "mfft_memory.h"

static int ask(const mfft_cuda_driver *d, CUpointer_attribute what, const void *pointer, void *answer) {
  return d->pointer_attribute(answer, what, (CUdeviceptr)pointer) == CUDA_SUCCESS;
}

/* Whether memory is unknown to CUDA and not accessible to kernels either, as pageable host memory is on some systems.  own:
 * the answer is 1 for accessible memory, too. */
static int is_foreign(const mfft_cuda_driver *d, const void *pointer, int own) {
  unsigned type = 0;
  CUdevice device = 0;
  int pageable = 1;
  if (d->pointer_attribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, (CUdeviceptr)pointer) != CUDA_ERROR_INVALID_VALUE)
    return 0;
  if (own) return 1;
  if (d->context_device(&device) == CUDA_SUCCESS)
    d->device_attribute(&pageable, CU_DEVICE_ATTRIBUTE_PAGEABLE_MEMORY_ACCESS, device);
  return !pageable;
}

/* Whether memory is page-locked host memory, and not managed memory. */
static int is_of_host(const mfft_cuda_driver *d, const void *pointer) {
  unsigned type = 0, managed = 0;
  if (!ask(d, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, pointer, &type) || type != CU_MEMORYTYPE_HOST) return 0;
  return ask(d, CU_POINTER_ATTRIBUTE_IS_MANAGED, pointer, &managed) && !managed;
}

/* Whether memory is that of another device which this context cannot access. */
static int is_far(const mfft_cuda_driver *d, const void *pointer) {
  CUdevice device = 0;
  CUdeviceptr address = 0;
  int owner = 0;
  if (!ask(d, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, pointer, &owner) || d->context_device(&device) != CUDA_SUCCESS) return 0;
  return owner != (int)device && d->pointer_attribute(&address, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, (CUdeviceptr)pointer) ==
                                     CUDA_ERROR_INVALID_VALUE;
}

/* Bytes from the pointer to the end of its allocation; SIZE_MAX if the end is not known.  Memory of cuMemMap and of pools
 * counts as having no known end, since the array may continue in the next mapping. */
static size_t bytes_behind(const mfft_cuda_driver *d, const void *pointer) {
  CUdeviceptr start = 0;
  size_t size = 0;
  int one_piece = 0;
  if (!ask(d, CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, pointer, &one_piece) || !one_piece) return SIZE_MAX;
  if (!ask(d, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, pointer, &start) ||
      !ask(d, CU_POINTER_ATTRIBUTE_RANGE_SIZE, pointer, &size) || !start || !size)
    return SIZE_MAX;
  return start + size - (CUdeviceptr)pointer;
}

mfft_status mfft_cuda_check(const void *pointer, size_t bytes, int own, const char *name) {
  const mfft_cuda_driver *d;
  if (mfft_cuda_open(&d) != MFFT_SUCCESS) return MFFT_SUCCESS;
  if (is_foreign(d, pointer, own) || (own && is_of_host(d, pointer)))
    return mfft_fail(MFFT_ERR_ARG,
                     "%s is %p, which backend cuda cannot reach as memory of its device; take it from mfft_memory_alloc, or "
                     "set backend to \"fftw\" for arrays on the host",
                     name, pointer);
  if (is_far(d, pointer))
    return mfft_fail(MFFT_ERR_ARG,
                     "%s is %p, which lies on another device, and backend cuda cannot reach it from that of the plan; take "
                     "it from mfft_memory_alloc, or let the devices reach each other",
                     name, pointer);
  const size_t behind = bytes_behind(d, pointer);
  if (behind >= bytes) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_ARG, "%s is %p, whose allocation ends %zu bytes behind that; it needs %zu", name, pointer,
                   behind, bytes);
}
