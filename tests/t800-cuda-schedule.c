// TEST timeout=300
/* Every schedule computes the transform: its passes are executed on the CPU, line by line with direct sums, and compared
 * with FFTW.  This checks index maps, twiddle orders, buffers and packing without a GPU. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/planner/lengths.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "play_schedule.h"

/* rank-dimensional packed batch, both directions, in and out of place. */
static void sweep(int rank, const int64_t *n, int64_t batch, const mfft_device_limits *limits) {
  for (int type = 0; type < 3; type++)
    for (int mode = 0; mode < 4; mode++) {
      if (type == 1 && mode & 1) continue;
      mfft_fft_spec s = {.type = (mfft_fft_type)type, .precision = MFFT_DOUBLE, .scale = 1, .naxes = rank, .nloops = 1};
      s.direction = type == 2 || (mode & 1) ? MFFT_BACKWARD : MFFT_FORWARD;
      s.in_place = mode >> 1;
      s.destroy_input = type == 2 && (mode & 1);
      int64_t half = n[rank - 1] / 2 + 1, is = 1, os = 1;
      for (int a = rank - 1; a >= 0; a--) {
        s.axis[a] = (mfft_dim){n[a], is, os};
        int64_t real_row = s.in_place ? 2 * half : n[a];
        is *= a < rank - 1 ? n[a] : type == 0 ? n[a] : type == 1 ? real_row : half;
        os *= a < rank - 1 ? n[a] : type == 0 ? n[a] : type == 1 ? half : real_row;
      }
      s.loop[0] = (mfft_dim){batch, is, os};
      check(&s, limits);
    }
}

/* Prime factors that no butterfly has: in a block, in several passes, split from small factors, beside other axes, and
 * spread out. */
static void primes(const mfft_device_limits *small) {
  static const int64_t in_a_block[] = {37, 41, 74}, longer[] = {67, 134, 16 * 37},
                       shapes[][3] = {{37, 6, 1}, {4, 41, 1}, {2, 74, 3}};
  for (int i = 0; i < 3; i++) sweep(1, &in_a_block[i], 3 - i, &mfft_limits_sm90);
  for (int i = 0; i < 3; i++) sweep(1, &longer[i], 1 + i % 2, small);
  sweep(1, &longer[0], 3, small);
  for (int i = 0; i < 3; i++) sweep(shapes[i][2] > 1 ? 3 : 2, shapes[i], 1, i ? &mfft_limits_sm90 : small);
  mfft_fft_spec spread = {.precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .axis[0] = {61, 7, 9}, .nloops = 2};
  spread.loop[0] = (mfft_dim){2, 500, 600};
  spread.loop[1] = (mfft_dim){3, 1, 1};
  check(&spread, &mfft_limits_sm90);
  spread.type = MFFT_FFT_R2C;
  check(&spread, &mfft_limits_sm90);
  check(&spread, small); /* lines side by side, of several passes */
  spread.type = MFFT_FFT_C2R, spread.direction = MFFT_BACKWARD;
  check(&spread, small);
  spread.loop[0].n = 1; /* three lines, in pairs */
  check(&spread, small);
}

/* Every length has a schedule, of few lines and of as many as fill a GPU, whose passes multiply to what they should: 1 to
 * 8192, and some to 2^27. */
static void plan_of(mfft_fft_type type, mfft_precision precision, int64_t n, int64_t apart, int64_t lines) {
  mfft_fft_spec s = {
      .type = type, .precision = precision, .scale = 1, .naxes = 1, .axis[0] = {n, apart, apart}, .nloops = 1};
  mfft_schedule schedule;
  char text[512];
  s.direction = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  s.loop[0] = (mfft_dim){lines, apart > 1 ? 1 : n + 2, apart > 1 ? 1 : n + 2};
  CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(schedule.count > 0 || n == 1, "%lld has no passes", (long long)n);
  for (int i = 0; i < schedule.count; i++) {
    const mfft_pass *p = &schedule.pass[i];
    const mfft_kernel *k = &p->kernel;
    int64_t product = 1;
    for (int m = 0; m < k->chain.merges; m++) product *= k->chain.radix[m];
    CHECK(k->engine == MFFT_ENGINE_REAL || product == k->chain.n, "radices of %d in %s", k->chain.n, text);
    const int64_t least = k->bluestein.steps & MFFT_BLUESTEIN_RADER ? p->bluestein.n - 1 : 2 * p->bluestein.n - 1;
    CHECK(!k->bluestein.steps || k->engine == MFFT_ENGINE_REAL || p->bluestein.m >= least, "%s: %lld convolved in %lld",
          text, (long long)p->bluestein.n, (long long)p->bluestein.m);
    CHECK(k->tile.shared_bytes <= mfft_limits_sm90.shared_bytes && k->chain.lines * k->chain.threads <= 1024, "%s", text);
  }
}

