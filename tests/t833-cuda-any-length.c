// TEST labels=cuda timeout=300
// TEST labels=emulated timeout=120
/* Lengths with prime factors that no butterfly merges, on the GPU against FFTW: primes and products with them, complex and
 * real, alone and in pairs, both directions, in place and not, in one block and in several passes, batches, columns, two and
 * three axes, all precisions.
 *
 *   t833-cuda-any-length [all] */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"

/* One packed batch. */
static void one(int type, mfft_precision p, int rank, const int64_t *n, int64_t batch, int in_place, int backward) {
  const mfft_direction direction = type == MFFT_FFT_C2R || (type == MFFT_FFT_C2C && backward) ? MFFT_BACKWARD : MFFT_FORWARD;
  mfft_fft_spec s = packed_spec((mfft_fft_type)type, direction, p, rank, n, batch, in_place);
  if (p >= MFFT_HALF) s.scale = 1.0 / 16;
  gpu_check(&s, (uint64_t)(n[0] + type));
}

/* Butterflies of the primes to 31, and primes and products of Bluestein's algorithm: the first in one block, the last where
 * a block holds no convolution, and where one of the factors is split off. */
static void lines(void) {
  static const int64_t lengths[] = {17,  19,  23,  29,   31,   34,   51,    289,      37,         101,       127, 202,
                                    251, 381, 509, 1009, 1506, 2018, 10007, 2 * 8009, 2048 * 101, 31 * 10007}; /* [22] */
  for (int i = 0; i < 22; i++)
    for (int type = 0; type < 3; type++)
      for (int p = 0; p < 4; p++) one(type, (mfft_precision)p, 1, &lengths[i], 3, (i + p) % 2, (i + type) % 2);
}

static void shapes(void) {
  static const int64_t n[][3] = {{101, 12, 0}, {12, 101, 0},  {6, 37, 10},
                                 {41, 4, 6},   {1009, 20, 0}, {509, 509, 0}}; /* [6] */
  for (int i = 0; i < 6; i++)
    for (int type = 0; type < 3; type++)
      for (int p = 0; p < 4; p++) one(type, (mfft_precision)p, n[i][2] ? 3 : 2, n[i], 2, (i + type) % 2, type == 0 && p % 2);
}

/* Gaps between elements on both sides, and lines side by side. */
static void strides(void) {
  mfft_fft_spec s = {.effort = MFFT_ESTIMATE, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .nloops = 2};
  s.axis[0] = (mfft_dim){67, 9, 11};
  s.loop[0] = (mfft_dim){5, 700, 900};
  s.loop[1] = (mfft_dim){7, 1, 1};
  gpu_check(&s, 1);
  s.type = MFFT_FFT_C2R, s.direction = MFFT_BACKWARD, s.precision = MFFT_SINGLE;
  gpu_check(&s, 2);
  s.type = MFFT_FFT_R2C, s.direction = MFFT_FORWARD;
  gpu_check(&s, 4);
  s.type = MFFT_FFT_C2R, s.direction = MFFT_BACKWARD;
  s.destroy_input = 1, s.axis[0].n = 74;
  gpu_check(&s, 3);
}

/* Lines of Rader's algorithm: contiguous ones of a block with as many lines as a large batch has, and with one, lines with
 * gaps, and columns. */
static void rader(void) {
  static const struct {
    mfft_precision precision;
    int64_t n;
    int radix[2], lines, threads;
  } rows[] = {{MFFT_SINGLE, 37, {6, 6}, 32, 6},
              {MFFT_DOUBLE, 61, {10, 6}, 16, 5},
              {MFFT_HALF, 53, {13, 4}, 16, 4},
              {MFFT_DOUBLE, 113, {8, 14}, 1, 7}}; /* [4] */
  for (int i = 0; i < 4; i++) {
    mfft_fft_spec s =
        packed_spec(MFFT_FFT_C2C, i % 2 ? MFFT_BACKWARD : MFFT_FORWARD, rows[i].precision, 1, &rows[i].n, 39, i % 2);
    s.block.lines = rows[i].lines, s.block.line_threads = rows[i].threads;
    memcpy(s.block.radix, rows[i].radix, sizeof rows[i].radix);
    s.scale = 0.25;
    gpu_check(&s, (uint64_t)i);
    s.in_place = 0, s.loop[0].is++;
    gpu_check(&s, (uint64_t)i);
  }
  mfft_fft_spec s = {.effort = MFFT_ESTIMATE, .precision = MFFT_SINGLE, .scale = 1, .naxes = 1, .nloops = 1};
  s.axis[0] = (mfft_dim){41, 19, 19};
  s.loop[0] = (mfft_dim){19, 1, 1};
  for (int i = 0; i < 3; i++) {
    s.precision = (mfft_precision)i, s.direction = i % 2 ? MFFT_BACKWARD : MFFT_FORWARD, s.in_place = i == 1;
    gpu_check(&s, (uint64_t)i);
  }
  s.axis[0].os = 1, s.loop[0].os = 43; /* from columns to rows */
  gpu_check(&s, 4);
}

