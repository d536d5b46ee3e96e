/* driver.c: see driver.h. */
#include "local/cuda/runtime/driver.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "local/cuda/runtime/library.h"

#ifndef MFFT_NVRTC_FOLDER
#define MFFT_NVRTC_FOLDER "/usr/local/cuda/lib64" /* the build sets this to the folder of its own toolkit */
#endif

static pthread_once_t driver_once = PTHREAD_ONCE_INIT, nvrtc_once = PTHREAD_ONCE_INIT;
static mfft_cuda_driver driver_table;
static mfft_nvrtc nvrtc_table;
static int driver_open, nvrtc_is_open, device_count;
static char driver_why[256], nvrtc_why[256]; /* the reason why a library cannot be used */

#define COUNT(array) ((int)(sizeof(array) / sizeof *(array)))

static void open_driver(void) {
  static const char *const files[] = {"libcuda.so.1", "libcuda.so", NULL};
#define MFFT_X(result, name, symbol, arguments)     {symbol, offsetof(mfft_cuda_driver, name), 0},
#define MFFT_LATER(result, name, symbol, arguments) {symbol, offsetof(mfft_cuda_driver, name), 1},
  static const mfft_library_symbol symbols[] = {MFFT_CUDA_FUNCTIONS(MFFT_X) MFFT_CUDA_LATER_FUNCTIONS(MFFT_LATER)};
#undef MFFT_LATER
#undef MFFT_X
  if (!mfft_library_open(files, symbols, COUNT(symbols), &driver_table, driver_why, sizeof driver_why)) return;
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

/* Whether the driver, if there is one, loads the machine code of the NVRTC in the table: an NVRTC of a newer CUDA than the
 * driver's makes code that the driver refuses. */
static int nvrtc_suits(const char *file) {
  int major = 0, minor = 0, driver = 0;
  pthread_once(&driver_once, open_driver);
  if (!driver_open || driver_table.driver_version(&driver) != CUDA_SUCCESS) return 1;
  nvrtc_table.version(&major, &minor);
  if (major <= driver / 1000) return 1;
  snprintf(nvrtc_why, sizeof nvrtc_why, "%s is of CUDA %d, and the driver loads code of CUDA %d or older", file, major,
           driver / 1000);
  return 0;
}

static void open_nvrtc(void) {
  static const char built_with[] = MFFT_NVRTC_FOLDER "/libnvrtc.so";
  static const char *const files[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so", built_with,
                                      "/usr/local/cuda/lib64/libnvrtc.so"};
#define MFFT_X(result, name, symbol, arguments) {symbol, offsetof(mfft_nvrtc, name), 0},
  static const mfft_library_symbol symbols[] = {MFFT_NVRTC_FUNCTIONS(MFFT_X)};
#undef MFFT_X
  char why[sizeof nvrtc_why];
  for (int i = 0; i < COUNT(files) && !nvrtc_is_open; i++) {
    const char *const file[] = {files[i], NULL};
    if (mfft_library_open(file, symbols, COUNT(symbols), &nvrtc_table, why, sizeof why))
      nvrtc_is_open = nvrtc_suits(files[i]);
    else if (!*nvrtc_why)
      memcpy(nvrtc_why, why, sizeof why);
  }
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
    return mfft_fail(MFFT_ERR_UNSUPPORTED,
                     "cuda: no NVRTC to compile kernels with (%s); put a libnvrtc that suits on the library path",
                     nvrtc_why);
  *nvrtc = &nvrtc_table;
  return MFFT_SUCCESS;
}

/* Whether every later call on a context returns this error once it has occurred. */
static int is_lasting(CUresult result) {
  static const CUresult lasting[] = {
      CUDA_ERROR_ILLEGAL_ADDRESS,    CUDA_ERROR_LAUNCH_FAILED,        CUDA_ERROR_LAUNCH_TIMEOUT,
      CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_ILLEGAL_INSTRUCTION,  CUDA_ERROR_INVALID_ADDRESS_SPACE,
      CUDA_ERROR_INVALID_PC,         CUDA_ERROR_HARDWARE_STACK_ERROR, CUDA_ERROR_ASSERT,
      CUDA_ERROR_ECC_UNCORRECTABLE};
  for (size_t i = 0; i < sizeof lasting / sizeof *lasting; i++)
    if (result == lasting[i]) return 1;
  return 0;
}

mfft_status mfft_cuda_failed(const mfft_cuda_driver *driver, CUresult result, const char *doing) {
  const char *name = "unknown error";
  driver->error_name(result, &name);
  return mfft_fail(result == CUDA_ERROR_OUT_OF_MEMORY ? MFFT_ERR_MEMORY : MFFT_ERR_CUDA, "cuda: %s: %s%s", doing, name,
                   is_lasting(result)
                       ? "; a kernel that ran before, of the caller's or of mergefft, has ended the use of this "
                         "device by this process: start it again, and look for the kernel with compute-sanitizer"
                       : "");
}
