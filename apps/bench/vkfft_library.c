/* vkfft_library.c: opens the module with VkFFT's plans; see vkfft_plans.h. */
#include <dlfcn.h>

#include "bench/vkfft_plans.h"
#include "cli/report.h"

mfft_status mfft_vkfft_open(const mfft_vkfft_plans **plans) {
  static void *module;
  if (!module) module = dlopen(MFFT_VKFFT_MODULE, RTLD_NOW | RTLD_LOCAL);
  if (!module) return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs vkfft: %s", dlerror());
  *plans = dlsym(module, MFFT_VKFFT_TABLE);
  if (*plans) return MFFT_SUCCESS;
  return mfft_app_fail(MFFT_ERR_UNSUPPORTED, "--vs vkfft: %s has no " MFFT_VKFFT_TABLE "; build it again",
                       MFFT_VKFFT_MODULE);
}
