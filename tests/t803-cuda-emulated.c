// TEST labels=emulated args=butterfly timeout=600
// TEST labels=emulated args=odd timeout=600
// TEST labels=emulated args=pairs timeout=600
// TEST labels=emulated args=tensor timeout=600
// TEST labels=emulated args=sixteen timeout=600
// TEST labels=emulated args=resident timeout=600
/* Schedules of every kind, also for devices with little shared memory or one multiprocessor: whole schedules at a time,
 * compared with FFTW.  This checks the device code without a GPU: index maps, barriers (threads run in two orders), shared
 * memory, sentinels.
 *
 *   t803-cuda-emulated [type n0 n1 n2 batch in_place precision [compute [tile_bytes [cluster]]]]
 *                                                                one transform only, with its error */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/backend.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "schedule_case.h"

static void all_types(int rank, const int64_t *n, int64_t batch, const mfft_device_limits *limits) {
  static int count;
  for (int type = 0; type < 3; type++, count++) {
    mfft_fft_spec s = packed((mfft_fft_type)type, rank, n, batch, count & 1, count % 5 < 3 ? MFFT_SINGLE : MFFT_DOUBLE);
    play(&s, limits, count % 3 == 1);
  }
}

/* Lines and planes in clusters of every size, one chain or several before and after the exchange. */
static void clusters(void) {
  static const struct {
    int64_t n[2];
    int cluster, first, values;
    mfft_precision precision;
  } cases[] = {{{1 << 14, 0}, 2, 0, 0, MFFT_DOUBLE},  {{1 << 14, 0}, 4, 32, 32, MFFT_SINGLE},
               {{1 << 15, 0}, 8, 0, 16, MFFT_SINGLE}, {{1 << 15, 0}, 16, 256, 0, MFFT_SINGLE},
               {{64, 128}, 1, 0, 0, MFFT_SINGLE},     {{128, 64}, 2, 0, 0, MFFT_DOUBLE},
               {{64, 256}, 8, 0, 16, MFFT_SINGLE}}; /* [7] */
  for (int i = 0; i < 7; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, cases[i].n[1] ? 2 : 1, cases[i].n, 2, i & 1, cases[i].precision);
    s.cluster = cases[i].cluster;
    s.cluster_first = (int)cases[i].first;
    if (i % 3 == 1) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
    CHECK(schedule.count == 1 && schedule.pass[0].kernel.cluster.blocks == s.cluster, "case %d takes no cluster", i);
    play(&s, &mfft_limits_sm90, i % 2);
  }
}

/* Half spectra to reals in clusters, in place and not. */
static void halves(void) {
  for (int i = 0; i < 4; i++) {
    const int64_t n = i % 2 ? 1 << 14 : 1 << 15;
    mfft_fft_spec s = packed(MFFT_FFT_C2R, 1, &n, 2, i == 1, i < 2 ? MFFT_SINGLE : MFFT_DOUBLE);
    s.cluster = 2 << i;
    s.cluster_values = 16;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
    CHECK(schedule.count == 1 && schedule.pass[0].kernel.cluster.blocks == s.cluster, "case %d takes no cluster", i);
    play(&s, &mfft_limits_sm90, i % 2);
  }
}

/* Long interleaved lines in clusters: columns of planes, the last of which fill no tile, and columns with an inter-pass
 * twiddle.  A device with long memory segments counts shorter lines as long. */
static void columns(void) {
  static const struct {
    int64_t n[2];
    int blocks, segment;
    mfft_precision precision;
  } cases[] = {{{2048, 20}, 8, 128, MFFT_DOUBLE}, {{1024, 40}, 4, 128, MFFT_SINGLE}, {{4096, 11}, 16, 128, MFFT_DOUBLE},
               {{1024, 50}, 2, 128, MFFT_SINGLE}, {{512, 70}, 1, 192, MFFT_SINGLE},  {{2048, 20}, 16, 128, MFFT_BFLOAT16},
               {{2048, 20}, 8, 128, MFFT_HALF}}; /* [7] */
  for (int i = 0; i < 7; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 2, cases[i].n, 2, i % 3 == 1, cases[i].precision);
    mfft_device_limits few = mfft_limits_sm90;
    few.segment_bytes = cases[i].segment;
    few.sms = 1;
    s.columns = cases[i].blocks;
    if (i % 3 == 2) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &few, &schedule));
    CHECK(schedule.count == 2, "case %d takes %d passes", i, schedule.count);
    CHECK(schedule.pass[1].kernel.cluster.blocks == s.columns && schedule.pass[1].kernel.cluster.columns > 1, "case %d", i);
    play(&s, &few, i % 2);
  }
  int64_t n = 1024 * 20; /* columns with an inter-pass twiddle, in scrambled order */
  for (int i = 0; i < 2; i++) {
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 1, 0, (mfft_precision)i);
    s.scrambled = 1024;
    s.columns = 4;
    play(&s, &mfft_limits_sm90, i);
  }
}

