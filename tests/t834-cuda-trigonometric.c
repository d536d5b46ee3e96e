// TEST labels=cuda timeout=300 args=part,0
// TEST labels=cuda timeout=300 args=part,1
// TEST labels=cuda timeout=300 args=part,2
// TEST labels=cuda timeout=300 args=part,3
// TEST labels=cuda timeout=300 args=part,4
// TEST labels=cuda timeout=300 args=part,5
// TEST labels=emulated timeout=300
/* Cosines and sines on the GPU against FFTW: every kind, lengths of one pass and of several, with large primes, lines that
 * are contiguous and side by side, in pieces of the L2 cache, and what plans print.  t213 has shapes, mixtures and strides.
 *
 *   t834-cuda-trigonometric [part N]          all parts, or one of the six
 *   t834-cuda-trigonometric lengths A B       lengths from A to B, of all kinds */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/backend.h"
#include "local/cuda/plan_only.h"
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/trigonometric.h"
#include "mfft_inspect.h"
#include "transform.h"

/* Whether the kernels of a plan's passes, if they are in this process's share, have been compiled instead of being run.  The
 * plan is made without a device, whose backend tells of each transform. */
static int compile_plan_only(const mfft_desc *d, const mfft_options *options) {
  static char text[1 << 16];
  size_t needed;
  if (!compiles_only()) return 0;
  mfft_plan_only = (mfft_plan_only_hooks){&mfft_limits_sm90, only_compile_all};
  if (compiles_next()) CHECK_OK(mfft_plan_outline(d, options, text, sizeof text, &needed));
  return 1;
}

/* Lines of one length: packed one behind the other, or side by side. */
static void check_lines(mfft_axis_kind kind, int64_t n, mfft_precision precision, int64_t batch, int side_by_side,
                        mfft_placement placement) {
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1, d.n[0] = n, d.kind = MFFT_R2R, d.axis_kind[0] = kind;
  d.precision = precision, d.batch = batch, d.placement = placement;
  if (precision >= MFFT_HALF) d.scale[0] = d.scale[1] = MFFT_SCALE_SQRT;
  if (side_by_side) d.in_stride[0] = d.out_stride[0] = batch + 1, d.in_dist = d.out_dist = 1;
  options.backend = "cuda", options.effort = MFFT_ESTIMATE;
  if (compile_plan_only(&d, &options)) return;
  const int64_t dft = mfft_trigonometric_dft_of(kind, n).length;
  test_both_within(&d, &options, (uint64_t)n, 0, mfft_rest_of_length(dft) > 1 ? 2 : 1); /* docs/accuracy.md */
}

static void check_lengths(int64_t first, int64_t last) {
  for (int kind = MFFT_DCT1; kind <= MFFT_DST4; kind++)
    for (int64_t n = first; n <= last; n++)
      for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
        if (kind == MFFT_DCT1 && n == 1) continue;
        check_lines((mfft_axis_kind)kind, n, (mfft_precision)p, 3 + (n / 2 + kind / 4 + p) % 2, (n + p) % 2,
                    (mfft_placement)(n / 4 % 2));
      }
}

/* Kinds and precisions in turn: kernels are what takes long. */
static void check_few(void) {
  static const int64_t n[] = {2, 3, 16, 35, 64, 74, 101, 128, 1009, 4096, 3125, 6000, 40000};
  for (int i = 0; i < 13; i++)
    for (int k = 0; k < 2; k++) {
      if (test_small() && !test_sampled()) continue;
      const mfft_axis_kind kind = (mfft_axis_kind)(MFFT_DCT1 + (i + 3 * k + i / 8) % 8);
      check_lines(kind, n[i], (mfft_precision)((i + k) % 4), n[i] > 5000 ? 2 : 9, (i + k) % 2, (mfft_placement)(i % 2));
    }
}

enum { TEXT = 1024 };

/* Creates the transform of a spec, prints it, and runs it on x, in place if the spec says so, from `first` bytes of the
 * array on.  Returns the bytes of its workspace. */
