// TEST labels=cuda timeout=300
// TEST labels=emulated args=small timeout=300
/* Long axes in parts that stay in the cache for two of three passes: lines of every precision, complex and real, columns of
 * 2D arrays, planes of cubes, in place and not.  On a GPU also long ones, which give the same bits as passes over the whole
 * array. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/planner/print.h"

/* On an emulated GPU half of the cases are omitted, such that neighbouring groups together have all variants, and of the
 * others a sample runs. */
static int left_out(int group, int variant) { return (test_small() && (group + variant) % 2) || !test_sampled(); }

static const mfft_phases *phases_of(const mfft_fft_spec *spec) {
  static mfft_phases phases;
  mfft_cuda_current here;
  const int found = mfft_cuda_find_current(&here) == MFFT_SUCCESS;
  CHECK_OK(mfft_phases_make(spec, found ? here.limits : &mfft_limits_sm90, &phases));
  return &phases;
}

/* One phase has parts of two passes: the second phase, except for complex lines in double, lines before a half spectrum, and
 * columns after one: there the first. */
static void expect_parts(const mfft_fft_spec *spec) {
  const mfft_phases *phases = phases_of(spec);
  const int line = spec->naxes == 1;
  const int early = spec->type == MFFT_FFT_C2C ? line && spec->precision == MFFT_DOUBLE
                                               : spec->type == (line ? MFFT_FFT_R2C : MFFT_FFT_C2R);
  const mfft_phase *p = &phases->phase[!early];
  char text[512];
  mfft_phases_print(phases, text, sizeof text);
  CHECK(phases->count == 2 && p->parts[0] * p->parts[1] > 1 && p->schedule.count == 2, "no parts: %s", text);
}

/* The merges of all passes, as mfft_desc names them. */
static void name_merges(const mfft_phases *phases, char *text, size_t size) {
  size_t used = 0;
  for (int p = 0; p < phases->count; p++)
    for (int i = 0; i < phases->phase[p].schedule.count; i++)
      for (int m = 0; m < phases->phase[p].schedule.pass[i].kernel.chain.merges; m++)
        used += (size_t)snprintf(text + used, size - used, "%s%d",
                                 m      ? ","
                                 : used ? "+"
                                        : "",
                                 phases->phase[p].schedule.pass[i].kernel.chain.radix[m]);
}

/* The result of a transform of noise; to be freed. */
static void *result_of(const mfft_fft_spec *spec) {
  transform_case c = {.spec = *spec, .in_reals = case_reals(spec, 0), .out_reals = case_reals(spec, 1)};
  uint64_t seed = 9;
  if (spec->in_place) c.in_reals = c.out_reals = c.in_reals > c.out_reals ? c.in_reals : c.out_reals;
  const size_t bytes = (size_t)c.out_reals * mfft_real_bytes(spec->precision);
  c.in = calloc((size_t)c.in_reals, mfft_real_bytes(spec->precision));
  c.out = spec->in_place ? c.in : malloc(bytes);
  void *result = malloc(bytes);
  const int64_t noise = c.in_reals < 1000003 ? c.in_reals : 1000003; /* reals, then the same again */
  const size_t real = mfft_real_bytes(spec->precision);
  for (int64_t i = 0; i < noise; i++) store_value(spec->precision, c.in, i, test_random(&seed));
  for (int64_t i = noise; i < c.in_reals; i += noise)
    memcpy((char *)c.in + (size_t)i * real, c.in, (size_t)(c.in_reals - i < noise ? c.in_reals - i : noise) * real);
  if (!spec->in_place) memset(c.out, 0, bytes);
  CHECK(gpu_transform(&c, result), "%s: %s", spec_words(spec), mfft_last_error());
  if (!spec->in_place) free(c.out);
  free(c.in);
  return result;
}

static void same_bits(const mfft_fft_spec *spec, const char *radices) {
  mfft_fft_spec plain = *spec;
  plain.part_bytes = -1;
  plain.part_alone = 0;
  plain.radices[0] = radices;
  expect_parts(spec);
  if (compile_only(spec) + compile_only(&plain)) return;
  void *in_parts = result_of(spec), *whole = result_of(&plain);
  CHECK(!memcmp(in_parts, whole, (size_t)case_reals(spec, 1) * mfft_real_bytes(spec->precision)),
        "%s: parts give other bits than the whole array", spec_words(&plain));
  free(in_parts);
  free(whole);
}