/* R2C of cubes that end in zeros, slowest axis first, in parts (slow_reals.h), against FFTW's of the padded array. */
static void padded_cubes(void) {
  static const struct {
    int64_t n[3], given[3];
    mfft_precision precision;
  } cases[] = {{{16, 24, 32}, {8, 12, 16}, MFFT_DOUBLE}, {{20, 16, 24}, {9, 16, 5}, MFFT_DOUBLE}}; /* [2] */
  enum { MOST = 16 * 24 * 34 };
  static double in[MOST], padded[MOST], truth[MOST], raw[MOST];
  for (int i = 0; i < 2; i++) {
    const int64_t *n = cases[i].n, *given = cases[i].given, half = n[2] / 2 + 1;
    const size_t real = mfft_real_bytes(cases[i].precision), in_bytes = (size_t)(given[0] * given[1] * given[2]) * real,
                 out_bytes = (size_t)(n[0] * n[1] * half) * 2 * real;
    mfft_fft_spec s = {.type = MFFT_FFT_R2C, .precision = cases[i].precision, .scale = 0.5, .naxes = 3};
    s.axis[0] = (mfft_dim){n[0], given[1] * given[2], n[1] * half};
    s.axis[1] = (mfft_dim){n[1], given[2], half};
    s.axis[2] = (mfft_dim){n[2], 1, 1};
    memcpy(s.given, given, sizeof s.given);
    s.part_bytes = n[1] * given[2] * 2 * (int64_t)real * 2;
    uint64_t state = 5;
    memset(padded, 0, sizeof padded);
    for (int64_t x = 0, at = 0; x < given[0]; x++)
      for (int64_t y = 0; y < given[1]; y++)
        for (int64_t z = 0; z < given[2]; z++, at++) {
          store_value(s.precision, in, at, test_random(&state));
          padded[(x * n[1] + y) * n[2] + z] = stored_value(s.precision, in, at);
        }
    fftw_plan plan = fftw_plan_dft_r2c_3d((int)n[0], (int)n[1], (int)n[2], padded, (fftw_complex *)truth, FFTW_ESTIMATE);
    fftw_execute(plan);
    fftw_destroy_plan(plan);
    mfft_fft *fft = NULL;
    void *from = NULL, *to = NULL;
    char text[1024] = "";
    CHECK_OK(mfft_backend_cuda.fft_create(&s, &fft));
    fft->backend->fft_print(fft, text, sizeof text);
    CHECK(strstr(text, "parts of") && strstr(text, "5 passes") && !fft->work_bytes, "other passes: %s", text);
    CHECK_OK(mfft_backend_cuda.alloc(in_bytes, &from));
    CHECK_OK(mfft_backend_cuda.alloc(out_bytes, &to));
    CHECK_OK(mfft_backend_cuda.upload(from, in, in_bytes));
    CHECK_OK(fft->backend->fft_execute(fft, from, to, NULL, NULL));
    CHECK_OK(mfft_backend_cuda.synchronize(NULL));
    CHECK_OK(mfft_backend_cuda.download(raw, to, out_bytes));
    double error = 0, norm = 0;
    for (int64_t j = 0; j < 2 * n[0] * n[1] * half; j++) {
      const double want = truth[j] / 2, off = stored_value(s.precision, raw, j) - want;
      error += off * off, norm += want * want;
    }
    CHECK(sqrt(error) <= case_bound(&s) * sqrt(norm), "case %d: off by %.3g by %s", i, sqrt(error / norm), text);
    mfft_backend_cuda.free(to);
    mfft_backend_cuda.free(from);
    fft->backend->fft_destroy(fft);
  }
}

