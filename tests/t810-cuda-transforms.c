// TEST labels=cuda timeout=300 args=some,0
// TEST labels=cuda timeout=300 args=some,1
// TEST labels=cuda timeout=300 args=some,2
// TEST labels=cuda timeout=300 args=some,3
// TEST labels=cuda timeout=300 args=some,4
// TEST labels=cuda timeout=300 args=some,6
// TEST labels=cuda timeout=300 args=some,7
// TEST labels=cuda timeout=300 args=some,8
/* Transforms on the GPU against FFTW in double: powers of two, smooth lengths, real ones, batches of 1 to 65537, 2D and 3D,
 * strides, in place.
 *
 *   t810-cuda-transforms [some|all [part]]   all: every power of two to 2^27 and every smooth length to 4096.  part: 0 to 8,
 * or all but 5, which has one case of each kind.  They are cases of their own for ctest, since most of their time is that of
 * a compiler on one core. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/planner/schedule.h"

static int everything;

static int smooth(int64_t n) {
  static const int p[] = {2, 3, 5, 7, 11, 13}; /* [6] */
  for (int i = 0; i < 6; i++)
    while (n % p[i] == 0) n /= p[i];
  return n == 1;
}

static void one(mfft_precision p, int64_t n, int64_t batch, int in_place) {
  for (int direction = 0; direction < 2; direction++) {
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, (mfft_direction)direction, p, 1, &n, batch, in_place);
    gpu_check(&s, (uint64_t)n);
  }
}

static void powers_of_two(void) {
  for (int p = 0; p < 4; p++)
    for (int bits = 0; bits <= (everything ? 27 : 21); bits++) {
      int64_t n = 1ll << bits;
      if (bits > 22) {
        mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, 1, &n, 1, 0);
        gpu_check(&s, 7);
        continue;
      }
      one((mfft_precision)p, n, bits < 12 ? 67 : bits < 18 ? 3 : 1, bits & 1);
      one((mfft_precision)p, n, 2, !(bits & 1));
    }
}

/* In single and double; without "all" each length in one of them. */
static void smooth_lengths(void) {
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
    uint64_t seed = 5;
    for (int64_t n = 2; n <= 4096; n++)
      if (smooth(n) && (everything || ((n < 70 || n % 7 == 3) && p == (n % 3 == 0))))
        one((mfft_precision)p, n, 5, (int)(n % 2));
    for (int i = 0; i < (everything ? 200 : 10);) {
      int64_t n = 4096 + (int64_t)((test_random(&seed) + 0.5) * 3e6);
      if (!smooth(n)) continue;
      if (everything || p == i % 2) one((mfft_precision)p, n, 1, i / 2 % 2);
      i++;
    }
  }
}

static void real_transforms(void) {
  static const int64_t lengths[] = {1,    2,    3,    4,     5,     6,     8,     9,     15,     16,     24,   32,
                                    35,   60,   64,   100,   105,   128,   256,   343,   512,    1000,   1024, 2048,
                                    3003, 4096, 8192, 10000, 16384, 20475, 32768, 65536, 102400, 1 << 20}; /* [34] */
  for (int p = 0; p < 4; p++)
    for (int i = 0; i < 34; i++)
      for (int mode = 0; mode < 4; mode++) {
        int64_t n = lengths[i];
        if (p >= 2 && (n & (n - 1)) && n > 128) continue;
        mfft_fft_type type = mode & 1 ? MFFT_FFT_C2R : MFFT_FFT_R2C;
        mfft_fft_spec s =
            packed_spec(type, (mfft_direction)(mode & 1), (mfft_precision)p, 1, &n, n < 1000 ? 19 : 2, mode >> 1);
        if (p >= 2) s.scale = 0.25;
        gpu_check(&s, 3);
      }
}

/* Odd lengths, which one pass transforms between reals and the half spectrum; without "all" each in one of single and
 * double. */