static void every_length(void) {
  uint64_t seed = 3;
  for (int64_t n = 1; n <= 8192; n++) {
    const mfft_fft_type type = (mfft_fft_type)(n % 3);
    const mfft_precision precision = n / 3 % 2 ? MFFT_SINGLE : MFFT_DOUBLE;
    const int64_t apart = n % 5 == 0 ? 7 : 1;
    plan_of(type, precision, n, apart, apart > 1 ? apart : 3);
    if (n % 8 == 1 || mfft_rest_of_length(n) > 1) plan_of(type, precision, n, 1, (INT64_C(1) << 26) / n);
  }
  for (int64_t n = 1025; n < 2048; n += 2) /* real columns, of which a block holds half of the numbers */
    plan_of((mfft_fft_type)(1 + n / 2 % 2), MFFT_HALF, n, 40000, 40000);
  for (int i = 0; i < 300; i++) {
    const double bits = 12 + 15 * (test_random(&seed) + 0.5);
    plan_of((mfft_fft_type)(i % 3), (mfft_precision)(i / 3 % 4), (int64_t)exp2(bits), 1, 3);
  }
}

static void refusals(void) {
  static const struct {
    int64_t n, scrambled;
    const char *words;
  } refused[] = {{2147483647, 0, "length 2147483647 has prime factors beyond 31"},
                 {4294967296, 0, "length 4294967296 exceeds 2147483647; use a shorter one, or backend"},
                 {37 * 64, 64, "length 2368 has the prime factor 37;"},
                 {1048575 * 41, 41, "length 42991575 has the prime factor 41;"},
                 {37 * 41 * 43, 41, "has the prime factors 37, 41 and 43;"}};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    mfft_fft_spec spec = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 1, .axis[0] = {refused[i].n, 1, 1}};
    mfft_schedule schedule;
    spec.scrambled = refused[i].scrambled;
    CHECK_FAILS(mfft_schedule_make(&spec, &mfft_limits_sm90, &schedule), MFFT_ERR_UNSUPPORTED, refused[i].words);
  }
  mfft_fft_spec many = {.precision = MFFT_DOUBLE,
                        .scale = 1,
                        .naxes = 1,
                        .axis[0] = {1024, 1, 1},
                        .nloops = 1,
                        .loop[0] = {INT64_C(1) << 46, 1024, 1024}};
  mfft_schedule schedule;
  CHECK_FAILS(mfft_schedule_make(&many, &mfft_limits_sm90, &schedule), MFFT_ERR_UNSUPPORTED,
              "blocks, and one launch takes 2147483647; use smaller arrays or more ranks");
}

