// TEST timeout=300
/* The passes, parts and segments that plans have by rule, and the steps from part to part of a scattered transform. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/planner/print.h"
#include "play_schedule.h"

/* None of three passes over the whole array is in place, unless the transform is. */
static void check_places(void) {
  for (int in_place = 0; in_place < 2; in_place++) {
    mfft_fft_spec s = {.precision = MFFT_HALF, .scale = 1, .naxes = 1, .axis[0] = {1 << 27, 1, 1}, .in_place = in_place};
    mfft_phases phases;
    int stay = 0;
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    const mfft_schedule *schedule = &phases.phase[0].schedule;
    for (int i = 0; i < schedule->count; i++) stay += schedule->pass[i].src == schedule->pass[i].dst;
    CHECK(phases.count == 1 && schedule->count == 3 && stay == in_place, "%d of %d passes stay", stay, schedule->count);
  }
}

/* Parts of a long line take lines side by side that fill a segment of 128 bytes, of any length of the line: of fewer a GPU
 * reads and writes the same sectors again. */
static void check_segments(void) {
  static const int64_t n[] = {10000000, 100000000, 1000000000, 244140625, 129140163, 60466176, 1 << 26};
  for (size_t i = 0; i < sizeof n / sizeof *n; i++)
    for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
      mfft_phases phases;
      const mfft_fft_spec s = {.precision = (mfft_precision)p,
                               .scale = 1,
                               .naxes = 1,
                               .axis[0] = {n[i], 1, 1},
                               .nloops = 1,
                               .loop[0] = {1, n[i], n[i]}};
      CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
      for (int k = 0; k < phases.count; k++) {
        const mfft_phase *phase = &phases.phase[k];
        const int64_t in = phase->in_step_bytes[0], out = phase->out_step_bytes[0];
        CHECK(phase->parts[0] == 1 || (in < out ? in : out) >= 128, "%lld: segments of %lld bytes", (long long)n[i],
              (long long)(in < out ? in : out));
      }
      const int at_best = n[i] != 244140625 && n[i] != 1000000000 && n[i] != 129140163;
      CHECK(!at_best || phases.count == 2, "%lld is not done in parts", (long long)n[i]);
    }
}

/* A large scattered transform runs in parts: from part to part each share advances by its own distances. */
static void check_scattered_parts(void) {
  enum { X = 24, Y = 500, Z = 2048, COUNT = 3 };
  mfft_fft_spec s = {.precision = MFFT_SINGLE, .scale = 1, .naxes = 2, .nloops = 1, .scatter.count = COUNT};
  s.axis[0] = (mfft_dim){Y, Z, Z};
  s.axis[1] = (mfft_dim){Z, 1, 1};
  s.loop[0] = (mfft_dim){X, (int64_t)Y * Z, (int64_t)Y * Z};
  for (int i = 0; i < COUNT; i++) {
    const int64_t rows = mfft_part(Y, i + 1, COUNT) - mfft_part(Y, i, COUNT), stride[] = {Z, 1, rows * Z};
    memcpy(s.scatter.stride[i], stride, sizeof stride);
  }
  mfft_phases phases;
  mfft_fft_spec tall = s; /* columns of which a block holds half a segment are stored nevertheless */
  tall.axis[0].n = 2048;
  CHECK_OK(mfft_phases_make(&tall, &mfft_limits_sm90, &phases));
  CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
  const mfft_phase *p = &phases.phase[0];
  CHECK(phases.count == 1 && p->parts[0] > 1 && p->parts[1] == 1 && p->schedule.count == 2, "%lld parts",
        (long long)p->parts[0]);
  CHECK(p->schedule.pass[1].kernel.scatter.shares == COUNT && !p->schedule.pass[1].kernel.scatter.uniform, "no shares");
  CHECK(8 * p->schedule.pass[1].kernel.chain.lines >= 128, "segments of %d bytes",
        8 * p->schedule.pass[1].kernel.chain.lines);
  for (int i = 0; i < COUNT; i++) {
    CHECK(p->share_step_bytes[0][i] * p->parts[0] == 8 * X * s.scatter.stride[i][2], "share %d", i);
    CHECK(p->share_first_bytes[i] == -8 * mfft_part(Y, i, COUNT) * Z, "share %d", i);
  }
}