static void odd_lengths(void) {
  static const int64_t lengths[] = {5,  7,  11,  13,  21,  25,   27,   33,   39,   45,  49,
                                    63, 81, 125, 243, 625, 1001, 2187, 3375, 4095, 6561}; /* [21] */
  static const int64_t shapes[][3] = {{12, 45, 0}, {9, 81, 0},    {64, 125, 0},
                                      {3, 5, 7},   {16, 20, 105}, {30, 1, 243}}; /* [6] */
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
    for (int mode = 0; mode < 4; mode++) {
      const mfft_fft_type type = mode & 1 ? MFFT_FFT_C2R : MFFT_FFT_R2C;
      for (int i = 0; i < 21; i++) {
        if (!everything && (i + mode / 2) % 2 != p) continue;
        mfft_fft_spec s = packed_spec(type, (mfft_direction)(mode & 1), (mfft_precision)p, 1, &lengths[i],
                                      i % 3 == 0   ? 1
                                      : i % 3 == 1 ? 3
                                                   : 67,
                                      mode >> 1);
        gpu_check(&s, 5);
      }
      for (int i = 0; i < 6; i++) {
        const int64_t *n = shapes[i];
        if (!everything && (i + mode / 2) % 2 != p) continue;
        mfft_fft_spec s =
            packed_spec(type, (mfft_direction)(mode & 1), (mfft_precision)p, n[2] ? 3 : 2, n, i % 2 + 1, mode >> 1);
        s.destroy_input = mode == 1 && i % 2;
        gpu_check(&s, 5);
      }
    }
}

static void many_dimensions(void) {
  static const int64_t shapes[][3] = {{16, 16, 0},   {256, 256, 0}, {256, 512, 0}, {512, 256, 0}, {1024, 64, 0},
                                      {2048, 32, 0}, {8192, 16, 0}, {30, 42, 0},   {7, 1000, 0},  {8, 8, 8},
                                      {32, 32, 32},  {64, 64, 64},  {20, 30, 50},  {2, 3, 5},     {128, 64, 32},
                                      {100, 1, 12},  {1, 1, 9},     {48, 96, 144}, {3, 4096, 2}}; /* [19] */
  for (int p = 0; p < 4; p++)
    for (int i = 0; i < 19; i++)
      for (int type = 0; type < 3; type++)
        for (int in_place = 0; in_place < 2; in_place++) {
          const int64_t *n = shapes[i];
          mfft_direction d = type == 2 || (type == 0 && i % 2) ? MFFT_BACKWARD : MFFT_FORWARD;
          mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, (mfft_precision)p, n[2] ? 3 : 2, n, i % 3 + 1, in_place);
          s.destroy_input = type == 2 && i % 2;
          s.scale = p >= 2 ? 1.0 / 64 : 1;
          gpu_check(&s, 11);
        }
}

static void strides(void) {
  for (int p = 0; p < 4; p++) {
    mfft_fft_spec inner = {.effort = MFFT_ESTIMATE,
                           .precision = (mfft_precision)p,
                           .scale = 0.5,
                           .naxes = 1,
                           .axis[0] = {64, 9, 11},
                           .nloops = 2};
    inner.loop[0] = (mfft_dim){5, 600, 800};
    inner.loop[1] = (mfft_dim){7, 1, 1};
    gpu_check(&inner, 1);
    mfft_fft_spec turned = {.effort = MFFT_ESTIMATE,
                            .precision = (mfft_precision)p,
                            .scale = 1,
                            .naxes = 1,
                            .axis[0] = {128, 1, 70},
                            .nloops = 1};
    turned.loop[0] = (mfft_dim){70, 128, 1};
    gpu_check(&turned, 1);
    mfft_fft_spec back = {.effort = MFFT_ESTIMATE,
                          .precision = (mfft_precision)p,
                          .scale = 1,
                          .naxes = 1,
                          .axis[0] = {256, 33, 1},
                          .nloops = 1,
                          .direction = MFFT_BACKWARD};
    back.loop[0] = (mfft_dim){33, 1, 257};
    gpu_check(&back, 1);
    mfft_fft_spec spread = {.effort = MFFT_ESTIMATE,
                            .precision = (mfft_precision)p,
                            .scale = 1,
                            .naxes = 2,
                            .nloops = 3,
                            .direction = MFFT_BACKWARD};
    spread.axis[0] = (mfft_dim){16, 400, 3};
    spread.axis[1] = (mfft_dim){32, 2, 50};
    spread.loop[0] = (mfft_dim){3, 7000, 4000};
    spread.loop[1] = (mfft_dim){2, 80000, 50000};
    spread.loop[2] = (mfft_dim){2, 1, 1700};
    gpu_check(&spread, 1);
    mfft_fft_spec longer = {.effort = MFFT_ESTIMATE,
                            .precision = (mfft_precision)p,
                            .scale = 1.0 / 4096,
                            .naxes = 1,
                            .axis[0] = {1 << 15, 5, 3},
                            .nloops = 1};
    longer.loop[0] = (mfft_dim){3, 1, 1};
    gpu_check(&longer, 1);
  }
}

