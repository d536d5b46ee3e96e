#include "bench/cufft_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "cli/report.h"

mfft_status mfft_cufft_open(const char *peer, const mfft_cufft_library **library) {
  static const char *const files[] = {"libcufft.so." MFFT_CUFFT_MAJOR, "libcufft.so",
                                      MFFT_CUFFT_FOLDER "/libcufft.so." MFFT_CUFFT_MAJOR};
  static mfft_cufft_library cufft;
  static void *file;
  char why[256] = "";
  for (size_t i = 0; i < sizeof files / sizeof *files && !file; i++) {
    file = dlopen(files[i], RTLD_NOW | RTLD_LOCAL);
    if (!file && !*why) snprintf(why, sizeof why, "%s", dlerror());
  }
  if (!file)
    return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs %s: %s; put the folder of libcufft on the library path", peer, why);
  void *address;
#define MFFT_X(name)                                                                                                   \
  address = dlsym(file, #name);                                                                                        \
  if (!address) return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs %s: libcufft has no " #name "; it is too old", peer); \
  memcpy(&cufft.name, &address, sizeof address);
  MFFT_CUFFT_FUNCTIONS(MFFT_X)
#undef MFFT_X
#define MFFT_X(name)            \
  address = dlsym(file, #name); \
  memcpy(&cufft.name, &address, sizeof address);
  MFFT_CUFFT_LATER_FUNCTIONS(MFFT_X)
#undef MFFT_X
  *library = &cufft;
  return MFFT_SUCCESS;
}

static const char *result_name(cufftResult result) {
  static const struct {
    cufftResult result;
    const char *name;
  } names[] = {{CUFFT_ALLOC_FAILED, "CUFFT_ALLOC_FAILED"},   {CUFFT_INVALID_TYPE, "CUFFT_INVALID_TYPE"},
               {CUFFT_INVALID_VALUE, "CUFFT_INVALID_VALUE"}, {CUFFT_INTERNAL_ERROR, "CUFFT_INTERNAL_ERROR"},
               {CUFFT_EXEC_FAILED, "CUFFT_EXEC_FAILED"},     {CUFFT_SETUP_FAILED, "CUFFT_SETUP_FAILED"},
               {CUFFT_INVALID_SIZE, "CUFFT_INVALID_SIZE"},   {CUFFT_NOT_SUPPORTED, "CUFFT_NOT_SUPPORTED"}};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].result == result) return names[i].name;
  return "an error without a name";
}

mfft_status mfft_cufft_status(cufftResult result, const char *doing) {
  if (result == CUFFT_SUCCESS) return MFFT_SUCCESS;
  const int refused = result == CUFFT_NOT_SUPPORTED || result == CUFFT_INVALID_SIZE || result == CUFFT_INVALID_VALUE ||
                      result == CUFFT_INVALID_TYPE;
  return mfft_app_fail(refused ? MFFT_ERR_UNSUPPORTED : MFFT_ERR_CUDA, "cuFFT, %s: %s%s", doing, result_name(result),
                       refused ? "; leave out --vs" : "");
}