static size_t transform_at(const mfft_fft_spec *s, char text[TEXT], const double *x, double *got, size_t bytes,
                           size_t first) {
  mfft_fft *fft = NULL;
  void *array[2] = {NULL, NULL}, *work = NULL; /* [in, out] */
  CHECK_OK(mfft_backend_cuda.fft_create(s, &fft));
  fft->backend->fft_print(fft, text, TEXT);
  const size_t work_bytes = fft->work_bytes;
  for (int i = 0; i < 2 - s->in_place; i++) CHECK_OK(mfft_backend_cuda.alloc(bytes, &array[i]));
  if (work_bytes) CHECK_OK(mfft_backend_cuda.alloc(work_bytes, &work));
  if (s->in_place) array[1] = array[0];
  for (int i = 0; i < 2 - s->in_place; i++) /* the result has gaps between its lines, which are downloaded too */
    CHECK_OK(mfft_backend_cuda.upload(array[i], x, bytes));
  CHECK_OK(fft->backend->fft_execute(fft, (char *)array[0] + first, (char *)array[1] + first, work, NULL));
  CHECK_OK(mfft_backend_cuda.synchronize(NULL));
  CHECK_OK(mfft_backend_cuda.download(got, array[1], bytes));
  if (work) mfft_backend_cuda.free(work);
  if (!s->in_place) mfft_backend_cuda.free(array[1]);
  mfft_backend_cuda.free(array[0]);
  fft->backend->fft_destroy(fft);
  return work_bytes;
}
static size_t transform(const mfft_fft_spec *s, char text[TEXT], const double *x, double *got, size_t bytes) {
  return transform_at(s, text, x, got, bytes, 0);
}

/* One axis of a spec of the backend, in pieces so small that there are several, the last one shorter; twice as bounds of
 * docs/accuracy.md for lengths with large primes. */
