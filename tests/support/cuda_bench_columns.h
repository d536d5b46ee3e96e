/* cuda_bench_columns.h: t890 --columns: the slowest axis of a cube alone, multiplied by a filter.  The filter is 1
 * everywhere, as 1 / (1 + 0 + 0), and a solve is scaled by 1/n, so that its results are its input. */
#ifndef MFFT_TESTS_CUDA_BENCH_COLUMNS_H
#define MFFT_TESTS_CUDA_BENCH_COLUMNS_H

#include "cuda_bench_job.h"

static const char *columns; /* filtered: a filtered transform back; solved: forward, filter, and back; NULL: whole cubes */

/* The pass of a spec of three axes. */
static mfft_fft_spec columns_of(const mfft_fft_spec *cube) {
  mfft_fft_spec s = *cube;
  const int solved = !strcmp(columns, "solved");
  const int64_t n[3] = {cube->axis[0].n, cube->axis[1].n, mfft_fft_length(cube, 2, cube->type == MFFT_FFT_R2C)};
  const int64_t stride[3] = {n[1] * n[2], n[2], 1}, dist = n[0] * n[1] * n[2];
  s.type = MFFT_FFT_C2C;
  s.direction = solved ? MFFT_FORWARD : MFFT_BACKWARD;
  s.naxes = 1, s.nloops = 3;
  s.axis[0] = (mfft_dim){n[0], stride[0], stride[0]};
  s.loop[0] = (mfft_dim){cube->loop[0].n, dist, dist};
  for (int a = 1; a < 3; a++) s.loop[a] = (mfft_dim){n[a], stride[a], stride[a]};
  s.filtered = solved ? MFFT_FILTER_BETWEEN : MFFT_FILTER_INPUT;
  s.filter = (mfft_filter_shape){.n = {s.loop[0].n, n[0], n[1], n[2]},
                                 .stride = {dist, stride[0], stride[1], stride[2]},
                                 .table = {0, n[0], n[0] + n[1]}};
  if (solved) s.convolved = MFFT_CONVOLVED_BY_FILTER, s.scale = 1.0 / (double)n[0];
  return s;
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
