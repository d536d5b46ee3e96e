/* compile.c: options, and NVRTC.  The disk cache is in cache.c. */
#include "local/cuda/runtime/compile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "local/cuda/runtime/cache.h"
#include "local/cuda/runtime/driver.h"

static void add(mfft_compile_options *options, const char *prefix, const char *name, int value) {
  if (options->count < MFFT_MAX_OPTIONS)
    snprintf(options->text[options->count++], MFFT_OPTION_BYTES, "-D%s%s=%d", prefix, name, value);
}

typedef struct word {
  const char *name;
  int value;
} word;

static void add_words(mfft_compile_options *options, const word *words, size_t count) {
  for (size_t i = 0; i < count; i++) add(options, "PASS_", words[i].name, words[i].value);
}

static void add_radices(mfft_compile_options *options, const char *prefix, const int radix[MFFT_MAX_MERGES]) {
  for (int i = 0; i < MFFT_MAX_MERGES; i++) add(options, prefix, (char[]){(char)('0' + i), 0}, radix[i]);
}

void mfft_kernel_options(const mfft_kernel *k, int element_bytes, mfft_compile_options *options) {
  static const char *const file[] = {"pass.cu",    "tensor.cu", "cluster.cu",  "real.cu",  "copy.cu",
                                     "twiddle.cu", "signal.cu", "filter.cu",   "split.cu", "wire.cu",
                                     "shells.cu",  "resize.cu", "resident.cu", "odd.cu"}; /* [MFFT_ENGINES] */
  memset(options, 0, sizeof *options);
  options->file = file[k->engine];
  const struct {
    mfft_engine engine;
    const char *name;
    int value;
  } apart[] = {{MFFT_ENGINE_COPY, "COPY_BYTES", element_bytes}, /* engines that have no passes */
               {MFFT_ENGINE_SIGNAL, "SIGNAL_SENDS", k->sign},
               {MFFT_ENGINE_SIGNAL, "SIGNAL_NOTICE_S", MFFT_NOTICE_S},
               {MFFT_ENGINE_WIRE, "WIRE_DOUBLE", k->precision == MFFT_DOUBLE},
               {MFFT_ENGINE_WIRE, "WIRE_COMPONENTS", k->chain.merges},
               {MFFT_ENGINE_WIRE, "WIRE_PACKS", k->sign},
               {MFFT_ENGINE_RESIZE, "RESIZE_DOUBLE", k->precision == MFFT_DOUBLE},
               {MFFT_ENGINE_RESIZE, "RESIZE_NARROWS", k->sign}};
  for (size_t i = 0; i < sizeof apart / sizeof *apart; i++)
    if (apart[i].engine == k->engine) add(options, "", apart[i].name, apart[i].value);
  if (options->count) return;
  const word words[] = {{"PRECISION", k->precision},
                        {"N", k->chain.n},
                        {"MERGES", k->chain.merges},
                        {"LINES", k->chain.lines},
                        {"THREADS", k->chain.threads},
                        {"SIGN", k->sign},
                        {"MAP_IN", k->in.map},
                        {"MAP_MID", k->map_mid},
                        {"MAP_OUT", k->out.map},
                        {"LOAD", k->in.form},
                        {"STORE", k->out.form},
                        {"STAGED_IN", k->in.staging},
                        {"STAGED_OUT", k->out.staging},
                        {"OUTER", k->twiddle.loop},
                        {"OUTER_ALSO", k->twiddle.second_loop},
                        {"OUTER_PART", k->twiddle.part},
                        {"MIRROR", k->mirror},
                        {"SCALED", k->scaled},
                        {"LOOPS", k->loops},
                        {"WIDE", k->wide_counts},
                        {"UNIT_IN", k->in.unit},
                        {"UNIT_OUT", k->out.unit},
                        {"SPLIT", k->tile.split},
                        {"MIN_BLOCKS", k->tile.min_blocks},
                        {"EXCHANGE_BYTES", k->tile.exchange_bytes},
                        {"VECTOR", k->in.wide | k->out.wide << 1 | k->tile.lines_in_fours << 2 | k->tile.rows_touch << 3},
                        {"ONCE", k->in.last_use | k->out.last_use << 1},
                        {"TWO_AREAS", k->tile.two_areas},
                        {"FILTER", k->filter.side},
                        {"FILTER_UNIT", k->filter.unit},
                        {"KEPT", k->tile.persistent},
                        {"SHARES", k->scatter.shares},
                        {"ALIKE", k->scatter.uniform},
                        {"WIRE", k->in.half_width | k->out.half_width << 1},
                        {"GAP", k->tile.gap},
                        {"FETCH", k->hints.prefetch},
                        {"EXACT", k->exact}};
  add_words(options, words, sizeof words / sizeof *words);
  add_radices(options, "PASS_R", k->chain.radix);
  if (k->engine == MFFT_ENGINE_SHELLS) add(options, "PASS_", "GATHERS", k->gathers);
  if (k->engine != MFFT_ENGINE_CLUSTER && k->engine != MFFT_ENGINE_RESIDENT) return;
  const word second[] = {{"CLUSTER", k->cluster.blocks},      {"COLUMNS", k->cluster.columns},
                         {"APART", k->cluster.apart},         {"BETWEEN", k->cluster.twiddled},
                         {"IN_STRIDE", k->cluster.in_stride}, {"OUT_STRIDE", k->cluster.out_stride},
                         {"SECOND_N", k->second.n},           {"SECOND_MERGES", k->second.merges},
                         {"SECOND_LINES", k->second.lines},   {"SECOND_THREADS", k->second.threads}};
  add_words(options, second, sizeof second / sizeof *second);
  add_radices(options, "PASS_SECOND_R", k->second.radix);
}

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