static void check_pieces(mfft_axis_kind kind, int by_line) {
  static const fftw_r2r_kind kinds[] = {
      0, FFTW_REDFT00, FFTW_REDFT10, FFTW_REDFT01, FFTW_REDFT11, FFTW_RODFT00, FFTW_RODFT10, FFTW_RODFT01, FFTW_RODFT11};
  enum { LENGTH = 158, LINES = 50, GAP = 3, ALL = (LENGTH + GAP) * (LINES + GAP) };
  static double x[ALL], y[ALL], got[ALL];
  const int64_t stride = by_line ? LINES + GAP : 1, distance = by_line ? 1 : LENGTH + GAP;
  mfft_fft_spec s = {
      .type = MFFT_FFT_R2R, .scale = 1, .naxes = 1, .nloops = 1, .in_place = 1, .part_bytes = 16 * LENGTH * 8};
  s.axis[0] = (mfft_dim){LENGTH, stride, stride};
  s.loop[0] = (mfft_dim){LINES, distance, distance};
  s.kind[0] = kind;
  uint64_t state = kind;
  for (int i = 0; i < ALL; i++) x[i] = y[i] = test_random(&state);
  const fftw_iodim64 axis = {LENGTH, stride, stride}, loop = {LINES, distance, distance};
  fftw_plan plan = fftw_plan_guru64_r2r(1, &axis, 1, &loop, y, y, &kinds[kind], FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  char text[TEXT] = "";
  const size_t work_bytes = transform(&s, text, x, got, sizeof x);
  CHECK(strstr(text, " pieces of ") && !strstr(text, ", 1 piece"), "%s", text);
  CHECK(work_bytes < 8 * sizeof x, "%zu bytes of workspace for pieces of %lld", work_bytes, (long long)s.part_bytes);
  double error = 0, norm = 0;
  for (int i = 0; i < ALL; i++) error += (got[i] - y[i]) * (got[i] - y[i]), norm += y[i] * y[i];
  const double bound = 2 * test_bound(MFFT_DOUBLE, 2 * LENGTH);
  CHECK(sqrt(error) <= bound * sqrt(norm), "kind %d, by %s: off by %.3g, bound %.3g", kind, by_line ? "line" : "element",
        sqrt(error / norm), bound);
}

/* Two axes of one part after each other, cut from the third axis or from a batch, against FFTW. */
static void check_parts(int batched) {
  enum { X = 24, Y = 10, Z = 16, ALL = X * Y * Z };
  static const fftw_r2r_kind kinds[] = {FFTW_RODFT11, FFTW_REDFT10, FFTW_RODFT01};
  static double x[ALL], y[ALL], got[ALL];
  const mfft_dim dims[] = {{X, Y * Z, Y * Z}, {Y, Z, Z}, {Z, 1, 1}};
  mfft_fft_spec s = {
      .type = MFFT_FFT_R2R, .scale = 0.25, .naxes = 3 - batched, .nloops = batched, .part_bytes = 8 * ALL / 6};
  for (int a = 0; a < s.naxes; a++) s.axis[a] = dims[a + batched];
  s.loop[0] = dims[0];
  s.kind[0] = batched ? MFFT_DCT2 : MFFT_DST4, s.kind[1] = batched ? MFFT_DST3 : MFFT_DCT2, s.kind[2] = MFFT_DST3;
  uint64_t state = 1;
  for (int i = 0; i < ALL; i++) x[i] = test_random(&state);
  const fftw_iodim64 axis[] = {{X, Y * Z, Y * Z}, {Y, Z, Z}, {Z, 1, 1}};
  fftw_plan plan = fftw_plan_guru64_r2r(s.naxes, axis + batched, batched, axis, x, y, kinds + batched, FFTW_ESTIMATE);
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  char text[TEXT] = "";
  const size_t work_bytes = transform(&s, text, x, got, sizeof x);
  CHECK(strstr(text, "6 parts of dst3 by ") && work_bytes == 0, "%zu bytes: %s", work_bytes, text);
  double error = 0, norm = 0;
  for (int i = 0; i < ALL; i++) error += pow(got[i] - y[i] / 4, 2), norm += pow(y[i] / 4, 2);
  CHECK(sqrt(error) <= test_bound(MFFT_DOUBLE, 8 * ALL) * sqrt(norm), "batched %d: off by %.3g", batched,
        sqrt(error / norm));
}

/* Columns, or pairs of them, in clusters of so many blocks, with an odd number of pairs and rows apart, in an array that is
 * aligned to pairs and in one that is not, against FFTW. */
static void check_columns(mfft_axis_kind kind, int n, mfft_precision precision, int blocks) {
  static const fftw_r2r_kind kinds[] = {[MFFT_DCT2] = FFTW_REDFT10, [MFFT_DCT3] = FFTW_REDFT01, [MFFT_DCT4] = FFTW_REDFT11,
                                        [MFFT_DST2] = FFTW_RODFT10, [MFFT_DST3] = FFTW_RODFT01, [MFFT_DST4] = FFTW_RODFT11};
  const int columns = 128 / (int)(mfft_real_bytes(precision) * (mfft_trigonometric_pairs(kind) ? 2 : 1));
  enum { LINES = 22, ROW = 24, ALL = 2048 * ROW };
  static double x[ALL], y[ALL], stored[ALL + 1], got[ALL + 1];
  mfft_fft_spec s = {.type = MFFT_FFT_R2R, .scale = 0.5, .naxes = 1, .nloops = 1, .precision = precision, .columns = blocks};
  s.cluster_values = precision == MFFT_DOUBLE ? 16 : 32;
  s.axis[0] = (mfft_dim){n, ROW, ROW};
  s.loop[0] = (mfft_dim){LINES, 1, 1};
  s.kind[0] = kind;
  const fftw_iodim64 axis = {n, ROW, ROW}, loop = {LINES, 1, 1};
  fftw_plan plan = fftw_plan_guru64_r2r(1, &axis, 1, &loop, x, y, &kinds[kind], FFTW_ESTIMATE);
  uint64_t state = kind;
  for (int i = 0; i < ALL; i++) x[i] = (float)test_random(&state), y[i] = 0;
  fftw_execute(plan);
  fftw_destroy_plan(plan);
  for (int beside = 0; beside < 2; beside++) {
    char text[TEXT] = "", words[64];
    double error = 0, norm = 0;
    s.in_place = !beside;
    for (int i = 0; i < ALL; i++)
      if (precision == MFFT_DOUBLE)
        stored[i + beside] = x[i];
      else
        ((float *)stored)[i + beside] = (float)x[i];
    transform_at(&s, text, stored, got, sizeof stored, beside * mfft_real_bytes(precision));
    snprintf(words, sizeof words, "over %d blocks, %d columns", blocks, columns);
    CHECK(strstr(text, words), "no '%s' in %s", words, text);
    for (int i = 0; i < n * ROW; i++) {
      const double value = precision == MFFT_DOUBLE ? got[i + beside] : ((float *)got)[i + beside];
      if (i % ROW < LINES) error += pow(value - y[i] / 2, 2), norm += pow(y[i] / 2, 2);
    }
    CHECK(sqrt(error) <= test_bound(precision, 2 * n) * sqrt(norm), "kind %d of %d in clusters of %d: off by %.3g", kind, n,
          blocks, sqrt(error / norm));
  }
}

/* Lines that move as pairs of numbers, in arrays that are not aligned for that: the results of aligned ones. */
static void check_unaligned(mfft_axis_kind kind, int by_line) {
  enum { LENGTH = 40, LINES = 12, ALL = LENGTH * LINES };
  static double x[ALL + 1], got[2][ALL + 1];
  const int64_t stride = by_line ? LINES : 1, distance = by_line ? 1 : LENGTH;
  mfft_fft_spec s = {.type = MFFT_FFT_R2R, .scale = 1, .naxes = 1, .nloops = 1, .in_place = 1};
  s.axis[0] = (mfft_dim){LENGTH, stride, stride};
  s.loop[0] = (mfft_dim){LINES, distance, distance};
  s.kind[0] = kind;
  mfft_fft *fft = NULL;
  double off = 0, norm = 0;
  uint64_t state = kind;
  CHECK_OK(mfft_backend_cuda.fft_create(&s, &fft));
  for (int i = 0; i <= ALL; i++) x[i] = test_random(&state);
  for (int beside = 0; beside < 2; beside++) {
    double *array = NULL;
    CHECK_OK(mfft_backend_cuda.alloc(sizeof x, (void **)&array));
    CHECK_OK(mfft_backend_cuda.upload(array + beside, x, ALL * sizeof *x));
    CHECK_OK(fft->backend->fft_execute(fft, array + beside, array + beside, NULL, NULL));
    CHECK_OK(mfft_backend_cuda.synchronize(NULL));
    CHECK_OK(mfft_backend_cuda.download(got[beside], array + beside, ALL * sizeof *x));
    mfft_backend_cuda.free(array);
  }
  for (int i = 0; i < ALL; i++) off += pow(got[1][i] - got[0][i], 2), norm += pow(got[0][i], 2);
  CHECK(sqrt(off) <= 1e-15 * sqrt(norm), "kind %d, by %s, unaligned: off by %g", kind, by_line ? "line" : "element",
        sqrt(off / norm));
  fft->backend->fft_destroy(fft);
}

/* One pass an axis, with its kind; DFTs come first.  Lines of types II and III are in pairs. */
static void check_text(void) {
  static const char *const words[] = {", then dct2 by 32 (", ", then dct3 by 32 (", ", then dst4 by 24 ("};
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  char text[8192] = "";
  size_t bytes = 0;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 3, d.kind = MFFT_R2C, d.n[0] = 32, d.n[1] = 48, d.n[2] = 64;
  d.axis_kind[0] = MFFT_DCT2, d.axis_kind[1] = MFFT_DST4;
  options.backend = "cuda", options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_plan_workspace_bytes(plan, &bytes));
  CHECK(bytes == 0, "%zu bytes of workspace for axes of one pass", bytes);
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  for (int i = 0; i < 3; i++) CHECK(strstr(text, words[i]), "no '%s' in %s", words[i], text);
  mfft_plan_destroy(plan);
  options.radices = "16,2x8,6x8,8";
  CHECK_FAILS(mfft_plan_create(&d, &options, &plan), MFFT_ERR_UNSUPPORTED, "radices of an axis of dct2");
}

