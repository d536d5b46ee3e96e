/* compile.c: compiles a kernel by NVRTC, or reads it from the disk cache (cache.c). */
#include "local/cuda/runtime/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/runtime/driver.h"
#include "local/cuda/runtime/sources.h"

static mfft_status run_nvrtc(const mfft_nvrtc *rtc, const mfft_compile_options *options, int arch, mfft_cubin *cubin) {
  const char *main_text = NULL;
  for (int i = 0; i < mfft_kernel_file_count; i++)
    if (!strcmp(mfft_kernel_file_names[i], options->file)) main_text = mfft_kernel_file_texts[i];
  if (!main_text) return mfft_fail(MFFT_ERR_INTERNAL, "cuda: no source %s in the library", options->file);

  char arch_option[32];
  snprintf(arch_option, sizeof arch_option, "--gpu-architecture=sm_%d", arch);
  const char *arguments[MFFT_MAX_OPTIONS + 4];
  int count = 0;
  arguments[count++] = arch_option;
  arguments[count++] = "--std=c++17";
  arguments[count++] = "--device-int128";
  for (int i = 0; i < options->count; i++) arguments[count++] = options->text[i];

  nvrtcProgram program = NULL;
  nvrtcResult result = rtc->create(&program, main_text, options->file, mfft_kernel_file_count, mfft_kernel_file_texts,
                                   mfft_kernel_file_names);
  if (result != NVRTC_SUCCESS) return mfft_fail(MFFT_ERR_CUDA, "cuda: NVRTC: %s", rtc->error_name(result));
  mfft_status status = MFFT_SUCCESS;
  result = rtc->compile(program, count, arguments);
  if (result != NVRTC_SUCCESS) {
    size_t size = 0;
    rtc->log_size(program, &size);
    char *log = calloc(size + 1, 1);
    if (log) rtc->log(program, log);
    status = mfft_fail(MFFT_ERR_CUDA, "cuda: NVRTC cannot compile %s for sm_%d: %s: %.600s", options->file, arch,
                       rtc->error_name(result), log ? log : "");
    free(log);
    goto done;
  }
  result = rtc->cubin_size(program, &cubin->bytes);
  cubin->data = result == NVRTC_SUCCESS ? malloc(cubin->bytes) : NULL;
  if (!cubin->data) {
    status = mfft_fail(MFFT_ERR_MEMORY, "cuda: no memory for machine code of %zu bytes", cubin->bytes);
    goto done;
  }
  result = rtc->cubin(program, cubin->data);
  if (result != NVRTC_SUCCESS) {
    free(cubin->data);
    cubin->data = NULL;
    status = mfft_fail(MFFT_ERR_CUDA, "cuda: NVRTC: %s", rtc->error_name(result));
  }
done:
  rtc->destroy(&program);
  return status;
}

mfft_status mfft_compile(const mfft_compile_options *options, int arch, mfft_cubin *cubin) {
  memset(cubin, 0, sizeof *cubin);
  if (options->count >= MFFT_MAX_OPTIONS) /* there may have been more */
    return mfft_fail(MFFT_ERR_INTERNAL, "cuda: a kernel is described by more than %d words", MFFT_MAX_OPTIONS - 1);
  const mfft_nvrtc *rtc;
  MFFT_TRY(mfft_nvrtc_open(&rtc));
  int major = 0, minor = 0;
  rtc->version(&major, &minor);
  char key[MFFT_KEY_BYTES];
  MFFT_TRY(mfft_cache_key(options, arch, 1000 * major + minor, key));
  if (mfft_cache_read(key, cubin)) return MFFT_SUCCESS;
  MFFT_TRY(run_nvrtc(rtc, options, arch, cubin));
  mfft_cache_write(key, cubin);
  return MFFT_SUCCESS;
}