/* One of each, for emulated GPUs: kernels are what takes long. */
static void a_few(void) {
  static const int64_t n[] = {17, 29, 37, 101, 202, 127, 10007, 2048 * 37}, plane[] = {101, 12}, cube[] = {4, 41, 6};
  one(MFFT_FFT_C2C, MFFT_DOUBLE, 1, &n[0], 5, 1, 0);
  one(MFFT_FFT_C2R, MFFT_SINGLE, 1, &n[1], 5, 0, 0);
  one(MFFT_FFT_C2C, MFFT_SINGLE, 1, &n[2], 40, 0, 0);
  one(MFFT_FFT_C2C, MFFT_DOUBLE, 1, &n[3], 3, 1, 1);
  one(MFFT_FFT_R2C, MFFT_SINGLE, 1, &n[4], 3, 1, 0);
  one(MFFT_FFT_C2R, MFFT_DOUBLE, 1, &n[5], 3, 0, 0);
  one(MFFT_FFT_R2C, MFFT_HALF, 1, &n[6], 2, 0, 0);
  one(MFFT_FFT_C2C, MFFT_SINGLE, 1, &n[7], 1, 0, 1);
  one(MFFT_FFT_C2C, MFFT_BFLOAT16, 2, plane, 2, 1, 0);
  one(MFFT_FFT_C2R, MFFT_SINGLE, 3, cube, 2, 0, 0);

  /* By Rader's algorithm with coprime radices, one of them a long prime, and a half spectrum. */
  static const int64_t twice_a_prime = 382;
  const mfft_fft_spec coprime = packed_spec(MFFT_FFT_R2C, MFFT_FORWARD, MFFT_DOUBLE, 1, &twice_a_prime, 5, 0);
  gpu_check_of(&coprime, CASE_NOISE, 382);
}

/* Real lines of odd length, which are transformed in pairs: one line, pairs, a line alone behind pairs, rows of planes, in
 * one block and in several passes. */
static void pairs(void) {
  static const int64_t n[] = {61, 10007, 83}, plane[] = {7, 83}, rows[] = {3, 5, 61};
  one(MFFT_FFT_R2C, MFFT_DOUBLE, 1, &n[0], 1, 0, 0);
  one(MFFT_FFT_R2C, MFFT_DOUBLE, 1, &n[0], 2, 1, 0);
  one(MFFT_FFT_C2R, MFFT_SINGLE, 1, &n[0], 131, 1, 0);
  one(MFFT_FFT_R2C, MFFT_BFLOAT16, 1, &n[0], 131, 0, 0);
  one(MFFT_FFT_R2C, MFFT_DOUBLE, 1, &n[2], 5, 1, 0);
  one(MFFT_FFT_C2R, MFFT_HALF, 1, &n[2], 4, 0, 0);
  one(MFFT_FFT_R2C, MFFT_SINGLE, 2, plane, 1, 1, 0);
  one(MFFT_FFT_C2R, MFFT_DOUBLE, 2, plane, 2, 0, 0);
  one(MFFT_FFT_R2C, MFFT_DOUBLE, 3, rows, 1, 0, 0);
  one(MFFT_FFT_R2C, MFFT_SINGLE, 1, &n[1], 3, 1, 0);
  one(MFFT_FFT_R2C, MFFT_BFLOAT16, 1, &n[1], 3, 0, 0);
  one(MFFT_FFT_C2R, MFFT_DOUBLE, 1, &n[1], 3, 1, 0);
  one(MFFT_FFT_C2R, MFFT_HALF, 1, &n[1], 2, 0, 0);
}