/* Cases that compile their few kernels as they run, so they are not compiled beforehand. */
static void check_others(void) {
  if (compiles_only()) return;
  for (int kind = MFFT_DCT1; kind <= MFFT_DST4; kind++)
    if (!test_small() || test_sampled()) check_pieces((mfft_axis_kind)kind, kind % 2);
  for (int kind = MFFT_DCT2; kind <= MFFT_DST4; kind++)
    for (int by_line = 0; by_line < 2; by_line++)
      if (kind != MFFT_DST1 && (!test_small() || test_sampled())) check_unaligned((mfft_axis_kind)kind, by_line);
  if (!test_small() || test_sampled()) check_columns(MFFT_DCT2, 1024, MFFT_DOUBLE, 4);
  if (!test_small() || test_sampled()) check_columns(MFFT_DST3, 1024, MFFT_DOUBLE, 8);
  if (!test_small() || test_sampled()) check_columns(MFFT_DST2, 2048, MFFT_SINGLE, 4);
  if (!test_small() || test_sampled()) check_columns(MFFT_DCT3, 2048, MFFT_SINGLE, 2);
  if (!test_small() || test_sampled()) check_columns(MFFT_DCT4, 1024, MFFT_DOUBLE, 4);
  if (!test_small() || test_sampled()) check_columns(MFFT_DST4, 2048, MFFT_SINGLE, 8);
  check_parts(0);
  check_parts(1);
  check_text();
}

/* Lines of one pass and of several, and such as Bluestein's algorithm does. */
static void check_long(void) {
  for (int kind = MFFT_DCT1; kind <= MFFT_DST4 && !test_small(); kind++)
    for (int p = 0; p < 4; p++) {
      check_lines((mfft_axis_kind)kind, 4096, (mfft_precision)p, 512, p % 2, MFFT_IN_PLACE);
      check_lines((mfft_axis_kind)kind, 1 << 20, (mfft_precision)p, 1, 0, MFFT_OUT_OF_PLACE);
      check_lines((mfft_axis_kind)kind, 30011, (mfft_precision)p, 3, 0, MFFT_OUT_OF_PLACE);
    }
}

static void check_shortest(void) { check_lengths(1, test_small() ? 0 : 32); }
static void check_short(void) { check_lengths(33, test_small() ? 0 : 48); }
static void check_longer(void) { check_lengths(49, test_small() ? 0 : 64); }

int main(int argc, char **argv) {
  static void (*const part[])(void) = {check_few,      check_others, check_long,
                                       check_shortest, check_short,  check_longer}; /* [6] */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  if (argc == 4)
    check_lengths(atoll(argv[2]), atoll(argv[3]));
  else
    for (int i = 0; i < 6; i++)
      if (argc < 3 || atoi(argv[2]) == i) part[i]();
  return test_end();
}
#endif