static void small_lines(void) {
  for (int p = 0; p < 4; p++)
    for (int variant = 0; variant < 4; variant++) {
      if (left_out(p, variant)) continue;
      const int64_t n = 1 << (p == MFFT_DOUBLE ? 16 : 17);
      const int in_place = variant > 1;
      char radices[128];
      mfft_fft_spec s =
          packed_spec(MFFT_FFT_C2C, (mfft_direction)(variant % 2), (mfft_precision)p, 1, &n, 2 + (variant == 1), in_place);
      s.part_bytes = p >= MFFT_HALF ? 220000 : 450000;
      s.part_alone = p == MFFT_DOUBLE ? 16 : p == MFFT_SINGLE ? 32 : 64;
      s.columns = -1;
      s.tile_bytes = -1;
      s.scale = 0.5;
      if (!in_place) s.loop[0].is += 8, s.loop[0].os += 16;
      expect_parts(&s);
      gpu_check(&s, 3);
      if (p >= MFFT_HALF) continue; /* tensor cores have their own radices */
      name_merges(phases_of(&s), radices, sizeof radices);
      same_bits(&s, radices);
    }
}

static void small_real_lines(void) {
  for (int type = MFFT_FFT_R2C; type <= MFFT_FFT_C2R; type++)
    for (int variant = 0; variant < 4; variant++) {
      if (left_out(type, variant)) continue;
      const int in_place = variant > 1;
      const int64_t n = variant % 2 ? 3 << 16 : 1 << 18;
      char radices[128];
      mfft_fft_spec s = packed_spec((mfft_fft_type)type, (mfft_direction)(type == MFFT_FFT_C2R),
                                    variant == 2 ? MFFT_DOUBLE : MFFT_SINGLE, 1, &n, 2 + variant % 2, in_place);
      s.part_bytes = 450000;
      s.part_alone = 32;
      s.scale = 0.5;
      if (!in_place) s.loop[0].is += 8, s.loop[0].os += 16;
      expect_parts(&s);
      gpu_check(&s, 3);
      name_merges(phases_of(&s), radices, sizeof radices);
      same_bits(&s, radices);
    }
}

static void small_columns(void) {
  static const int64_t n[2] = {4096, 100}; /* 51 complexes of a half spectrum */
  for (int type = 0; type < 3; type++)
    for (int in_place = 0; in_place < 2; in_place++) {
      if (left_out(type, in_place)) continue;
      mfft_fft_spec s = packed_spec((mfft_fft_type)type, (mfft_direction)(type == 2), MFFT_SINGLE, 2, n, 3, in_place);
      s.part_bytes = 700000;
      s.columns = -1;
      s.destroy_input = type == 2;
      s.scale = 0.5;
      expect_parts(&s);
      gpu_check(&s, 5);
    }
}

/* Complex cubes: the slow axis from the input to the output, then planes in parts in place. */
static void small_cubes(void) {
  static const int64_t n[3] = {32, 32, 64};
  for (int p = 0; p < 4; p++)
    for (int in_place = 0; in_place < 2; in_place++) {
      if (left_out(p, in_place)) continue;
      mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, (mfft_direction)(p % 2), (mfft_precision)p, 3, n, 2, in_place);
      s.part_bytes = p >= MFFT_HALF ? 30000 : 60000;
      s.cluster = -1;
      s.tile_bytes = -1;
      s.scale = 0.5;
      const mfft_phases *phases = phases_of(&s);
      const mfft_phase *planes = &phases->phase[1];
      CHECK(phases->count == 2 && planes->parts[0] * planes->parts[1] > 1 && planes->src == MFFT_AT_OUT, "%s: no parts",
            spec_words(&s));
      gpu_check(&s, 7);
    }
}

/* Seventeen planes in parts of three, so that the last part has two.  Equal planes have equal results in all parts. */
static void uneven_planes(void) {
  static const int64_t n[2] = {32, 64};
  for (int type = 0; type < 3; type++)
    for (int p = MFFT_DOUBLE; p <= MFFT_HALF; p++) {
      if (left_out(type, p) || (type && p == MFFT_HALF)) continue;
      const int64_t bytes = 2 * (int64_t)mfft_real_bytes((mfft_precision)p) * n[0] * (type ? n[1] / 2 + 1 : n[1]);
      mfft_fft_spec s = packed_spec((mfft_fft_type)type, (mfft_direction)(type == 2), (mfft_precision)p, 2, n, 17, p == 1);
      s.part_bytes = 7 * bytes / 2;
      s.cluster = -1;
      s.tile_bytes = -1;
      s.scale = 0.5;
      s.destroy_input = type == 2;
      const mfft_phase *planes = &phases_of(&s)->phase[0];
      CHECK(planes->uneven == 1 && planes->parts[0] == 6, "%s: %lld parts", spec_words(&s), (long long)planes->parts[0]);
      gpu_check(&s, 7);
    }
}