/* Real lines of even length, whose half spectra are packed by the pass that convolves them: rows, columns, planes. */
static void even(void) {
  static const int64_t n[] = {122, 166}, plane[] = {6, 166};
  mfft_fft_spec s = {.effort = MFFT_ESTIMATE, .precision = MFFT_SINGLE, .scale = 0.5, .naxes = 1, .nloops = 1};
  one(MFFT_FFT_R2C, MFFT_DOUBLE, 1, &n[0], 37, 0, 0);
  one(MFFT_FFT_C2R, MFFT_SINGLE, 1, &n[0], 5, 1, 0);
  one(MFFT_FFT_C2R, MFFT_HALF, 1, &n[0], 37, 0, 0);
  one(MFFT_FFT_R2C, MFFT_SINGLE, 1, &n[1], 5, 1, 0);
  one(MFFT_FFT_C2R, MFFT_DOUBLE, 1, &n[1], 5, 0, 0);
  one(MFFT_FFT_R2C, MFFT_BFLOAT16, 2, plane, 2, 0, 0);
  one(MFFT_FFT_C2R, MFFT_DOUBLE, 2, plane, 2, 1, 0);
  for (int i = 0; i < 4; i++) {
    const int real = i % 2 ? 1 : 2, half = 3 - real; /* columns apart, or side by side, of both sides */
    s.type = real == 2 ? MFFT_FFT_R2C : MFFT_FFT_C2R, s.direction = (mfft_direction)(real == 1);
    s.axis[0] = (mfft_dim){n[i / 2], 19 * real, 19 * half};
    s.loop[0] = (mfft_dim){19, 1, 1};
    gpu_check(&s, (uint64_t)i);
  }
}

/* Real lines by Rader's algorithm that touch in memory, in blocks of 16 as in large batches: pairs of odd lines, the last of
 * which is alone, and even lines; the last block of both has fewer. */
static void rader_of_reals(void) {
  for (int type = MFFT_FFT_R2C; type <= MFFT_FFT_C2R; type++)
    for (int even = 0; even < 2; even++) {
      const int64_t n = even ? 122 : 61;
      mfft_fft_spec s = packed_spec((mfft_fft_type)type, (mfft_direction)(type == MFFT_FFT_C2R), MFFT_SINGLE, 1, &n, 67, 0);
      s.block.lines = 16, s.block.line_threads = 4;
      s.block.radix[0] = 15, s.block.radix[1] = 4;
      gpu_check_of(&s, CASE_NOISE, (uint64_t)type);
    }
}

/* Lines that are convolved in blocks as large batches have them: of two merges, complex and of pairs of reals. */
static void convolved_in_blocks(void) {
  static const struct {
    mfft_precision precision;
    int64_t n;
    int radix[2], lines, threads;
  } rows[] = {{MFFT_DOUBLE, 509, {32, 32}, 4, 32}, {MFFT_SINGLE, 83, {16, 12}, 8, 16}}; /* [2] */
  for (int i = 0; i < 2; i++)
    for (int type = MFFT_FFT_C2C; type <= MFFT_FFT_C2R; type++) {
      if (i == 0 && type != MFFT_FFT_C2C) continue;
      const mfft_direction direction = (mfft_direction)(type == MFFT_FFT_C2R);
      mfft_fft_spec s = packed_spec((mfft_fft_type)type, direction, rows[i].precision, 1, &rows[i].n, 21, 0);
      s.block.lines = rows[i].lines, s.block.line_threads = rows[i].threads;
      memcpy(s.block.radix, rows[i].radix, sizeof rows[i].radix);
      gpu_check_of(&s, CASE_NOISE, (uint64_t)type);
    }
}

int main(int argc, char **argv) {
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  a_few();
  rader();
  rader_of_reals();
  convolved_in_blocks();
  strides();
  pairs();
  even();
  if (test_small() && !(argc > 1 && !strcmp(argv[1], "all"))) return test_end();
  lines();
  shapes();
  return test_end();
}
#endif