static int one(char **word) {
  const int64_t n[3] = {atoll(word[1]), atoll(word[2]), atoll(word[3])};
  mfft_fft_spec s = packed((mfft_fft_type)atoi(word[0]),
                           n[2]   ? 3
                           : n[1] ? 2
                                  : 1,
                           n, atoll(word[4]), atoi(word[5]), (mfft_precision)atoi(word[6]));
  if (word[7]) s.compute = (mfft_compute)atoi(word[7]);
  if (word[7] && word[8]) s.tile_bytes = atoll(word[8]);
  if (word[7] && word[8] && word[9]) s.cluster = atoi(word[9]);
  mfft_schedule schedule;
  char text[512];
  CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  printf("%.2e of %.2e by %s\n", play(&s, &mfft_limits_sm90, 0), case_bound(&s), text);
  return test_end();
}

static void butterflies(void) {
  static const int64_t lengths[] = {2, 10, 30, 64, 105, 250, 1000, 4096}; /* [8] */
  for (int i = 0; i < 8; i++) all_types(1, &lengths[i], lengths[i] > 1000 ? 2 : 35, &mfft_limits_sm90);

  mfft_device_limits small = small_device();
  static const int64_t longer[] = {4374, 8192, 9600, 1 << 15}; /* [4] */
  for (int i = 0; i < 4; i++) all_types(1, &longer[i], 2, &small);
  static const int64_t shapes[][3] = {{20, 30, 1}, {5, 4096, 1}}; /* [2] */
  for (int i = 0; i < 2; i++) all_types(2, shapes[i], 2, &small);
  static const int64_t cube[3] = {6, 8, 60};
  all_types(3, cube, 2, &mfft_limits_sm90);

  /* Batch fastest, and gaps between all elements. */
  for (int type = 1; type < 3; type++)
    for (int64_t n = 64; n <= 4096; n *= 64) {
      mfft_fft_spec s = packed((mfft_fft_type)type, 1, &n, 21, 0, MFFT_SINGLE);
      s.axis[0].is = 21, s.axis[0].os = 24;
      s.loop[0].is = s.loop[0].os = 1;
      play(&s, n > 64 ? &small : &mfft_limits_sm90, 0);
    }

  /* Scrambled order, both directions; columns too long for a pass are refused, and left to stages of the plan. */
  for (int i = 0; i < 8; i++) {
    const int64_t n = i < 4 ? 4096 : 15 * 64;
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 3, i / 2 % 2, i % 3 ? MFFT_SINGLE : MFFT_DOUBLE);
    s.direction = (mfft_direction)(i % 2);
    s.scrambled = i < 4 ? 64 : 30;
    play(&s, &small, i % 2);
  }
  int64_t tall = 1 << 18;
  mfft_fft_spec columns = packed(MFFT_FFT_C2C, 1, &tall, 1, 0, MFFT_DOUBLE);
  columns.scrambled = 512;
  mfft_schedule none;
  CHECK_FAILS(mfft_schedule_make(&columns, &small, &none), MFFT_ERR_UNSUPPORTED, "scrambled");
}

/* Odd real lengths, alternating directions: lines that a thread holds whole, one merge after that of the reals and several,
 * more lines than fill a block, planes and cubes, interleaved lines, several passes. */
