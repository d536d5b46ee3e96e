// TEST labels=cuda timeout=600
/* Single and double on tensor cores, by name: every power of two, shapes, strides, and inputs beyond the range of halves.
 * Each line of a batch must meet the bound alone, also together with lines of another size. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"

static void powers_of_two(void) {
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
    for (int bits = 4; bits <= 20; bits++)
      for (int direction = 0; direction < 2; direction++) {
        int64_t n = 1ll << bits;
        mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, (mfft_direction)direction, (mfft_precision)p, 1, &n, bits < 12 ? 67 : 3,
                                      (bits + direction) % 2);
        s.compute = MFFT_COMPUTE_TENSOR;
        s.scale = direction ? 1.0 / (double)n : 1;
        gpu_check(&s, (uint64_t)n);
      }
}

static void shapes(void) {
  static const int64_t n[][3] = {{16, 16, 0},  {256, 256, 0}, {512, 256, 0}, {1024, 64, 0}, {8192, 16, 0},
                                 {32, 32, 32}, {64, 64, 64},  {20, 32, 48},  {128, 64, 32}, {16, 4096, 2}}; /* [10] */
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
    for (int i = 0; i < 10; i++)
      for (int type = 0; type < 3; type++) {
        mfft_direction direction = type == 2 || (type == 0 && i % 2) ? MFFT_BACKWARD : MFFT_FORWARD;
        mfft_fft_spec s =
            packed_spec((mfft_fft_type)type, direction, (mfft_precision)p, n[i][2] ? 3 : 2, n[i], i % 3 + 1, i % 2);
        s.compute = MFFT_COMPUTE_TENSOR;
        gpu_check(&s, 11);
      }
}

static void strides(void) {
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
    mfft_fft_spec s = {
        .precision = (mfft_precision)p, .compute = MFFT_COMPUTE_TENSOR, .scale = 0.5, .naxes = 1, .nloops = 2};
    s.axis[0] = (mfft_dim){64, 9, 11};
    s.loop[0] = (mfft_dim){5, 600, 800};
    s.loop[1] = (mfft_dim){7, 1, 1};
    gpu_check(&s, 1);
    s.nloops = 1;
    s.axis[0] = (mfft_dim){128, 1, 70}; /* turned */
    s.loop[0] = (mfft_dim){70, 128, 1};
    gpu_check(&s, 1);
    s.direction = MFFT_BACKWARD;
    s.axis[0] = (mfft_dim){256, 33, 1}; /* and back, with odd distances */
    s.loop[0] = (mfft_dim){33, 1, 257};
    gpu_check(&s, 1);
    s.axis[0] = (mfft_dim){1 << 15, 5, 3};
    s.loop[0] = (mfft_dim){3, 1, 1};
    gpu_check(&s, 1);
  }
}

static void extreme_inputs(void) {
  static const int64_t lengths[] = {16, 64, 256, 2048, 16384, 1 << 17}; /* [6] */
  for (int i = 0; i < 6; i++)
    for (int input = CASE_TINY; input < CASE_INPUTS; input++) {
      if (input == CASE_DENORMAL && lengths[i] > 16384) continue; /* rounded between passes too */
      mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 1, &lengths[i], 5, 0);
      s.compute = MFFT_COMPUTE_TENSOR;
      gpu_check_of(&s, (case_input)input, 3);
    }
}

/* Adjacent lines of sizes 1e-30 ... 1e30, along the line and across; each is as accurate as if it were alone. */
static void lines_apart(void) {
  enum { N = 1024, LINES = 48 };
  for (int strided = 0; strided < 2; strided++) {
    mfft_fft_spec s = {.precision = MFFT_SINGLE, .compute = MFFT_COMPUTE_TENSOR, .scale = 1, .naxes = 1, .nloops = 1};
    int64_t step = strided ? LINES : 1, apart = strided ? 1 : N;
    s.axis[0] = (mfft_dim){N, step, step};
    s.loop[0] = (mfft_dim){LINES, apart, apart};
    if (compile_only(&s)) continue;
    transform_case c;
    CHECK(case_make(&c, &s, 5), "FFTW");
    float *in = c.in, *got = malloc((size_t)c.out_reals * sizeof *got);
    for (int line = 0; line < LINES; line++)
      for (int i = 0; i < 2 * N; i++)
        in[2 * (line * apart + i / 2 * step) + i % 2] *= (float)pow(10, line * 60.0 / (LINES - 1) - 30);
    int ran = gpu_transform(&c, got);
    CHECK(ran, "%s", mfft_last_error());
    for (int line = 0; ran && line < LINES; line++) {
      /* the truth of the rounded numbers: scaling the truth would give an error in the last bit */
      double *wide = fftw_malloc(2 * N * sizeof *wide), error = 0, size = 0;
      fftw_plan plan = fftw_plan_dft_1d(N, (fftw_complex *)wide, (fftw_complex *)wide, FFTW_FORWARD, FFTW_ESTIMATE);
      for (int i = 0; i < 2 * N; i++) wide[i] = (double)in[2 * (line * apart + i / 2 * step) + i % 2];
      fftw_execute(plan);
      for (int i = 0; i < 2 * N; i++) {
        double d = (double)got[2 * (line * apart + i / 2 * step) + i % 2] - wide[i];
        error += d * d, size += wide[i] * wide[i];
      }
      error = sqrt(error / size);
      CHECK(error <= case_bound(&s), "line %d %s: error %.2e", line, strided ? "across" : "along", error);
      fftw_destroy_plan(plan);
      fftw_free(wide);
    }
    free(got);
    case_free(&c);
  }
}

/* Transforms that tensor cores cannot compute give an error. */
static void refused(void) {
  int64_t n = 100;
  mfft_fft *fft = NULL;
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 1, &n, 2, 0);
  s.compute = MFFT_COMPUTE_TENSOR;
  if (compile_only(&s)) return;
  CHECK_FAILS(mfft_backend_cuda.fft_create(&s, &fft), MFFT_ERR_UNSUPPORTED, "no axis of this transform");
}

/* A patient plan may use either engine, and is right with both. */
static void patient(void) {
  static const int64_t lengths[] = {256, 1 << 15, 100}; /* [3] */
  for (int p = 0; p < 4; p++)
    for (int i = 0; i < 3; i++) {
      mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, 1, &lengths[i], 7, i % 2);
      s.effort = MFFT_PATIENT;
      s.scale = 1.0 / 16;
      if (p < 2 || lengths[i] != 100) gpu_check(&s, 4);
    }
}

int main(int argc, char **argv) {
  static void (*const part[])(void) = {powers_of_two, shapes,  strides, extreme_inputs,
                                       lines_apart,   refused, patient}; /* [7] */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  for (int i = 0; i < 7; i++)
    if (argc < 2 || atoi(argv[1]) == i) part[i]();
  if (getenv("MFFT_TEST_VERBOSE")) printf("%d checks, %d failed\n", test_checks, test_failures);
  return test_end();
}
#endif