typedef struct passes_of {
  mfft_precision precision;
  int64_t n[3], batch;
  const char *passes; /* what is part of their names */
} passes_of;

static void check_passes(const passes_of *c, mfft_compute compute) {
  const int64_t *n = c->n;
  mfft_fft_spec s = {.precision = c->precision,
                     .compute = compute,
                     .scale = 1,
                     .naxes = n[2]   ? 3
                              : n[1] ? 2
                                     : 1,
                     .nloops = 1};
  int64_t stride = 1;
  for (int a = s.naxes - 1; a >= 0; stride *= n[a--]) s.axis[a] = (mfft_dim){n[a], stride, stride};
  s.loop[0] = (mfft_dim){c->batch, stride, stride};
  mfft_phases phases;
  char text[512];
  CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
  mfft_phases_print(&phases, text, sizeof text);
  CHECK(strstr(text, c->passes), "not %s: %s", c->passes, text);
}

/* A plan has the algorithms that were measured to be fastest for transforms of 2^27 elements, for half the most accurate
 * ones that are faster than others' libraries: for cubes the slow axis first, except large ones in single; in bfloat16
 * passes of resident tiles. */
static void fastest_by_rule(void) {
  static const passes_of cases[] = {
      {MFFT_HALF, {1 << 13}, 1 << 14, "cuda: 8192 (32,16,16; 1 x 256)"},
      {MFFT_HALF, {1 << 8}, 1 << 19, "cuda: 256 ("},
      {MFFT_HALF, {1 << 10}, 1 << 17, "cuda: 1024 (32,32; 4 x 32"},
      {MFFT_HALF, {1 << 11}, 1 << 16, "cuda: 2048 (32,8,8; 2 x 64)"},
      {MFFT_HALF, {1 << 14}, 1 << 13, "cuda: 16384 (32,32,16; 1 x 512)"},
      {MFFT_HALF, {1 << 18}, 1 << 9, "parts of 512 (32,16; 16 x 16 strided twiddled) + 512 (32,16; 16 x 16 strided)"},
      {MFFT_HALF, {64, 64}, 1 << 15, "parts of 64 (8,8; 32 x 8) + 64 (8,8; 32 x 8 strided)"},
      {MFFT_HALF, {32, 32}, 1 << 17, "parts of tensor 32"},
      {MFFT_HALF, {2048, 2048}, 1 << 5, "128 (16,8; 32 x 8) over 8 blocks"},
      {MFFT_BFLOAT16, {1 << 15}, 1 << 12, "cuda: resident 32768 (16,16,16,8; 1 x 512)"},
      {MFFT_BFLOAT16,
       {1 << 22},
       1 << 5,
       "parts of resident 2048 (16,16,8; 16 x 32 strided twiddled) + resident 2048 (16,16,8; 16 x 32 strided)"},
      {MFFT_DOUBLE, {512, 512, 512}, 1, "cuda: 512 (8,8,8; 16 x 32 strided), then 128 parts of"},
      {MFFT_SINGLE, {512, 512, 512}, 1, "cuda: 512 (32,16; 32 x 16 strided), then 64 parts of"},
      {MFFT_SINGLE, {1024, 1024, 1024}, 1, "8 x 32 strided), then 1024 (16,8,8; 16 x 64 strided)"},
      {MFFT_BFLOAT16,
       {2048, 2048},
       1 << 5,
       "2048 (32,8,8; 2 x 64) + cluster 16 (16; 256 x 1 strided twiddled) and 128 (16,8; 32 x 8) over 8 blocks"},
      {MFFT_BFLOAT16, {256, 256}, 1 << 11, "parts of 256 (16,16; 16 x 16) + 256 (16,16; 16 x 16 strided)"},
      {MFFT_BFLOAT16, {128, 256}, 1 << 12, "cuda: resident 256 (16,16; 1 x 512) and 128 (16,8)"},
      {MFFT_SINGLE, {2376}, 1 << 14, "cuda: 2376 (11,12,18; 1 x 216)"},
      {MFFT_DOUBLE, {3780}, 1 << 13, "cuda: 3780 (9,20,21; 1 x 210)"},
      {MFFT_HALF, {2304}, 1 << 14, "cuda: 2304 (2,24,12,4; 1 x 96)"},
      {MFFT_SINGLE, {378}, 1 << 17, "cuda: 378 (6,9,7; 1 x 63)"},
      {MFFT_SINGLE, {12096}, 1 << 12, "cuda: 12096 (21,24,24; 1 x 576)"},
      {MFFT_HALF, {1024, 1024, 1024}, 1, "cuda: 1024 (16,8,8; 16 x 64 strided), then 256 parts of"},
      {MFFT_BFLOAT16, {768, 512}, 64, "512 (32,16; 8 x 16) + 768 (24,32; 16 x 32 strided); 2 passes"},
      {MFFT_SINGLE, {1280, 512, 512}, 1, "1280 (8,16,10; 8 x 80 strided); 3 passes"},
      {MFFT_SINGLE, {2000, 500, 500}, 1, "2000 (10,20,10; 8 x 100 strided); 3 passes"},
      {MFFT_SINGLE, {2048, 256, 512}, 1, "over 8 blocks, 16 columns; 3 passes"},           /* clusters hold whole segments */
      {MFFT_HALF, {1024, 1024}, 4, "1024 (32,32; 4 x 32) + 1024 (32,32; 8 x 32 strided)"}, /* the cache holds this array */
      {MFFT_DOUBLE, {186624}, 359, "432 (24,18; 8 x 24 strided twiddled) + 432 (24,18; 8 x 24 strided)"},
      {MFFT_SINGLE, {186624}, 359, "432 (24,18; 8 x 24 strided twiddled) + 432 (24,18; 16 x 24 strided)"},
      {MFFT_DOUBLE, {486, 486, 486}, 1, "cuda: 486 (9,9,6; 8 x 27 strided), then"},
      {MFFT_SINGLE, {509, 509}, 67, "parts of"}, /* the last of 4 planes, others of 7 */
      {MFFT_DOUBLE, {432, 432}, 61, "parts of"},
      {MFFT_DOUBLE, {2017}, 33271, "rader 2016 (14,12,12; 1 x 168 staged)"},
      {MFFT_SINGLE, {509}, 131849, "convolution 1024 (32,32; 8 x 32)"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_passes(&cases[i], MFFT_COMPUTE_AUTO);
}

/* Adjacent odd real lines in single are copied as one piece where that was measured to be faster, others are not. */
static void odd_lines_are_staged(void) {
  enum { NOT = MFFT_STAGED_NOT, AS_ONE = MFFT_STAGED_AS_ONE };
  const struct {
    mfft_precision precision;
    int64_t n, gap; /* elements between two lines */
    int to_reals, in, out;
  } cases[] = {{MFFT_SINGLE, 729, 0, 0, NOT, AS_ONE}, {MFFT_SINGLE, 729, 2, 0, NOT, NOT},
               {MFFT_SINGLE, 729, 0, 1, AS_ONE, NOT}, {MFFT_DOUBLE, 729, 0, 0, NOT, NOT},
               {MFFT_SINGLE, 245, 0, 1, NOT, AS_ONE}, {MFFT_SINGLE, 125, 0, 1, AS_ONE, AS_ONE},
               {MFFT_SINGLE, 125, 2, 1, NOT, NOT},    {MFFT_SINGLE, 875, 0, 1, AS_ONE, NOT}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t n = cases[i].n, reals = n + cases[i].gap, half = n / 2 + 1 + cases[i].gap;
    const mfft_fft_spec s = {.type = cases[i].to_reals ? MFFT_FFT_C2R : MFFT_FFT_R2C,
                             .direction = cases[i].to_reals ? MFFT_BACKWARD : MFFT_FORWARD,
                             .precision = cases[i].precision,
                             .scale = 1,
                             .naxes = 1,
                             .axis = {{n, 1, 1}},
                             .nloops = 1,
                             .loop = {{1 << 16, cases[i].to_reals ? half : reals, cases[i].to_reals ? reals : half}}};
    mfft_phases phases;
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    const mfft_kernel *k = &phases.phase[0].schedule.pass[0].kernel;
    CHECK(k->in.staging == (mfft_staging)cases[i].in && k->out.staging == (mfft_staging)cases[i].out, "case %zu: %d, %d", i,
          (int)k->in.staging, (int)k->out.staging);
  }
}

/* On tensor cores those are passes of resident tiles, and others together with them; none of a batch that is too small. */
static void fastest_on_tensor_cores(void) {
  static const passes_of cases[] = {
      {MFFT_HALF, {1 << 15}, 20, "cuda: tensor 128"},
      {MFFT_HALF, {1 << 18}, 1 << 9, "parts of tensor 512"},
      {MFFT_HALF,
       {1 << 19},
       1 << 8,
       "parts of tensor 512 (16,32; 16 x 8 strided twiddled) + tensor 1024 (32,32; 16 x 16 strided)"},
      {MFFT_HALF,
       {1 << 20},
       1 << 7,
       "parts of tensor 1024 (32,32; 16 x 16 strided twiddled) + tensor 1024 (32,32; 16 x 16 strided)"},
      {MFFT_HALF,
       {1 << 21},
       1 << 6,
       "parts of tensor 64 (16,4; 64 x 4 strided twiddled) + tensor 128 (16,8; 32 x 8 strided twiddled) + "
       "tensor 256"},
      {MFFT_HALF, {1 << 22}, 1 << 5, "parts of tensor 64 (16,4; 64 x 4 strided twiddled) + tensor 256"},
      {MFFT_HALF, {1024, 1024}, 1 << 7, "+ tensor 1024 (32,32; 16 x 16 strided)"},
      {MFFT_HALF, {1024, 1024, 1024}, 1, "cuda: resident 1024 (16,16,4; 32 x 16 strided), then 256 parts of"},
      {MFFT_HALF, {256, 256, 256}, 8, "cuda: tensor 256 (16,16; 64 x 8 strided), then 32 parts of"},
      {MFFT_HALF, {4096, 4096}, 1 << 3, "cuda: tensor 4096 (16,16,16; 1 x 256), then 32 parts of tensor 64"},
      {MFFT_HALF, {8192, 8192}, 2, "+ tensor 128"},
      {MFFT_HALF, {64, 64}, 1 << 15, "cuda: resident 64 (16,4; 2 x 64 double-buffered) and 64 (16,4)"},
      {MFFT_HALF, {256, 256}, 1 << 11, "parts of tensor 256"},
      {MFFT_HALF, {128, 128, 128}, 1 << 6, "parts of resident 128 (16,8; 1 x 256) and 128 (16,8) + tensor 128"},
      {MFFT_HALF, {128, 128, 128}, 1, "cuda: tensor 128"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_passes(&cases[i], MFFT_COMPUTE_TENSOR);
}

/* The same of a pass in place, for which fewer threads per line are slower than from one array to another. */
static void in_place_by_rule(void) {
  const int64_t n = 512;
  mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 3, .in_place = 1};
  for (int a = 2, stride = 1; a >= 0; a--, stride *= (int)n) s.axis[a] = (mfft_dim){n, stride, stride};
  mfft_phases phases;
  char text[512];
  CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
  mfft_phases_print(&phases, text, sizeof text);
  CHECK(strstr(text, "cuda: 512 (8,8,8; 16 x 64 strided), then"), "%s", text);
}

/* The same of long lines in two phases: real ones, and a complex one whose parts would be too large. */
static void lines_by_rule(void) {
  static const struct {
    mfft_fft_type type;
    mfft_precision precision;
    int64_t n;
    const char *passes; /* part of their names */
  } cases[] = {{MFFT_FFT_R2C, MFFT_DOUBLE, 1 << 22, "parts of 256 (16,16; 8 x 16 strided twiddled) + 256 (16,16; 8 x 16"},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1 << 22, "then 32 (4,8; 64 x 4 strided); 3 passes"},
               {MFFT_FFT_C2R, MFFT_DOUBLE, 1 << 22, "cuda: 32 (8,4; 64 x 4 strided twiddled), then 64 parts of 256"},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1 << 21, "then 32 "},
               {MFFT_FFT_C2R, MFFT_SINGLE, 1 << 22, "2 passes"},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1 << 25, "then 128 "},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1 << 26, "then 256 "},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1 << 24, "parts of 256 (16,16; 16 x 16 strided twiddled) + 256"},
               {MFFT_FFT_C2R, MFFT_SINGLE, 1 << 24, "cuda: 128 (16,8; 32 x 8 strided twiddled), then 32 parts of 256"},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1 << 20, "parts of 1024"},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 1 << 27, "over 8 blocks, 8 columns"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t n = cases[i].n, r2c = cases[i].type == MFFT_FFT_R2C, c2r = cases[i].type == MFFT_FFT_C2R;
    mfft_fft_spec s = {.type = cases[i].type, .precision = cases[i].precision, .scale = 1, .naxes = 1, .nloops = 1};
    s.direction = (mfft_direction)c2r;
    s.axis[0] = (mfft_dim){n, 1, 1};
    s.loop[0] = (mfft_dim){(1 << 27) / n, c2r ? n / 2 + 1 : n, r2c ? n / 2 + 1 : n};
    mfft_phases phases;
    char text[512];
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    mfft_phases_print(&phases, text, sizeof text);
    CHECK(strstr(text, cases[i].passes) != NULL, "%lld of type %d: %s, not by %s", (long long)n, s.type, text,
          cases[i].passes);
  }
}