static void odd_lines(void) {
  static const struct {
    int64_t n[3], batch;
    int in_place;
    mfft_precision precision;
  } cases[] = {{{9}, 300, 1, MFFT_SINGLE},      {{25}, 3, 0, MFFT_DOUBLE},       {{27}, 35, 1, MFFT_DOUBLE},
               {{49}, 35, 0, MFFT_HALF},        {{81}, 35, 1, MFFT_DOUBLE},      {{81}, 1, 0, MFFT_DOUBLE},
               {{125}, 3, 1, MFFT_SINGLE},      {{243}, 3, 0, MFFT_SINGLE},      {{1001}, 3, 1, MFFT_SINGLE},
               {{4095}, 3, 0, MFFT_DOUBLE},     {{6, 35}, 3, 1, MFFT_SINGLE},    {{4, 3, 63}, 2, 0, MFFT_DOUBLE},
               {{4, 3, 63}, 2, 1, MFFT_DOUBLE}, {{13, 105}, 1, 0, MFFT_BFLOAT16}}; /* [14] */
  mfft_device_limits few = mfft_limits_sm90, small = small_device();
  few.sms = 1; /* so that blocks fetch lines of others */
  for (int i = 0; i < 14; i++) {
    const int64_t *n = cases[i].n;
    mfft_fft_spec s = packed(i % 2 ? MFFT_FFT_C2R : MFFT_FFT_R2C,
                             n[2]   ? 3
                             : n[1] ? 2
                                    : 1,
                             n, cases[i].batch, cases[i].in_place, cases[i].precision);
    play(&s, &few, i % 3 == 1);
  }
  for (int64_t n = 15; n <= 3375; n *= 15) { /* side by side */
    mfft_fft_spec s = packed(n == 225 ? MFFT_FFT_C2R : MFFT_FFT_R2C, 1, &n, 21, 0, n > 15 ? MFFT_SINGLE : MFFT_DOUBLE);
    s.axis[0].is = 21, s.axis[0].os = 24;
    s.loop[0].is = s.loop[0].os = 1;
    play(&s, n > 225 ? &small : &mfft_limits_sm90, 0);
  }
}

/* C2R by sums that are rounded once, of numbers of all sizes. */
static void rounded_once(void) {
  static const int64_t lengths[] = {90, 275, 250, 625}; /* [4] */
  for (int i = 0; i < 4; i++)
    for (int input = CASE_NOISE; input < (i < 2 ? CASE_DENORMAL : CASE_TINY); input++) {
      mfft_fft_spec s = packed(MFFT_FFT_C2R, 1, &lengths[i], 3, 0, i < 2 ? MFFT_SINGLE : MFFT_DOUBLE);
      play_of(&s, (case_input)input, &mfft_limits_sm90, 0);
    }
}

/* Tensor cores: powers of two, batches that fill no block, shapes, several passes, strides, and inputs beyond the range of
 * halves. */
static void tensor_cores(void) {
  packed_compute = MFFT_COMPUTE_TENSOR;
  mfft_device_limits small = small_device();
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
    for (int bits = 4; bits <= 13; bits++) {
      int64_t n = 1ll << bits;
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, bits < 10 ? 35 : 2, bits & 1, (mfft_precision)p);
      if (bits & 2) s.direction = MFFT_BACKWARD;
      play(&s, &mfft_limits_sm90, bits % 3 == 1);
    }
    int64_t n = 1 << 15;
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &n, 1, 1, (mfft_precision)p);
    play(&s, &small, 0);
    n = 256;
    s = packed(MFFT_FFT_C2C, 1, &n, 21, 0, (mfft_precision)p);
    s.axis[0].is = 21, s.axis[0].os = 24; /* batch innermost, odd distances */
    s.loop[0].is = s.loop[0].os = 1;
    play(&s, &mfft_limits_sm90, 1);
    s.axis[0].os = 1; /* turned */
    s.loop[0].os = 257;
    play(&s, &mfft_limits_sm90, 0);
  }
  static const int64_t shape[3] = {16, 32, 64};
  all_types(3, shape, 2, &mfft_limits_sm90);
  static const int64_t lengths[] = {32, 256, 2048}; /* [3] */
  for (int i = 0; i < 3; i++)
    for (int input = CASE_NOISE; input < CASE_INPUTS; input++) {
      mfft_fft_spec s = packed(MFFT_FFT_C2C, 1, &lengths[i], 5, 0, MFFT_SINGLE);
      play_of(&s, (case_input)input, &mfft_limits_sm90, 0);
    }
}

/* 16-bit numbers on tensor cores.  On one multiprocessor, so that blocks handle several tiles: every length of one pass and
 * named merges, columns, inter-pass twiddles and odd strides, several passes, also with a twiddle order that is no power of
 * two, bfloat16 beyond the range of half. */
