// TEST timeout=30
/* The device of a thread is queried for its limits once, also after its contexts have changed, and by any number of threads
 * at once. The driver is defined in this file. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <pthread.h>
#include <stdatomic.h>

#include "local/cuda/planner/kernel.h"
#include "local/cuda/runtime/context.h"

/* Two devices; contexts 1 to 4, those with odd numbers on the first. */
enum { DEVICES = 2, THREADS = 8, ROUNDS = 1000 };
static _Thread_local CUcontext current;
static atomic_int questions, retained;
static int old_card;

static CUresult device_count(int *count) { return *count = DEVICES, CUDA_SUCCESS; }
static CUresult device_get(CUdevice *device, int place) { return *device = place, CUDA_SUCCESS; }
static CUresult context_current(CUcontext *context) { return *context = current, CUDA_SUCCESS; }
static CUresult context_set(CUcontext context) { return current = context, CUDA_SUCCESS; }
static CUresult error_name(CUresult result, const char **name) { return (void)result, *name = "an error", CUDA_SUCCESS; }

static CUresult context_id(CUcontext context, unsigned long long *id) {
  return *id = 100 + (unsigned long long)(uintptr_t)context, CUDA_SUCCESS;
}

static CUresult primary_retain(CUcontext *context, CUdevice device) {
  retained++;
  return *context = (CUcontext)(uintptr_t)(1 + device), CUDA_SUCCESS;
}

static CUresult context_device(CUdevice *device) {
  if (!current) return CUDA_ERROR_INVALID_CONTEXT;
  return *device = (CUdevice)((uintptr_t)current - 1) % DEVICES, CUDA_SUCCESS;
}

static CUresult device_attribute(int *value, CUdevice_attribute what, CUdevice device) {
  questions++;
  *value = what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR   ? old_card ? 7 : 9
           : what == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR ? 0
           : what == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT     ? 100 + device
                                                                  : 1000 + (int)what;
  return CUDA_SUCCESS;
}

static const mfft_cuda_driver driver = {.device_count = device_count,
                                        .device_get = device_get,
                                        .context_current = context_current,
                                        .context_set = context_set,
                                        .context_id = context_id,
                                        .context_device = context_device,
                                        .primary_retain = primary_retain,
                                        .error_name = error_name,
                                        .device_attribute = device_attribute};

/* All functions of driver.c, so that it is not linked. */
mfft_status mfft_cuda_open(const mfft_cuda_driver **found) { return *found = &driver, MFFT_SUCCESS; }
mfft_status mfft_nvrtc_open(const mfft_nvrtc **found) { return (void)found, MFFT_ERR_UNSUPPORTED; }
mfft_status mfft_cuda_failed(const mfft_cuda_driver *d, CUresult result, const char *doing) {
  return (void)d, (void)result, mfft_fail(MFFT_ERR_CUDA, "cuda: %s", doing);
}

static void *look(void *failures) {
  for (int i = 0; i < ROUNDS; i++) {
    mfft_cuda_current here;
    current = (CUcontext)(uintptr_t)(1 + i % 4);
    const int right = mfft_cuda_find_current(&here) == MFFT_SUCCESS && here.context == current &&
                      here.context_id == 101u + (unsigned)(i % 4) && here.limits->sms == 100 + i % DEVICES &&
                      here.limits->arch == 90 && here.limits->cluster == MFFT_MAX_CLUSTER;
    if (!right) ++*(atomic_int *)failures;
  }
  return NULL;
}

int main(void) {
  mfft_cuda_current here;
  old_card = 1; /* refused, and queried again */
  CHECK_FAILS(mfft_cuda_find_current(&here), MFFT_ERR_NO_DEVICE, "compute capability 7.0, 8.0 or newer is needed");
  old_card = 0;
  questions = retained = 0;

  /* No context: that of the preferred device, modulo their number. */
  current = NULL;
  mfft_cuda_prefer(3);
  CHECK_OK(mfft_cuda_find_current(&here));
  CHECK(retained == 1 && current == here.context && here.limits->sms == 101 && questions > 5, "preferred");

  const int asked = questions; /* of one device */
  atomic_int failures = 0;
  pthread_t thread[THREADS];
  for (int i = 0; i < THREADS; i++) CHECK(pthread_create(&thread[i], NULL, look, &failures) == 0, "thread");
  for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
  CHECK(failures == 0, "%d of %d looks were wrong", (int)failures, THREADS * ROUNDS);
  CHECK(retained == 1 && questions == DEVICES * asked, "%d questions for %d devices", (int)questions, DEVICES);
  return test_end();
}
#endif
