/* service.c: see service.h. */
#include "local/cuda/ops/service.h"

#include <string.h>

#include "base/log.h"

/* Adds the options of a plain pass with blocks of 256 threads, which every kernel needs that takes its number types from
 * kernels/common/config.cuh. */
static void of_precision(const mfft_service_kernel *s, int sign, mfft_compile_options *options) {
  mfft_kernel kernel = {.engine = MFFT_ENGINE_BUTTERFLY,
                        .precision = s->precision,
                        .sign = sign,
                        .chain = {.n = 1, .merges = 1, .lines = 1, .threads = 256},
                        .loops = 1,
                        .tile.min_blocks = 1};
  for (int i = 0; i < MFFT_MAX_MERGES; i++) kernel.chain.radix[i] = 1;
  mfft_options_of_pass(&kernel, options->file, options);
}

static void of_copy(const mfft_service_kernel *s, mfft_compile_options *options) {
  mfft_option_add(options, "COPY_BYTES", s->element_bytes);
}

static void of_twiddle(const mfft_service_kernel *s, mfft_compile_options *options) { of_precision(s, s->sign, options); }

static void of_signal(const mfft_service_kernel *s, mfft_compile_options *options) {
  mfft_option_add(options, "SIGNAL_SENDS", s->sends);
  mfft_option_add(options, "SIGNAL_NOTICE_S", MFFT_NOTICE_S);
}

static void of_filter(const mfft_service_kernel *s, mfft_compile_options *options) {
  of_precision(s, -1, options);
  mfft_option_add(options, "FILTER_REAL", s->real);
}

static void of_trigonometric(const mfft_service_kernel *s, mfft_compile_options *options) {
  of_precision(s, -1, options);
  mfft_option_add(options, "TRIGONOMETRIC_KIND", s->kind);
  mfft_option_add(options, "TRIGONOMETRIC_BY", s->dft_type);
  mfft_option_add(options, "TRIGONOMETRIC_STORES", s->stores);
}

static void of_numbers(const mfft_service_kernel *s, mfft_compile_options *options) { of_precision(s, -1, options); }

static void of_wire(const mfft_service_kernel *s, mfft_compile_options *options) {
  mfft_option_add(options, "WIRE_DOUBLE", s->precision == MFFT_DOUBLE);
  mfft_option_add(options, "WIRE_COMPONENTS", s->components);
  mfft_option_add(options, "WIRE_PACKS", s->narrows);
}

static void of_shells(const mfft_service_kernel *s, mfft_compile_options *options) {
  of_precision(s, -1, options);
  mfft_option_add(options, "PASS_GATHERS", s->gathers);
}

static void of_resize(const mfft_service_kernel *s, mfft_compile_options *options) {
  mfft_option_add(options, "RESIZE_DOUBLE", s->precision == MFFT_DOUBLE);
  mfft_option_add(options, "RESIZE_NARROWS", s->narrows);
}

static void of_particles(const mfft_service_kernel *s, mfft_compile_options *options) {
  const int slopes = s->service == MFFT_SERVICE_SLOPES ? 2 : s->service == MFFT_SERVICE_SLOPES_APART;
  const int gathers = slopes || s->service == MFFT_SERVICE_GATHER;
  mfft_option_add(options, "PARTICLE_STEP", gathers ? 0 : s->step);
  mfft_option_add(options, "PARTICLE_ORDER", s->order);
  mfft_option_add(options, "PARTICLE_LOW", s->low);
  mfft_option_add(options, "PARTICLE_HIGH", s->high);
  mfft_option_add(options, "PARTICLE_FIELDS", gathers ? s->step : 1);
  mfft_option_add(options, "PARTICLE_SLOPES", slopes);
  mfft_option_add(options, "PARTICLE_DOUBLE", s->precision == MFFT_DOUBLE);
}

static const struct {
  const char *source;
  void (*options)(const mfft_service_kernel *s, mfft_compile_options *options);
} services[MFFT_SERVICES] = {
    [MFFT_SERVICE_COPY] = {"copy.cu", of_copy},
    [MFFT_SERVICE_TWIDDLE] = {"twiddle.cu", of_twiddle},
    [MFFT_SERVICE_SIGNAL] = {"signal.cu", of_signal},
    [MFFT_SERVICE_FILTER] = {"filter.cu", of_filter},
    [MFFT_SERVICE_WIRE] = {"wire.cu", of_wire},
    [MFFT_SERVICE_SHELLS] = {"shells.cu", of_shells},
    [MFFT_SERVICE_RESIZE] = {"resize.cu", of_resize},
    [MFFT_SERVICE_NORMAL] = {"normal.cu", of_numbers},
    [MFFT_SERVICE_SUMS] = {"sums.cu", of_numbers},
    [MFFT_SERVICE_ROWS] = {"rows.cu", of_numbers},
    [MFFT_SERVICE_MODES] = {"modes.cu", of_numbers},
    [MFFT_SERVICE_PRODUCT] = {"product.cu", of_numbers},
    [MFFT_SERVICE_RADIAL] = {"radial.cu", of_numbers},
    [MFFT_SERVICE_MULTIPLY] = {"multiply.cu", of_numbers},
    [MFFT_SERVICE_TRIGONOMETRIC] = {"trigonometric.cu", of_trigonometric},
    [MFFT_SERVICE_PARTICLE_SORT] = {"sort.cu", of_particles},
    [MFFT_SERVICE_PARTICLE_SCAN] = {"scan.cu", of_particles},
    [MFFT_SERVICE_SEQUENCE] = {"sequence.cu", of_particles},
    [MFFT_SERVICE_DEPOSIT] = {"deposit.cu", of_particles},
    [MFFT_SERVICE_DIRECT] = {"direct.cu", of_particles},
    [MFFT_SERVICE_GATHER] = {"gather.cu", of_particles},
    [MFFT_SERVICE_SLOPES] = {"gather.cu", of_particles},
    [MFFT_SERVICE_SLOPES_APART] = {"gather.cu", of_particles},
    [MFFT_SERVICE_CELLS] = {"cells.cu", of_particles},
    [MFFT_SERVICE_WEIGHTS] = {"weights.cu", of_particles},
    [MFFT_SERVICE_FOLD] = {"fold.cu", of_particles},
    [MFFT_SERVICE_ARRANGE] = {"arrange.cu", of_particles},
    [MFFT_SERVICE_OWNERS] = {"owners.cu", of_particles},
    [MFFT_SERVICE_MOTION] = {"motion.cu", of_particles},
    [MFFT_SERVICE_ENERGIES] = {"energies.cu", of_particles},
};

void mfft_service_options(const mfft_service_kernel *kernel, mfft_compile_options *options) {
  memset(options, 0, sizeof *options);
  options->file = services[kernel->service].source;
  services[kernel->service].options(kernel, options);
}

mfft_status mfft_service_load(const mfft_cuda_current *current, const mfft_service_kernel *kernel, CUfunction *function) {
  mfft_compile_options options;
  mfft_service_options(kernel, &options);
  return mfft_load_function(current, &options, kernel->shared_bytes, 0, function);
}