static mfft_fft_spec on_tensor_cores(int rank, const int64_t *n, int64_t batch, int in_place, mfft_precision precision) {
  mfft_fft_spec s = packed(MFFT_FFT_C2C, rank, n, batch, in_place, precision);
  s.compute = MFFT_COMPUTE_TENSOR;
  return s;
}
static void sixteen_bits(void) {
  mfft_device_limits few = mfft_limits_sm90, small = small_device();
  few.sms = 1;
  few.segment_bytes = 64;
  small.shared_bytes = 8192 + 2 * 4 * 32; /* 2048 elements, and the peaks of 32 lines */
  const int64_t odd = 240;
  mfft_fft_spec turned = packed(MFFT_FFT_C2C, 1, &odd, 3, 0, MFFT_HALF);
  turned.radices[0] = "16+15";
  play(&turned, &few, 0);
  for (int p = MFFT_HALF; p <= MFFT_BFLOAT16; p++) {
    mfft_precision precision = (mfft_precision)p;
    for (int bits = 4; bits <= 14; bits += precision == MFFT_HALF ? 1 : 3) { /* bfloat16 by the same code */
      int64_t n = 1ll << bits;
      mfft_fft_spec s = on_tensor_cores(1, &n, 20480 / n + 2, bits & 1, precision);
      if (bits & 2) s.direction = MFFT_BACKWARD;
      if (bits % 3) s.scale = 1;
      play(&s, &few, bits % 3 == 1);
    }
    static const char *const named[] = {"16,2", "16,16,2"}; /* [2] for 32 and 512 */
    for (int i = 0; i < 2; i++) {
      int64_t n = i ? 512 : 32;
      mfft_fft_spec s = on_tensor_cores(1, &n, 5, 0, precision);
      s.radices[0] = named[i];
      play(&s, &few, 0);
    }
    static const int64_t shapes[][2] = {{16, 64}, {256, 96}, {1024, 16}, {32, 128}, {512, 128}}; /* [5] */
    for (int i = 0; i < (precision == MFFT_HALF ? 5 : 2); i++) {
      mfft_fft_spec s = on_tensor_cores(2, shapes[i], 2, i & 1, precision);
      play(&s, &few, i & 1);
    }
    for (int64_t n = precision == MFFT_HALF ? 16 : 1024; n <= 1024; n *= 8) {
      mfft_fft_spec s = on_tensor_cores(1, &n, 37, 0, precision);
      s.axis[0].is = 37, s.axis[0].os = 40; /* batch innermost, odd distances */
      s.loop[0].is = s.loop[0].os = 1;
      play(&s, &mfft_limits_sm90, 1);
      s.axis[0].is = 1, s.loop[0].is = n; /* transposed: lines to columns */
      play(&s, &mfft_limits_sm90, 0);
      s.axis[0] = (mfft_dim){n, 40, 1}; /* and the other */
      s.loop[0] = (mfft_dim){40, 1, n};
      play(&s, &mfft_limits_sm90, 0);
    }
    for (int64_t n = 4096; n <= 1 << 15; n *= 8) {
      mfft_fft_spec s = on_tensor_cores(1, &n, 2, 0, precision);
      play(&s, &small, 0);
    }
    for (int input = CASE_TINY; precision == MFFT_BFLOAT16 && input < CASE_DENORMAL; input++)
      for (int64_t n = 64; n <= 2048; n *= 32) {
        mfft_fft_spec s = on_tensor_cores(1, &n, 5, 0, precision);
        play_of(&s, (case_input)input, &few, 0);
      }
  }
}

/* Columns of 16-bit numbers, and of complexes in single, that a block holds by half segments of memory, and whose last block
 * is not full. */
static void half_segments(void) {
  mfft_device_limits small = mfft_limits_sm90;
  small.part_bytes = 1 << 10; /* the cache does not hold the array */
  small.sms = 1;              /* no segment is divided to keep more of them busy */
  for (int i = 0; i < 6; i++) {
    const int single = i >= 4, lines = single ? 8 : 16;
    const int64_t n[3] = {single ? 1280 : i < 2 ? 1024 : 525, i % 2 ? 40 : 27};
    mfft_fft_spec s = packed(MFFT_FFT_C2C, 2, n, 1, i & 1, single ? MFFT_SINGLE : i < 2 ? MFFT_HALF : MFFT_BFLOAT16);
    if (i % 2) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &small, &schedule));
    CHECK(schedule.count == 2 && schedule.pass[1].kernel.chain.lines == lines, "case %d: %d passes, the last of %d lines", i,
          schedule.count, schedule.pass[schedule.count - 1].kernel.chain.lines);
    play(&s, &small, i % 2);
  }
}