/* Planes of which half the rows are given, as complexes: a part has as many as of the half spectra of a whole array, since
 * columns leave half as much in the cache for rows. */
static void pruned_by_rule(void) {
  enum { SIDE = 512, GIVEN = SIDE / 2 };
  for (int pruned = 0; pruned < 2; pruned++) {
    const int64_t half = SIDE / 2 + 1, row = pruned ? GIVEN : SIDE;
    mfft_fft_spec s = {.type = MFFT_FFT_R2C, .precision = MFFT_DOUBLE, .scale = 1, .naxes = 3};
    s.axis[0] = (mfft_dim){SIDE, row * row, SIDE * half};
    s.axis[1] = (mfft_dim){SIDE, row, half};
    s.axis[2] = (mfft_dim){SIDE, 1, 1};
    for (int a = 0; a < 3 && pruned; a++) s.given[a] = GIVEN;
    mfft_phases phases;
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    const int64_t parts = phases.phase[2 * pruned].parts[0], planes = (pruned ? GIVEN : SIDE) / parts;
    CHECK(phases.count == 2 + pruned && planes == 8, "%lld planes in each of %lld parts", (long long)planes,
          (long long)parts);
  }
}

/* The slowest axis of a half spectrum whose lines are multiplied by a filter as they are loaded, or by a filter or a
 * spectrum between a transform and its inverse: blocks as measured, for as many lines as keep all multiprocessors busy, of
 * lengths that are listed, that have a pair of radices, and others.  Lines that are multiplied as they are stored have the
 * chain of least cost. */
