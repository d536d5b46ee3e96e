/* peer_driver.c: see peer_driver.h. */
#include "bench/peer_driver.h"

#include <dlfcn.h>
#include <string.h>

#include "cli/report.h"

mfft_status mfft_peer_driver_open(const char *peer, const mfft_peer_driver **driver) {
  static mfft_peer_driver table;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *address;
  if (!library) return mfft_app_fail(MFFT_ERR_NO_DEVICE, "--vs %s: %s", peer, dlerror());
#define MFFT_X(name, symbol, arguments)                                                               \
  address = dlsym(library, symbol);                                                                   \
  if (!address) return mfft_app_fail(MFFT_ERR_NO_DEVICE, "--vs %s: the driver has no " symbol, peer); \
  memcpy(&table.name, &address, sizeof address);
  MFFT_PEER_DRIVER_FUNCTIONS(MFFT_X)
#undef MFFT_X
  *driver = &table;
  return MFFT_SUCCESS;
}

mfft_status mfft_peer_driver_status(const char *peer, CUresult result, const char *doing) {
  return result == CUDA_SUCCESS ? MFFT_SUCCESS
                                : mfft_app_fail(MFFT_ERR_CUDA, "--vs %s: %s: CUDA error %d", peer, doing, (int)result);
}
