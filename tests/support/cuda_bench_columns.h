/* cuda_bench_columns.h: t890 --columns: the slowest axis of a cube alone, multiplied by a filter or by a spectrum.  Both are
 * 1 everywhere, the filter as 1 / (1 + 0 + 0), and what is transformed forward and back is scaled by 1/n, so that the
 * results are the input. */
#ifndef MFFT_TESTS_CUDA_BENCH_COLUMNS_H
#define MFFT_TESTS_CUDA_BENCH_COLUMNS_H

#include "cuda_bench_job.h"

/* filtered: a filtered transform back; solved: forward, filter, and back; multiplied: by a spectrum between both; NULL:
 * whole cubes. */
static const char *columns;

static int columns_are(const char *kind) { return columns && !strcmp(columns, kind); }
static int columns_are_known(void) {
  return !columns || columns_are("filtered") || columns_are("solved") || columns_are("multiplied");
}

/* The pass of a spec of three axes. */
static mfft_fft_spec columns_of(const mfft_fft_spec *cube) {
  mfft_fft_spec s = *cube;
  const int solved = columns_are("solved"), multiplied = columns_are("multiplied");
  const int64_t n[3] = {cube->axis[0].n, cube->axis[1].n, mfft_fft_length(cube, 2, cube->type == MFFT_FFT_R2C)};
  const int64_t stride[3] = {n[1] * n[2], n[2], 1}, dist = n[0] * n[1] * n[2];
  s.type = MFFT_FFT_C2C;
  s.direction = columns_are("filtered") ? MFFT_BACKWARD : MFFT_FORWARD;
  s.naxes = 1, s.nloops = 3;
  s.axis[0] = (mfft_dim){n[0], stride[0], stride[0]};
  s.loop[0] = (mfft_dim){cube->loop[0].n, dist, dist};
  for (int a = 1; a < 3; a++) s.loop[a] = (mfft_dim){n[a], stride[a], stride[a]};
  s.filtered = solved ? MFFT_FILTER_BETWEEN : multiplied ? MFFT_FILTER_NONE : MFFT_FILTER_INPUT;
  s.filter = (mfft_filter_shape){.n = {s.loop[0].n, n[0], n[1], n[2]},
                                 .stride = {dist, stride[0], stride[1], stride[2]},
                                 .table = {0, n[0], n[0] + n[1]}};
  if (solved || multiplied)
    s.convolved = solved ? MFFT_CONVOLVED_BY_FILTER : MFFT_CONVOLVED_BY_ARRAY, s.scale = 1.0 / (double)n[0];
  return s;
}

/* A spectrum of ones in `work`, which a transform of one pass does not use. */
static const void *columns_spectrum(const mfft_fft_spec *s) {
  enum { SOME = 1 << 20 };
  static char image[SOME];
  const size_t real = mfft_real_bytes(s->precision), bytes = (size_t)case_reals(s, 0) * real;
  for (int64_t i = 0; i < (int64_t)(SOME / real); i++) store_value(s->precision, image, i, i % 2 == 0);
  for (size_t at = 0; at < bytes; at += SOME)
    if (gpu->copy_to_device((CUdeviceptr)((char *)work + at), image, bytes - at < SOME ? bytes - at : SOME)) return NULL;
  return work;
}

/* The tables of the filter in device memory, which the next call overwrites: 1 / (1 + 0 + 0). */
static const void *columns_tables(const mfft_fft_spec *s) {
  enum { MOST = 3 * 4096 };
  static char image[MFFT_FILTER_HEAD * 8 + MOST * 16], *there;
  const mfft_precision stored = s->precision == MFFT_DOUBLE ? MFFT_DOUBLE : MFFT_SINGLE;
  const size_t real = mfft_real_bytes(stored);
  const int64_t entries = s->filter.n[1] + s->filter.n[2] + s->filter.n[3];
  if (entries > MOST || (!there && mfft_backend_cuda.alloc(sizeof image, (void **)&there) != MFFT_SUCCESS)) return NULL;
  memset(image, 0, sizeof image);
  store_value(MFFT_DOUBLE, image, MFFT_FILTER_SCALE, 1);
  for (int64_t i = 0; i < entries; i++) {
    char *const pair = image + MFFT_FILTER_HEAD * 8 + (size_t)i * 2 * real;
    store_value(stored, pair, 0, 1);
    store_value(stored, pair, 1, i < s->filter.n[1]);
  }
  return gpu->copy_to_device((CUdeviceptr)there, image, sizeof image) ? NULL : there;
}

static const void *columns_factors(const mfft_fft_spec *s) {
  return columns_are("multiplied") ? columns_spectrum(s) : columns_tables(s);
}

/* The largest difference of the first numbers of a solve from its input. */
static double columns_off(const mfft_fft_spec *s) {
  enum { SOME = 1 << 16 };
  static char image[2][SOME * 8]; /* [input or output] */
  double off = 0;
  const int64_t count = case_reals(s, 0) < SOME ? case_reals(s, 0) : SOME;
  const size_t bytes = (size_t)count * mfft_real_bytes(s->precision);
  if (gpu->copy_to_host(image[0], (CUdeviceptr)in, bytes) || gpu->copy_to_host(image[1], (CUdeviceptr)out, bytes))
    return NAN;
  for (int64_t i = 0; i < count; i++) {
    const double d = fabs(stored_value(s->precision, image[0], i) - stored_value(s->precision, image[1], i));
    if (!(d <= off)) off = d;
    if (isnan(off)) return NAN;
  }
  return off;
}

#endif