static void filtered_by_rule(void) {
  enum { LOADED, FILTER, SPECTRUM, STORED };
  static const mfft_convolved convolved[] = {MFFT_CONVOLVED_NOT, MFFT_CONVOLVED_BY_FILTER, MFFT_CONVOLVED_BY_ARRAY,
                                             MFFT_CONVOLVED_NOT};
  static const mfft_filtered filtered[] = {MFFT_FILTER_INPUT, MFFT_FILTER_BETWEEN, MFFT_FILTER_NONE, MFFT_FILTER_OUTPUT};
  static const struct {
    mfft_precision precision;
    int multiplied; /* as it is loaded or stored, or by what between the transforms */
    int64_t n, side;
    int blocks;         /* of a multiprocessor */
    const char *passes; /* part of their names */
  } cases[] = {{MFFT_SINGLE, LOADED, 480, 480, 2, "480 (20,24; 16 x 24 strided)"},
               {MFFT_SINGLE, LOADED, 432, 432, 3, "432 (18,24; 16 x 24 strided)"},
               {MFFT_SINGLE, LOADED, 560, 560, 1, "560 (20,28; 16 x 28 strided)"},
               {MFFT_DOUBLE, LOADED, 540, 540, 2, "540 (20,27; 8 x 27 strided)"},
               {MFFT_DOUBLE, LOADED, 500, 500, 2, "500 (10,10,5; 8 x 50 strided)"},
               {MFFT_DOUBLE, LOADED, 360, 360, 3, "360 (18,20; 8 x 20 strided)"},
               {MFFT_SINGLE, STORED, 480, 480, 2, "480 (24,20; 16 x 24 strided)"},
               {MFFT_SINGLE, FILTER, 500, 500, 2, "convolution 500 (20,25; 16 x 25 strided)"},
               {MFFT_SINGLE, FILTER, 720, 720, 2, "convolution 720 (24,30; 8 x 30 strided)"},
               {MFFT_SINGLE, FILTER, 280, 280, 3, "convolution 280 (14,20; 16 x 20 strided)"},
               {MFFT_DOUBLE, FILTER, 400, 400, 3, "convolution 400 (20,20; 8 x 20 strided)"},
               {MFFT_DOUBLE, FILTER, 500, 500, 4, "convolution 500 (10,10,5; 4 x 50 strided)"},
               {MFFT_DOUBLE, FILTER, 400, 24, 2, "convolution 400 (10,10,4; 8 x 40 strided)"},
               {MFFT_DOUBLE, FILTER, 392, 392, 2, "convolution 392 (14,14,2; 8 x 28 strided)"},
               {MFFT_DOUBLE, SPECTRUM, 480, 480, 2, "convolution 480 (20,24; 8 x 24 strided)"},
               {MFFT_DOUBLE, SPECTRUM, 640, 640, 1, "convolution 640 (10,8,8; 8 x 40 strided)"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t n = cases[i].n, side = cases[i].side, half = side / 2 + 1;
    const mfft_fft_spec s = {
        .direction = cases[i].multiplied == LOADED ? MFFT_BACKWARD : MFFT_FORWARD,
        .precision = cases[i].precision,
        .scale = 1,
        .naxes = 1,
        .nloops = 2,
        .axis = {{n, side * half, side * half}},
        .loop = {{side, half, half}, {half, 1, 1}},
        .filtered = filtered[cases[i].multiplied],
        .filter = {.n = {1, n, side, half}, .stride = {0, side * half, half, 1}, .table = {0, n, n + side}},
        .convolved = convolved[cases[i].multiplied]};
    mfft_phases phases;
    char text[512];
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    mfft_phases_print(&phases, text, sizeof text);
    const int blocks = phases.phase[0].schedule.pass[0].kernel.tile.min_blocks;
    CHECK(strstr(text, cases[i].passes) != NULL, "%s, not by %s", text, cases[i].passes);
    CHECK(blocks == cases[i].blocks, "%s: registers for %d blocks, not %d", cases[i].passes, blocks, cases[i].blocks);
  }
}

int main(void) {
  check_segments();
  filtered_by_rule();
  pruned_by_rule();
  check_scattered_parts();
  check_places();
  fastest_by_rule();
  fastest_on_tensor_cores();
  odd_lines_are_staged();
  in_place_by_rule();
  lines_by_rule();
  return test_end();
}
#endif