/* Padded lines of a convolution in several passes (planner/bluestein.h), complex ones and pairs of real ones, the last part
 * of one. */
static void uneven_padded_lines(void) {
  const int64_t n = 8209;
  for (int type = 0; type < 3; type++) {
    mfft_fft_spec s = packed_spec((mfft_fft_type)type, (mfft_direction)(type == 2), MFFT_DOUBLE, 1, &n, 11, 0);
    s.part_bytes = (type ? 8 : 16) * n * 21 / 4;
    const mfft_phase *lines = &phases_of(&s)->phase[0];
    CHECK(lines->uneven == 1 && lines->parts[0] == 6, "%s: %lld parts", spec_words(&s), (long long)lines->parts[0]);
    gpu_check_of(&s, CASE_NOISE, 7);
  }
}

/* Half spectra that must not change: the slow axis from the input to the workspace (preserved_between -1), or to the output
 * (0, with the ends in the workspace), then planes in parts. */
static void small_preserved_cubes(void) {
  static const int64_t n[3] = {32, 32, 66};
  for (int variant = 0; variant < 4; variant++) {
    const int apart = variant % 2, whole = variant < 2;
    mfft_fft_spec s = packed_spec(MFFT_FFT_C2R, MFFT_BACKWARD, MFFT_DOUBLE, 3, n, 1 + apart, 0);
    s.part_bytes = 60000;
    s.cluster = -1;
    s.scale = 0.5;
    s.preserved_between = whole ? -1 : 0;
    if (apart) s.axis[1].is += 2, s.axis[0].is += 64 + 5, s.loop[0].is += 32 * 69; /* rows apart, planes apart */
    const mfft_phases *phases = phases_of(&s);
    const mfft_phase *planes = &phases->phase[whole ? 1 : 2];
    CHECK(phases->count == (whole ? 2 : 5) && planes->parts[0] * planes->parts[1] > 1 &&
              planes->src == (whole ? MFFT_AT_WORK : MFFT_AT_ROWS),
          "%s: no parts", spec_words(&s));
    gpu_check(&s, 7);
  }
}

static void long_lines(void) {
  for (int p = 0; p < 3; p++)
    for (int variant = 0; variant < 4; variant++) {
      const int64_t n = INT64_C(1) << (p == MFFT_HALF ? 24 : 23 + variant % 2);
      char radices[128];
      mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, (mfft_direction)(variant % 2), (mfft_precision)p, 1, &n, 2, variant > 1);
      name_merges(phases_of(&s), radices, sizeof radices);
      same_bits(&s, p == MFFT_HALF ? NULL : radices);
    }
}

static void long_real_lines(void) {
  for (int type = MFFT_FFT_R2C; type <= MFFT_FFT_C2R; type++)
    for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++) {
      const int64_t n = 1 << 24;
      char radices[128];
      mfft_fft_spec s =
          packed_spec((mfft_fft_type)type, (mfft_direction)(type == MFFT_FFT_C2R), (mfft_precision)p, 1, &n, 3, 0);
      name_merges(phases_of(&s), radices, sizeof radices);
      same_bits(&s, radices);
    }
}

static void long_columns(void) {
  static const int64_t n[2] = {16384, 4096};
  for (int p = 0; p < 3; p++)
    for (int in_place = 0; in_place < 2; in_place++) {
      mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, (mfft_precision)p, 2, n, 1, in_place);
      /* Rows of half that are a phase of their own would be done by butterflies, those of a plane are not (rounds_once in
       * engines/sixteen.c). */
      if (p == MFFT_HALF) s.compute = MFFT_COMPUTE_TENSOR;
      same_bits(&s, NULL);
    }
}

int main(int argc, char **argv) {
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  small_lines();
  small_real_lines();
  small_columns();
  small_cubes();
  small_preserved_cubes();
  uneven_planes();
  uneven_padded_lines();
  if (argc > 1 && !strcmp(argv[1], "small")) return test_end(); /* for sanitizers and emulation */
  long_lines();
  long_real_lines();
  long_columns();
  return test_end();
}
#endif