/* Few and many of them: those that fill no block, and more than a dimension of a grid once held. */
static void batches(void) {
  static const int64_t lengths[] = {16, 256, 4096}; /* [3] */
  for (int p = 0; p < 4; p++)
    for (int type = 0; type < 3; type++) {
      const mfft_direction d = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
      for (int i = 0; i < 3; i++)
        for (int64_t batch = 1; batch <= 7; batch += batch < 3 ? 1 : 4) {
          mfft_fft_spec s = packed_spec((mfft_fft_type)type, d, (mfft_precision)p, 1, &lengths[i], batch, 0);
          gpu_check(&s, (uint64_t)batch);
        }
      mfft_fft_spec many = packed_spec((mfft_fft_type)type, d, (mfft_precision)p, 1, lengths, 65537, type == 0);
      gpu_check(&many, 1);
    }
}

/* One spec in clusters of every size that can hold it. */
static void in_clusters(const mfft_fft_spec *spec) {
  for (int blocks = 1; blocks <= 16; blocks *= 2)
    for (int values = 16; values <= 32; values += 16) { /* of a thread */
      mfft_fft_spec s = *spec;
      mfft_schedule schedule;
      s.cluster = blocks, s.cluster_values = values;
      s.direction = (mfft_direction)(blocks % 3 == 1);
      int takes = 0;
      CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
      for (int i = 0; i < schedule.count; i++) takes |= schedule.pass[i].kernel.cluster.blocks == blocks;
      if (takes) gpu_check(&s, (uint64_t)blocks);
    }
}

/* One spec with its long columns in clusters of every size. */
static void in_columns(const mfft_fft_spec *spec) {
  for (int blocks = 1; blocks <= 16; blocks *= 2)
    for (int values = 16; values <= 32; values += 16) {
      mfft_fft_spec s = *spec;
      mfft_schedule schedule;
      s.columns = blocks, s.cluster_values = values;
      s.direction = (mfft_direction)(blocks % 3 == 1);
      int takes = 0;
      CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
      for (int i = 0; i < schedule.count; i++) takes |= schedule.pass[i].kernel.cluster.columns > 1;
      if (takes) gpu_check(&s, (uint64_t)blocks);
    }
}

