// TEST labels=cuda timeout=120
// TEST labels=emulated timeout=120 args=composites
/* Transforms with their radices named, on the GPU: the merging kernels of the tcFFT papers, 16 to 8192 in one pass, chains
 * of passes, radices in any order on butterflies, and planes with a name for each axis; and blocks of a requested shape.
 *
 *   t813-cuda-radices [composites]      all, or the composite radices above 16 alone */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/planner/phases.h"

static void line(mfft_precision p, int64_t n, int64_t batch, const char *radices) {
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, p, 1, &n, batch, 0);
  s.radices[0] = radices;
  if (p == MFFT_HALF) s.compute = MFFT_COMPUTE_TENSOR;
  gpu_check(&s, 17);
  s.direction = MFFT_BACKWARD;
  if (p != MFFT_HALF) gpu_check(&s, 18);
}

/* Blocks whose chain, threads and lines are requested, and what they multiply by; one that does not suit its line. */
static void check_blocks(void) {
  static const struct {
    mfft_fft_type type;
    mfft_precision precision;
    int64_t n;
    mfft_block_trial block;
  } blocks[] = {
      {MFFT_FFT_C2C, MFFT_SINGLE, 539, {.radix = {7, 11, 7}, .line_threads = 77, .lines = 2, .blocks = 4}},
      {MFFT_FFT_C2C, MFFT_HALF, 1053, {.radix = {9, 13, 9}, .line_threads = 117, .lines = 1, .products = 4}},
      {MFFT_FFT_R2C, MFFT_SINGLE, 343, {.radix = {7, 7, 7}, .line_threads = 28, .lines = 3, .staging = 4}},
      {MFFT_FFT_C2R, MFFT_SINGLE, 343, {.radix = {7, 7, 7}, .line_threads = 28, .lines = 3, .staging = 4, .prefetch = 2}},
      {MFFT_FFT_C2C, MFFT_SINGLE, 539, {.radix = {11, 7, 7}, .line_threads = 49, .lines = 2, .early = 3}},
      {MFFT_FFT_C2C, MFFT_DOUBLE, 1155, {.radix = {15, 7, 11}, .line_threads = 77, .lines = 1, .early = 3, .products = 3}},
      {MFFT_FFT_R2C, MFFT_SINGLE, 343, {.radix = {7, 7, 7}, .line_threads = 28, .lines = 3, .early = 3}},
      {MFFT_FFT_C2C, MFFT_SINGLE, 2401, {.radix = {7, 7, 7, 7}, .line_threads = 343, .lines = 1, .products = 5}},
      {MFFT_FFT_C2C, MFFT_SINGLE, 1152, {.radix = {16, 24, 3}, .line_threads = 72, .lines = 1, .products = 5}},
      {MFFT_FFT_C2R, MFFT_SINGLE, 343, {.radix = {7, 7, 7}, .line_threads = 28, .lines = 3, .early = 3}}};
  for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++)
    for (int backward = 0; backward < (blocks[i].type == MFFT_FFT_C2C ? 2 : 1); backward++) {
      const mfft_direction direction = backward || blocks[i].type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
      mfft_fft_spec s = packed_spec(blocks[i].type, direction, blocks[i].precision, 1, &blocks[i].n, 7, 0);
      s.block = blocks[i].block;
      if (s.precision == MFFT_HALF) s.scale = 1.0 / 32;
      gpu_check(&s, 19);
    }
  mfft_phases phases;
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 1, &blocks[0].n, 7, 0);
  s.block = (mfft_block_trial){.radix = {7, 11, 8}, .line_threads = 77, .lines = 1};
  CHECK_FAILS(mfft_phases_make(&s, &mfft_limits_sm90, &phases), MFFT_ERR_UNSUPPORTED, "chain of a trial");
}

/* Every composite radix above 16. */
static void check_composites(void) {
  static const struct {
    int64_t n;
    const char *radices;
  } chains[] = {{25 * 24 * 22, "25,24,22"}, {30 * 28 * 18, "30,28,18"}, {27 * 26 * 21, "27,26,21"}, {20 * 20, "20,20"}};
  for (int i = 0; i < 4 && (i == 0 || test_sampled() || !test_small()); i++)
    line(MFFT_SINGLE, chains[i].n, 2, chains[i].radices);
}

int main(int argc, char **argv) {
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  check_composites();
  check_blocks();
  if (argc > 1 && !strcmp(argv[1], "composites")) return test_end();
  for (int bits = 4; bits <= 13; bits++) {
    char text[64] = "";
    for (int left = bits; left > 0; left -= 4)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", *text ? "," : "", left > 4 ? 16 : 1 << left);
    for (int p = 0; p < 4; p++) line((mfft_precision)p, 1 << bits, 37, text);
  }
  static const struct {
    mfft_precision precision;
    int64_t n;
    const char *radices;
  } chains[] = {
      {MFFT_HALF, 65536, "16,16+16,16"},     {MFFT_HALF, 65536, "16,16,16+16"},    {MFFT_HALF, 65536, "16,16,16,2+8"},
      {MFFT_BFLOAT16, 65536, "16+16,16+16"}, {MFFT_HALF, 131072, "16,16,2+16,16"}, {MFFT_HALF, 1 << 20, "16,16,4+16,16,4"},
      {MFFT_SINGLE, 65536, "16,16+16,16"},   {MFFT_SINGLE, 65536, "4,8,8+8,2,16"}, {MFFT_SINGLE, 8192, "32,16,16"},
      {MFFT_DOUBLE, 65536, "8,8,4+2,4,4,8"}, {MFFT_DOUBLE, 1024, "2,32,16"},       {MFFT_DOUBLE, 60 * 77, "7,11+3,4,5"}};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) line(chains[i].precision, chains[i].n, 5, chains[i].radices);
  const int64_t plane[2] = {512, 256};
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_HALF, 2, plane, 3, 0);
  s.radices[0] = "16,16,2x";
  s.radices[1] = "16,16";
  s.compute = MFFT_COMPUTE_TENSOR;
  gpu_check(&s, 19);
  s = packed_spec(MFFT_FFT_R2C, MFFT_FORWARD, MFFT_SINGLE, 2, plane, 3, 0);
  s.radices[0] = "8,8,8";
  s.radices[1] = "4,16,2";
  gpu_check(&s, 20);
  return test_end();
}
#endif
