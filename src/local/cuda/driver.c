/* driver.c: see driver.h. */
#include "local/cuda/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#ifndef MFFT_NVRTC_FOLDER
#define MFFT_NVRTC_FOLDER "/usr/local/cuda/lib64" /* where the toolkit of the build lay */
#endif

typedef struct symbol {
  const char *name;
  size_t offset; /* of its pointer in the table */
} symbol;

/* Opens the first of `files` that exists and fills the table; what is missing is told in `why`. */
static int open_library(const char *const *files, const symbol *symbols, int count, void *table, char *why, size_t size) {
  void *library = NULL;
  snprintf(why, size, "no library");
  for (int i = 0; files[i] && !library; i++) {
    library = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!library && i == 0) snprintf(why, size, "%s", dlerror());
  }
  if (!library) return 0;
  for (int i = 0; i < count; i++) {
    void *address = dlsym(library, symbols[i].name);
    if (!address) {
      snprintf(why, size, "%s has no %s: it is too old", files[0], symbols[i].name);
      return 0;
    }
    memcpy((char *)table + symbols[i].offset, &address, sizeof address);
  }
  return 1;
}

static pthread_once_t driver_once = PTHREAD_ONCE_INIT, nvrtc_once = PTHREAD_ONCE_INIT;
static mfft_cuda_driver driver_table;
static mfft_nvrtc nvrtc_table;
static int driver_open, nvrtc_is_open, device_count;
static char driver_why[256], nvrtc_why[256]; /* why not */

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void open_driver(void) {
  static const char *const files[] = {"libcuda.so.1", "libcuda.so", NULL};
#define MFFT_X(result, name, symbol, arguments) {symbol, offsetof(mfft_cuda_driver, name)},
  static const symbol symbols[] = {MFFT_CUDA_FUNCTIONS(MFFT_X)};
#undef MFFT_X
  if (!open_library(files, symbols, COUNT(symbols), &driver_table, driver_why, sizeof driver_why)) return;
  CUresult result = driver_table.init(0);
  if (result == CUDA_SUCCESS) result = driver_table.device_count(&device_count);
  const char *name = "unknown error";
  if (result != CUDA_SUCCESS) {
    driver_table.error_name(result, &name);
    snprintf(driver_why, sizeof driver_why, "the driver answers %s", name);
  } else if (device_count == 0) {
    snprintf(driver_why, sizeof driver_why, "the driver sees no GPU");
  } else {
    driver_open = 1;
  }
}

static void open_nvrtc(void) {
  static const char built_with[] = MFFT_NVRTC_FOLDER "/libnvrtc.so";
  static const char *const files[] = {
      "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", built_with, "/usr/local/cuda/lib64/libnvrtc.so", NULL};
#define MFFT_X(result, name, symbol, arguments) {symbol, offsetof(mfft_nvrtc, name)},
  static const symbol symbols[] = {MFFT_NVRTC_FUNCTIONS(MFFT_X)};
#undef MFFT_X
  nvrtc_is_open = open_library(files, symbols, COUNT(symbols), &nvrtc_table, nvrtc_why, sizeof nvrtc_why);
}

mfft_status mfft_cuda_open(const mfft_cuda_driver **driver) {
  pthread_once(&driver_once, open_driver);
  if (!driver_open)
    return mfft_fail(MFFT_ERR_NO_DEVICE, "cuda: %s; use the fftw backend, or a machine with a GPU", driver_why);
  *driver = &driver_table;
  return MFFT_SUCCESS;
}

mfft_status mfft_nvrtc_open(const mfft_nvrtc **nvrtc) {
  pthread_once(&nvrtc_once, open_nvrtc);
  if (!nvrtc_is_open)
    return mfft_fail(MFFT_ERR_UNSUPPORTED, "cuda: no NVRTC to compile kernels with (%s); put libnvrtc on the library path",
                     nvrtc_why);
  *nvrtc = &nvrtc_table;
  return MFFT_SUCCESS;
}

mfft_status mfft_cuda_failed(const mfft_cuda_driver *driver, CUresult result, const char *doing) {
  const char *name = "unknown error";
  driver->error_name(result, &name);
  return mfft_fail(result == CUDA_ERROR_OUT_OF_MEMORY ? MFFT_ERR_MEMORY : MFFT_ERR_CUDA, "cuda: %s: %s", doing, name);
}

static int preferred = -1;

void mfft_cuda_prefer(int place) { preferred = place; }

/* What launchers tell a process about its place on the node, before MPI is there to ask. */
static int place_by_launcher(void) {
  static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "MV2_COMM_WORLD_LOCAL_RANK",
                                      "SLURM_LOCALID", "PMI_LOCAL_RANK"};
  for (int i = 0; i < COUNT(names); i++) {
    const char *text = getenv(names[i]);
    if (text && *text) return atoi(text);
  }
  return 0;
}

mfft_status mfft_cuda_device(const mfft_cuda_driver **driver, CUcontext *context, mfft_device_limits *limits) {
  MFFT_TRY(mfft_cuda_open(driver));
  const mfft_cuda_driver *d = *driver;
  CUcontext now = NULL;
  CUdevice device = 0;
  MFFT_CUDA_TRY(d, "the current context", d->context_current(&now));
  if (!now) {
    int place = (preferred >= 0 ? preferred : place_by_launcher()) % device_count;
    MFFT_CUDA_TRY(d, "a device", d->device_get(&device, place < 0 ? 0 : place));
    MFFT_CUDA_TRY(d, "the primary context of a device", d->primary_retain(&now, device));
    MFFT_CUDA_TRY(d, "making the context current", d->context_set(now));
  }
  MFFT_CUDA_TRY(d, "the device of the context", d->context_device(&device));
  static const struct {
    CUdevice_attribute what;
    size_t where;
  } ask[] = {{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, offsetof(mfft_device_limits, shared_bytes)},
             {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, offsetof(mfft_device_limits, sm_shared_bytes)},
             {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, offsetof(mfft_device_limits, threads)},
             {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, offsetof(mfft_device_limits, sm_threads)},
             {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, offsetof(mfft_device_limits, sm_registers)},
             {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, offsetof(mfft_device_limits, sms)}};
  for (int i = 0; i < COUNT(ask); i++)
    MFFT_CUDA_TRY(d, "a device attribute", d->device_attribute((int *)((char *)limits + ask[i].where), ask[i].what, device));
  int major = 0, minor = 0;
  MFFT_CUDA_TRY(d, "a device attribute", d->device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  MFFT_CUDA_TRY(d, "a device attribute", d->device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device));
  limits->arch = 10 * major + minor;
  limits->segment_bytes = 128;
  int clusters = 0;
  if (limits->arch >= 90)
    MFFT_CUDA_TRY(d, "a device attribute", d->device_attribute(&clusters, CU_DEVICE_ATTRIBUTE_CLUSTER_LAUNCH, device));
  limits->cluster = clusters ? MFFT_MAX_CLUSTER : 0;
  if (limits->arch < 80)
    return mfft_fail(MFFT_ERR_NO_DEVICE, "cuda: the GPU has compute capability %d.%d, 8.0 or newer is needed", major, minor);
  *context = now;
  return MFFT_SUCCESS;
}