int main(void) {
  /* A device with little shared memory divides lengths that are short enough for a test. */
  mfft_device_limits small = mfft_limits_sm90;
  small.shared_bytes = 8192 + 17 * 16 * 16; /* 256 elements of double, 16 a strided line */
  for (int64_t n = 1; n <= 130; n++) {
    if (mfft_rest_of_length(n) == 1) sweep(1, &n, 3, &mfft_limits_sm90);
  }
  static const int64_t longer[] = {144, 150, 192, 195, 243, 256, 270, 360, 512, 625, 1001, 1024, 1344}; /* [13] */
  for (int i = 0; i < 13; i++) sweep(1, &longer[i], 2, &small);
  static const int64_t shapes[][3] = {{6, 10, 1}, {16, 16, 1}, {5, 9, 1}, {48, 30, 1}, {20, 256, 1}}; /* [5] */
  for (int i = 0; i < 5; i++) sweep(2, shapes[i], 2, &small);
  static const int64_t cubes[][3] = {{4, 6, 8}, {3, 5, 7}, {18, 20, 2}, {2, 3, 150}}; /* [4] */
  for (int i = 0; i < 4; i++) sweep(3, cubes[i], 2, &small);

  /* Strides that are not packed: batch fastest, a column of a matrix, gaps between all elements. */
  mfft_fft_spec inner = {.precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .axis[0] = {60, 7, 9}, .nloops = 2};
  inner.loop[0] = (mfft_dim){3, 500, 600};
  inner.loop[1] = (mfft_dim){7, 1, 1};
  check(&inner, &mfft_limits_sm90);
  check(&inner, &small);
  mfft_fft_spec spread = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 2, .nloops = 1, .direction = MFFT_BACKWARD};
  spread.axis[0] = (mfft_dim){12, 100, 3};
  spread.axis[1] = (mfft_dim){30, 2, 50};
  spread.loop[0] = (mfft_dim){4, 1300, 2000};
  check(&spread, &mfft_limits_sm90);

  /* Clusters, by name: lines, planes, planes of a 3D array, planes with gaps between them. */
  static const int64_t in_clusters[][3] = {{512, 1, 1}, {4096, 1, 1}, {32, 64, 1}, {64, 32, 1}, {3, 32, 32}}; /* [5] */
  for (int i = 0; i < 5; i++)
    for (int blocks = 1; blocks <= 8; blocks *= 2) {
      const int64_t *n = in_clusters[i];
      mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 0.25, .naxes = n[2] > 1 ? 3 : n[1] > 1 ? 2 : 1, .nloops = 1};
      int64_t stride = 1;
      for (int a = s.naxes - 1; a >= 0; stride *= n[a--]) s.axis[a] = (mfft_dim){n[a], stride, stride};
      s.loop[0] = (mfft_dim){2, stride + 5, stride};
      s.cluster = blocks;
      mfft_schedule schedule;
      CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
      int takes = 0;
      for (int k = 0; k < schedule.count; k++) takes |= schedule.pass[k].kernel.cluster.blocks == blocks;
      CHECK(takes || blocks > 1, "%lld x %lld: no cluster of %d", (long long)n[0], (long long)n[1], blocks);
      check(&s, &mfft_limits_sm90);
    }

  /* Columns in clusters, by name: of planes, of cubes, of half spectra; in several passes; with gaps. */
  mfft_device_limits coarse = mfft_limits_sm90; /* whose segments make short lines long */
  coarse.segment_bytes = 512;
  static const struct {
    mfft_fft_type type;
    int64_t n[3];
    int passes; /* of columns */
  } tall[] = {{MFFT_FFT_C2C, {256, 70, 1}, 1}, {MFFT_FFT_C2C, {256, 3, 64}, 1},
              {MFFT_FFT_C2C, {2, 256, 33}, 1}, {MFFT_FFT_R2C, {256, 150, 1}, 1},
              {MFFT_FFT_C2R, {256, 60, 1}, 1}, {MFFT_FFT_C2C, {1 << 16, 1, 1}, 0}}; /* [6] */
  for (int i = 0; i < 6; i++)
    for (int blocks = 1; blocks <= 4; blocks *= 2) {
      const int64_t *n = tall[i].n;
      mfft_fft_spec s = {.type = tall[i].type, .precision = MFFT_DOUBLE, .scale = 0.25, .nloops = 1};
      s.direction = s.type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
      s.naxes = n[2] > 1 ? 3 : n[1] > 1 ? 2 : 1;
      int64_t is = 1, os = 1, half = n[s.naxes - 1] / 2 + 1;
      for (int a = s.naxes - 1, last = 1; a >= 0; a--, last = 0) {
        s.axis[a] = (mfft_dim){n[a], is, os};
        is *= last && s.type == MFFT_FFT_C2R ? half : n[a];
        os *= last && s.type == MFFT_FFT_R2C ? half : n[a];
      }
      s.loop[0] = (mfft_dim){2, is + 6, os};
      s.columns = blocks;
      mfft_schedule schedule;
      CHECK_OK(mfft_schedule_make(&s, &coarse, &schedule));
      int passes = 0;
      for (int k = 0; k < schedule.count; k++) passes += schedule.pass[k].kernel.cluster.columns > 1;
      CHECK(passes >= tall[i].passes, "case %d: %d passes of columns by %d blocks", i, passes, blocks);
      check(&s, &coarse);
    }

  primes(&small);
  every_length();
  refusals();
  return test_end();
}
#endif