/* 16-bit numbers in resident tiles: lines, columns, transposed in both directions, planes; of one block, which handles
 * several tiles, and of clusters; tiles that the batch does not fill; twiddles to another pass; merges of every kind. */
static void resident_tiles(void) {
  static const struct {
    int rank;
    int64_t n[2], batch;
    int64_t tile_bytes;
    int cluster, passes;
  } cases[] = {{1, {8192, 0}, 3, 1 << 15, 1, 1},    {1, {1 << 14, 0}, 1, 1 << 16, 1, 1}, {1, {1 << 15, 0}, 1, 1 << 16, 2, 1},
               {2, {1024, 20}, 2, 1 << 15, 1, 2},   {2, {8192, 8}, 1, 1 << 17, 2, 2},    {1, {1 << 16, 0}, 2, 1 << 13, 1, 2},
               {1, {1 << 17, 0}, 1, 1 << 13, 2, 2}, {2, {64, 64}, 5, 1 << 14, 2, 1},     {2, {128, 128}, 2, 1 << 15, 2, 1},
               {2, {16, 64}, 9, 1 << 13, 1, 1}}; /* [10] */
  mfft_device_limits few = mfft_limits_sm90;
  few.sms = 1;
  for (int run = 0; run < 15; run++) { /* the last with bfloat16 */
    const int i = run < 10 ? run : 2 * (run - 10) + 1;
    const mfft_precision precision = run < 10 ? MFFT_HALF : MFFT_BFLOAT16;
    mfft_fft_spec s = packed(MFFT_FFT_C2C, cases[i].rank, cases[i].n, cases[i].batch, i & 1, precision);
    s.tile_bytes = cases[i].tile_bytes;
    s.cluster = cases[i].cluster;
    s.tile_double_buffered = cases[i].cluster > 1 || run % 4 == 3;
    if (i % 3 == 1) s.direction = MFFT_BACKWARD;
    if (i % 4 == 2) s.scale = 1;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &few, &schedule));
    int resident = 0;
    for (int k = 0; k < schedule.count; k++) resident |= schedule.pass[k].kernel.engine == MFFT_ENGINE_RESIDENT;
    CHECK(schedule.count == cases[i].passes && resident, "case %d takes %d passes", i, schedule.count);
    unaligned = i == 3;
    play(&s, &few, i % 2);
    unaligned = 0;
    for (int input = CASE_TINY; run == 14 && input < CASE_DENORMAL; input++) play_of(&s, (case_input)input, &few, 0);
  }
}

/* Kernels that were measured to be fastest, and those that prefetch lines: they need as many lines as fill a device, which
 * here has one multiprocessor.  Lines beyond the end in the last block; lines with an inter-pass twiddle. */
