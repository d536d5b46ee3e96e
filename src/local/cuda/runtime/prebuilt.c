/* prebuilt.c: see prebuilt.h. */
#define _GNU_SOURCE /* dladdr */
#include "local/cuda/runtime/prebuilt.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "base/env.h"

enum { ANY_COMPILER = 0 };

static const char here; /* its address tells which file contains this code: the library, or the program linked with it */

const char *mfft_prebuilt_folder(char *text, size_t size) {
  const char *chosen = mfft_env_string(MFFT_ENV_PREBUILT_DIR), *slash = NULL;
  Dl_info info;
  int wrote = 0;
  if (chosen && *chosen)
    wrote = snprintf(text, size, "%s", chosen);
  else if (dladdr(&here, &info) && info.dli_fname && (slash = strrchr(info.dli_fname, '/')))
    wrote = snprintf(text, size, "%.*s/mergefft/kernels", (int)(slash - info.dli_fname), info.dli_fname);
  if (wrote <= 0 || (size_t)wrote >= size) text[0] = '\0';
  return text;
}

int mfft_prebuilt_read(const mfft_compile_options *options, int arch, mfft_cubin *cubin) {
  char folder[512], key[MFFT_KEY_BYTES];
  if (mfft_cache_key(options, arch, ANY_COMPILER, key) != MFFT_SUCCESS) return 0;
  return mfft_cache_read_in(mfft_prebuilt_folder(folder, sizeof folder), key, cubin);
}

int mfft_prebuilt_write(const char *folder, const mfft_compile_options *options, int arch, const mfft_cubin *cubin,
                        char why[MFFT_WHY_BYTES]) {
  char key[MFFT_KEY_BYTES];
  if (mfft_cache_key(options, arch, ANY_COMPILER, key) == MFFT_SUCCESS) return mfft_cache_write_in(folder, key, cubin, why);
  snprintf(why, MFFT_WHY_BYTES, "%s", mfft_last_error());
  return 1;
}
