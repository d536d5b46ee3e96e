// TEST labels=cuda timeout=300
// TEST labels=emulated args=tiny timeout=120
/* 16-bit numbers in resident tiles, by name: lines, columns, long lines of two passes, planes, by one block or by clusters
 * of 2, 4 and 8, in place and not, both directions, batches that fill no tile. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/planner/schedule.h"

static const struct {
  int kilobytes, blocks, double_buffered;
} all_variants[] = {{64, 1, 0}, {128, 1, 1}, {32, 4, 1},  {64, 2, 1},  {32, 1, 0}, {64, 1, 1}, {128, 2, 1},
                    {32, 1, 1}, {64, 4, 1},  {128, 1, 0}, {128, 8, 1}, {32, 8, 1}, {64, 8, 1}, {32, 2, 1}}; /* [14] */

/* Runs every `step`-th of the variants that suit the spec, beginning with another one each time; returns their number. */
static int in_tiles(const mfft_fft_spec *spec, int step) {
  static int first;
  int suits = 0, variants = 0;
  for (int i = 0; i < 14; i++) {
    mfft_fft_spec s = *spec;
    mfft_schedule schedule;
    s.tile_bytes = all_variants[i].kilobytes * 1024, s.cluster = all_variants[i].blocks,
    s.tile_double_buffered = all_variants[i].double_buffered;
    s.direction = (mfft_direction)(suits % 2);
    int takes = 0;
    CHECK_OK(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule));
    for (int p = 0; p < schedule.count; p++) takes |= schedule.pass[p].kernel.engine == MFFT_ENGINE_RESIDENT;
    if (takes && (suits++ + first) % step == 0) variants++, gpu_check(&s, (uint64_t)i);
  }
  first++;
  return variants;
}

/* More clusters, and more blocks, than an emulated GPU runs at a time; in bfloat16 also a long line whose two passes divide
 * their tiles differently. */
static void tiny(void) {
  const int64_t n[2] = {64, 64}, line = 1 << 19;
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_HALF, 2, n, 37, 1);
  s.tile_bytes = 1 << 14;
  gpu_check(&s, 1);
  s.tile_double_buffered = 1;
  for (s.cluster = 1; s.cluster <= 4; s.cluster *= 2) gpu_check(&s, 1);
  s = packed_spec(MFFT_FFT_C2C, MFFT_BACKWARD, MFFT_BFLOAT16, 1, &line, 1, 1);
  s.tile_bytes = 1 << 15, s.cluster = 4;
  gpu_check(&s, 1);
}

int main(int argc, char **argv) {
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  if (argc > 1 && !strcmp(argv[1], "tiny")) return tiny(), test_end();
  const int all = !(argc > 1 && !strcmp(argv[1], "small")); /* small: for sanitizers and emulation */
  const int step = all ? 3 : 4;
  for (int bits = 13; bits <= (all ? 24 : 15); bits++) {
    const int64_t n = 1ll << bits, batch = bits < 20 ? 5 : 1;
    mfft_fft_spec s =
        packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, bits % 4 == 3 ? MFFT_BFLOAT16 : MFFT_HALF, 1, &n, batch, bits % 2);
    if (bits % 3) s.scale = 1.0 / (double)n;
    const int variants = in_tiles(&s, step);
    CHECK(variants, "no variant for 2^%d", bits);
  }
  static const int64_t planes[][3] = {{64, 64, 0},     {64, 128, 0},    {128, 128, 0},   {256, 64, 0},  {256, 256, 0},
                                      {1024, 256, 0},  {2048, 64, 0},   {4096, 32, 0},   {8192, 16, 0}, {5, 64, 64},
                                      {128, 128, 128}, {1024, 1024, 0}, {2048, 2048, 0}, {64, 4096, 0}}; /* [14] */
  for (int i = 0; i < (all ? 14 : 3); i++) {
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, i % 3 ? MFFT_HALF : MFFT_BFLOAT16, planes[i][2] ? 3 : 2,
                                  planes[i], i < 5 ? 7 : 1, i % 2);
    if (i % 3 == 1) s.scale = 1.0 / 4096;
    in_tiles(&s, step);
  }
  /* Lines and planes with gaps between them; an array without a stride that is a multiple of four has another algorithm. */
  mfft_fft_spec apart = {.effort = MFFT_ESTIMATE, .precision = MFFT_HALF, .scale = 0.5, .naxes = 2, .nloops = 2};
  apart.axis[0] = (mfft_dim){64, 140, 132};
  apart.axis[1] = (mfft_dim){128, 1, 1};
  apart.loop[0] = (mfft_dim){2, 60000, 50000};
  apart.loop[1] = (mfft_dim){3, 9000, 8448};
  CHECK(in_tiles(&apart, 1), "no variant for planes with gaps");
  apart.axis[0].is = 141;
  CHECK(!in_tiles(&apart, 1), "rows that are 141 elements apart are in fours");
  return test_end();
}
#endif