static void measured(void) {
  static const struct {
    mfft_fft_type type;
    mfft_precision precision;
    int rank;
    int64_t n[2], batch;
    int segment_bytes, first, lines, fetches; /* of one pass: its first radix ... */
  } cases[] = {{MFFT_FFT_C2C, MFFT_SINGLE, 1, {8192, 0}, 3, 128, 32, 1, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 1, {64, 0}, 55, 128, 8, 16, 2},
               {MFFT_FFT_C2C, MFFT_SINGLE, 1, {256, 0}, 19, 128, 4, 8, 1},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 1, {64, 0}, 37, 128, 4, 16, 1},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 1, {1024, 0}, 5, 128, 16, 2, 1},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 2, {256, 40}, 1, 64, 16, 16, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 2, {512, 40}, 1, 128, 32, 32, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 2, {512, 40}, 1, 64, 32, 16, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 2, {1024, 20}, 1, 64, 32, 8, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 2, {128, 40}, 1, 64, 16, 16, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 2, {9, 256}, 3, 64, 16, 8, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 1, {1 << 18, 0}, 1, 64, 32, 16, 0},
               {MFFT_FFT_C2C, MFFT_SINGLE, 1, {1 << 14, 0}, 3, 128, 32, 1, 1},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 1, {8192, 0}, 3, 128, 16, 1, 1},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 1, {1 << 16, 0}, 1, 64, 16, 16, 0},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 2, {9, 256}, 3, 64, 4, 8, 0},
               {MFFT_FFT_C2C, MFFT_DOUBLE, 2, {512, 40}, 1, 128, 8, 16, 0},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1, {512, 0}, 19, 64, 8, 8, 0},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1, {1024, 0}, 6, 128, 8, 4, 1},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1, {2048, 0}, 5, 128, 16, 2, 1},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1, {4096, 0}, 3, 128, 16, 1, 1},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1, {8192, 0}, 3, 128, 16, 1, 1},
               {MFFT_FFT_R2C, MFFT_SINGLE, 1, {1 << 14, 0}, 3, 128, 32, 1, 1},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1, {128, 0}, 70, 128, 8, 32, 1},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1, {512, 0}, 19, 128, 4, 8, 1},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1, {1024, 0}, 6, 128, 8, 4, 1},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1, {2048, 0}, 5, 128, 16, 2, 1},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 1, {4096, 0}, 3, 128, 16, 1, 1},
               {MFFT_FFT_R2C, MFFT_DOUBLE, 2, {256, 80}, 1, 64, 16, 16, 0}, /* lines begin off alignment */
               {MFFT_FFT_C2R, MFFT_SINGLE, 1, {256, 0}, 37, 128, 4, 8, 4},
               {MFFT_FFT_C2R, MFFT_SINGLE, 1, {1024, 0}, 21, 128, 8, 4, 4},
               {MFFT_FFT_C2R, MFFT_SINGLE, 1, {4096, 0}, 6, 128, 8, 1, 4},
               {MFFT_FFT_C2R, MFFT_SINGLE, 1, {8192, 0}, 3, 128, 16, 1, 2},
               {MFFT_FFT_C2R, MFFT_SINGLE, 1, {1 << 14, 0}, 3, 128, 16, 1, 1},
               {MFFT_FFT_C2R, MFFT_DOUBLE, 1, {512, 0}, 6, 128, 4, 4, 0},
               {MFFT_FFT_C2R, MFFT_DOUBLE, 1, {1024, 0}, 13, 128, 8, 4, 2},
               {MFFT_FFT_C2R, MFFT_DOUBLE, 1, {2048, 0}, 7, 128, 8, 2, 2},
               {MFFT_FFT_C2R, MFFT_DOUBLE, 1, {1 << 14, 0}, 3, 128, 8, 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    mfft_device_limits limits = mfft_limits_sm90;
    limits.sms = 1;
    limits.segment_bytes = cases[i].segment_bytes;
    limits.cluster = 0;
    mfft_fft_spec s = packed(cases[i].type, cases[i].rank, cases[i].n, cases[i].batch, i & 1, cases[i].precision);
    if (i % 3 == 1 && s.type == MFFT_FFT_C2C) s.direction = MFFT_BACKWARD;
    mfft_schedule schedule;
    CHECK_OK(mfft_schedule_make(&s, &limits, &schedule));
    int found = 0;
    for (int p = 0; p < schedule.count; p++) {
      const mfft_kernel *k = &schedule.pass[p].kernel;
      found |=
          k->chain.lines == cases[i].lines && k->hints.prefetch == cases[i].fetches && k->chain.radix[0] == cases[i].first;
    }
    CHECK(found, "case %d has no such kernel", (int)i);
    if (i % 3 != 2) play(&s, &limits, (int)i % 2); /* the others are like their neighbours */
  }
}

int main(int argc, char **argv) {
  if (!gpu_here()) return TEST_SKIPPED;
  if (argc >= 8) return one(argv + 1);
  if (argc > 1 && !strcmp(argv[1], "tensor"))
    tensor_cores();
  else if (argc > 1 && !strcmp(argv[1], "sixteen"))
    sixteen_bits();
  else if (argc > 1 && !strcmp(argv[1], "resident"))
    resident_tiles(), half_segments();
  else if (argc > 1 && !strcmp(argv[1], "odd"))
    odd_lines(), rounded_once();
  else if (argc > 1 && !strcmp(argv[1], "pairs"))
    clusters(), columns(), halves(), padded_cubes();
  else
    butterflies(), measured();
  return test_end();
}
#endif