static void clusters(void) {
  static const int64_t planes[][3] = {{32, 16, 0},    {64, 64, 0},   {128, 64, 0},  {128, 256, 0},
                                      {256, 256, 0},  {256, 512, 0}, {512, 256, 0}, {1024, 64, 0},
                                      {512, 1024, 0}, {3, 64, 128},  {20, 128, 256}}; /* [11] */
  for (int p = 0; p < 2; p++) {
    for (int bits = 9; bits <= 19; bits++) {
      int64_t n = 1ll << bits;
      mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, 1, &n, bits & 1 ? 1 : 3, bits % 3 == 0);
      if (bits % 4 == 0) s.scale = 1.0 / (double)n;
      in_clusters(&s);
    }
    for (int i = 0; i < 11; i++) {
      mfft_fft_spec s =
          packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, planes[i][2] ? 3 : 2, planes[i], i % 3 + 1, i % 2);
      in_clusters(&s);
    }
    /* Arrays with gaps between them, and rows with gaps. */
    mfft_fft_spec apart = {.effort = MFFT_ESTIMATE, .precision = (mfft_precision)p, .scale = 0.5, .naxes = 2, .nloops = 2};
    apart.axis[0] = (mfft_dim){64, 140, 131};
    apart.axis[1] = (mfft_dim){128, 1, 1};
    apart.loop[0] = (mfft_dim){2, 60000, 50000};
    apart.loop[1] = (mfft_dim){3, 9000, 8400};
    in_clusters(&apart);
    /* Long columns, of which the last fill no tile; of half spectra too. */
    static const int64_t tall[][3] = {{1024, 40, 0}, {2048, 100, 0}, {4096, 30, 0},
                                      {8192, 33, 0}, {2048, 3, 70},  {3, 4096, 50}}; /* [6] */
    for (int i = 0; i < 6; i++)
      for (int type = 0; type < 3; type++) {
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, MFFT_FORWARD, (mfft_precision)p, tall[i][2] ? 3 : 2, tall[i],
                                      i % 2 + 1, (i + type) % 2);
        if (type == 0) in_columns(&s);
        s.columns = 8;
        if (type == 2) s.direction = MFFT_BACKWARD;
        gpu_check(&s, 1);
      }
  }
  mfft_fft_spec many = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 2, planes[0], 65537, 0);
  many.cluster = 2;
  if (everything) gpu_check(&many, 1);
}

/* One case of every kind, small: for compute-sanitizer, which is slow. */
static void a_few(void) {
  static const int64_t lengths[] = {2, 13, 16, 30, 32, 64, 100, 128, 256, 512, 1001, 2048, 1 << 15}; /* [13] */
  static const int64_t shapes[][3] = {{16, 48, 0}, {256, 64, 0}, {8, 32, 20}};                       /* [3] */
  for (int p = 0; p < 4; p++) {
    for (int i = 0; i < 13; i++)
      for (int type = 0; type < 3; type++) {
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, type == 2 ? MFFT_BACKWARD : MFFT_FORWARD, (mfft_precision)p, 1,
                                      &lengths[i], 3, i % 2);
        if (p >= 2) s.scale = 1.0 / 16;
        gpu_check(&s, 1);
      }
    for (int i = 0; i < 3; i++)
      for (int type = 0; type < 3; type++) {
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, type == 2 ? MFFT_BACKWARD : MFFT_FORWARD, (mfft_precision)p,
                                      shapes[i][2] ? 3 : 2, shapes[i], 2, i % 2);
        if (p >= 2) s.scale = 1.0 / 16;
        gpu_check(&s, 1);
      }
  }
  for (int p = 0; p < 2; p++) { /* a line and a plane in a cluster */
    static const int64_t plane[2] = {64, 32}, line = 1 << 12;
    for (int variant = 0; variant < 2; variant++) {
      mfft_fft_spec s =
          packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, variant & 1 ? 2 : 1, variant & 1 ? plane : &line, 2, 0);
      s.cluster = 4;
      gpu_check(&s, 1);
    }
    static const int64_t tall[2] = {1024, 84}; /* columns */
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, 2, tall, 2, p);
    s.columns = 4;
    gpu_check(&s, 1);
  }
}

int main(int argc, char **argv) {
  static void (*const part[])(void) = {powers_of_two, smooth_lengths, real_transforms, many_dimensions, strides,
                                       a_few,         clusters,       batches,         odd_lengths}; /* [9] */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  everything = argc > 1 && !strcmp(argv[1], "all");
  for (int i = 0; i < 9; i++)
    if (argc < 3 ? i != 5 : atoi(argv[2]) == i) part[i]();
  if (getenv("MFFT_TEST_VERBOSE")) printf("%d checks, %d failed\n", test_checks, test_failures);
  return test_end();
}
#endif
