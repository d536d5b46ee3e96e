/* compile.c: options, and NVRTC.  The disk cache is in cache.c. */
#include "local/cuda/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "local/cuda/cache.h"
#include "local/cuda/driver.h"

static void add(mfft_options *options, const char *name, int value) {
  if (options->count < MFFT_MAX_OPTIONS)
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DPASS_%s=%d", name, value);
}

void mfft_kernel_options(const mfft_kernel *k, int element_bytes, mfft_options *options) {
  static const char *const file[] = {"pass.cu",    "tensor.cu", "cluster.cu", "real.cu",  "copy.cu",
                                     "twiddle.cu", "signal.cu", "filter.cu",  "split.cu", "wire.cu",
                                     "shells.cu",  "resize.cu", "resident.cu"}; /* [MFFT_ENGINES] */
  memset(options, 0, sizeof *options);
  options->file = file[k->engine];
  if (k->engine == MFFT_ENGINE_COPY) {
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DCOPY_BYTES=%d", element_bytes);
    return;
  }
  if (k->engine == MFFT_ENGINE_SIGNAL) {
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DSIGNAL_SENDS=%d", k->sign);
    return;
  }
  if (k->engine == MFFT_ENGINE_WIRE) {
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DWIRE_DOUBLE=%d", k->precision == MFFT_DOUBLE);
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DWIRE_COMPONENTS=%d", k->merges);
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DWIRE_PACKS=%d", k->sign);
    return;
  }
  if (k->engine == MFFT_ENGINE_RESIZE) {
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DRESIZE_DOUBLE=%d", k->precision == MFFT_DOUBLE);
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-DRESIZE_NARROWS=%d", k->sign);
    return;
  }
  const struct {
    const char *name;
    int value;
  } words[] = {{"PRECISION", k->precision},
               {"N", k->n},
               {"MERGES", k->merges},
               {"LINES", k->lines},
               {"THREADS", k->threads},
               {"SIGN", k->sign},
               {"MAP_IN", k->map_in},
               {"MAP_MID", k->map_mid},
               {"MAP_OUT", k->map_out},
               {"LOAD", k->load},
               {"STORE", k->store},
               {"STAGED_IN", k->staged_in},
               {"STAGED_OUT", k->staged_out},
               {"OUTER", k->outer},
               {"OUTER_ALSO", k->outer_also},
               {"OUTER_PART", k->outer_part},
               {"MIRROR", k->mirror},
               {"SCALED", k->scaled},
               {"LOOPS", k->loops},
               {"WIDE", k->wide},
               {"UNIT_IN", k->unit_in},
               {"UNIT_OUT", k->unit_out},
               {"SPLIT", k->split},
               {"MIN_BLOCKS", k->min_blocks},
               {"EXCHANGE_BYTES", k->exchange_bytes},
               {"VECTOR", k->vector},
               {"ONCE", k->once},
               {"TWO_AREAS", k->two_areas},
               {"FILTER", k->filter},
               {"FILTER_UNIT", k->filter_unit},
               {"KEPT", k->kept},
               {"SHARES", k->shares},
               {"ALIKE", k->alike},
               {"WIRE", k->wire},
               {"GAP", k->gap},
               {"FETCH", k->fetch}};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) add(options, words[i].name, words[i].value);
  for (int i = 0; i < MFFT_MAX_MERGES; i++) {
    char name[4] = {'R', (char)('0' + i), 0};
    add(options, name, k->radix[i]);
  }
  if (k->engine == MFFT_ENGINE_SHELLS) add(options, "GATHERS", k->gathers);
  if (k->engine != MFFT_ENGINE_CLUSTER && k->engine != MFFT_ENGINE_RESIDENT) return;
  add(options, "CLUSTER", k->cluster);
  add(options, "COLUMNS", k->columns);
  add(options, "APART", k->apart);
  add(options, "BETWEEN", k->between);
  add(options, "IN_STRIDE", k->in_stride);
  add(options, "OUT_STRIDE", k->out_stride);
  add(options, "SECOND_N", k->second.n);
  add(options, "SECOND_MERGES", k->second.merges);
  add(options, "SECOND_LINES", k->second.lines);
  add(options, "SECOND_THREADS", k->second.threads);
  for (int i = 0; i < MFFT_MAX_MERGES; i++) {
    char name[] = {'S', 'E', 'C', 'O', 'N', 'D', '_', 'R', (char)('0' + i), 0};
    add(options, name, k->second.radix[i]);
  }
}

static mfft_status run_nvrtc(const mfft_nvrtc *rtc, const mfft_options *options, int arch, mfft_cubin *cubin) {
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

mfft_status mfft_compile(const mfft_options *options, int arch, mfft_cubin *cubin) {
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
