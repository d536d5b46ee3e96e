// TEST timeout=300
/* The phases of a transform and their parts, executed on the CPU as t800 executes schedules: long lines, cubes, parts of
 * unequal size, and arrays of which a part is given or wanted. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/planner/print.h"
#include "play_schedule.h"

/* Executes phases in parts, as transform.c does.  Returns how many of them have parts of several passes. */
static int play_phases(const mfft_phases *phases, void *in, void *out) {
  int in_parts = 0;
  double *work = malloc(phases->work_bytes + 8);
  double *between = work + phases->between_offset_bytes / 8;
  double *array[] = {[MFFT_AT_IN] = in, [MFFT_AT_OUT] = out, [MFFT_AT_WORK] = between, [MFFT_AT_ROWS] = out};
  for (size_t i = 0; i < phases->work_bytes / 8; i++) work[i] = NAN;
  for (int i = 0; i < phases->count; i++) {
    const mfft_phase *p = &phases->phase[i];
    if (p->rows == 2) continue; /* for an output of less alignment */
    in_parts += p->parts[0] * p->parts[1] > 1 && p->schedule.count > 1;
    for (int64_t j = 0, parity = 0; j < p->parts[0] * p->parts[1]; j++, parity ^= 1) {
      const int64_t outer = j / p->parts[1], inner = j % p->parts[1];
      const char *place[MFFT_PLACES], *area = (char *)work + (size_t)parity * p->schedule.work_bytes;
      const char *from = (char *)array[p->src] + p->src_first_bytes, *to = (char *)array[p->dst] + p->dst_first_bytes;
      mfft_schedule_places(&p->schedule, from + outer * p->in_step_bytes[0] + inner * p->in_step_bytes[1],
                           to + outer * p->out_step_bytes[0] + inner * p->out_step_bytes[1], area, place);
      place[MFFT_AT_ENDS] = (char *)between + outer * p->ends_step_bytes[0] + inner * p->ends_step_bytes[1];
      play_passes(mfft_is_rest(p, (const int64_t[]){outer, inner}) ? p->rest : p->schedule.pass, p->schedule.count,
                  outer * p->twiddle_step[0] + inner * p->twiddle_step[1], place);
    }
  }
  free(work);
  return in_parts;
}

static void check_phases(const mfft_fft_spec *spec, const mfft_device_limits *limits, int in_parts) {
  mfft_phases phases;
  transform_case c;
  char text[512];
  CHECK_OK(mfft_phases_make(spec, limits, &phases));
  CHECK(case_make(&c, spec, 42), "FFTW");
  in_parts -= play_phases(&phases, c.in, c.out);
  mfft_phases_print(&phases, text, sizeof text);
  CHECK(!in_parts, "%lld x %lld in other parts: %s", (long long)spec->axis[0].n, (long long)spec->axis[1].n, text);
  CHECK(case_error(&c, c.out) < 1e-12, "type %d in place %d: error %.2e by %s", spec->type, spec->in_place,
        case_error(&c, c.out), text);
  case_free(&c);
}

/* Replaces the numbers beyond the given points of a side in C order by `value`. */
static void set_beyond(const mfft_fft_spec *s, int output, double *array, double value) {
  const int parts = case_real_side(s, output) ? 1 : 2;
  for (int64_t i = 0; i < case_reals(s, output) / parts; i++) {
    int64_t rest = i, beyond = 0;
    for (int a = 0; a < s->naxes; a++) {
      const int64_t stride = output ? s->axis[a].os : s->axis[a].is;
      beyond |= s->given[a] && rest / stride >= s->given[a];
      rest %= stride;
    }
    for (int r = 0; beyond && r < parts; r++) array[parts * i + r] = value;
  }
}

/* Given and wanted parts of axes in arrays of the whole shape: forward as with zeros in the place of numbers that must not
 * be read, backward as the whole transform but for numbers that must not be written. */
static void check_pruned(const mfft_fft_spec *whole, const int64_t given[3], const mfft_device_limits *limits) {
  const int forward = whole->direction == MFFT_FORWARD;
  mfft_fft_spec pruned = *whole;
  mfft_phases phases[2];
  transform_case c;
  char text[512];
  double error = 0;
  memcpy(pruned.given, given, sizeof pruned.given);
  CHECK_OK(mfft_phases_make(whole, limits, &phases[0]));
  CHECK_OK(mfft_phases_make(&pruned, limits, &phases[1]));
  mfft_phases_print(&phases[1], text, sizeof text);
  CHECK(case_make(&c, whole, 7), "FFTW");
  const size_t in_bytes = (size_t)c.in_reals * sizeof(double), out_bytes = (size_t)c.out_reals * sizeof(double);
  double *in[2] = {malloc(in_bytes), malloc(in_bytes)}, *out[2] = {malloc(out_bytes), malloc(out_bytes)};
  for (int i = 0; i < 2; i++) {
    memcpy(in[i], c.in, in_bytes);
    for (int64_t j = 0; j < c.out_reals; j++) out[i][j] = CASE_SENTINEL;
    if (forward) set_beyond(&pruned, 0, in[i], i ? NAN : 0);
    const int in_parts = play_phases(&phases[i], in[i], out[i]);
    const int slow =
        phases[1].phase[0].schedule.pass[0].kernel.in.map == MFFT_MAP_LINE && forward; /* the slow axis is first */
    const int reals = phases[1].phase[0].schedule.pass[0].kernel.in.form == MFFT_FORM_REAL_PAIR;
    CHECK(!i || phases[1].count == (whole->part_bytes < 0 ? 1
                                    : slow && reals       ? 3
                                                          : 2),
          "%d phases: %s", phases[1].count, text);
    CHECK(!i || in_parts == (whole->part_bytes > 0 && !(given[0] && given[0] <= 5)), "%d phases in parts: %s", in_parts,
          text);
  }
  if (!forward) set_beyond(&pruned, 1, out[0], CASE_SENTINEL);
  for (int64_t j = 0; j < c.out_reals; j++) error = fmax(error, isnan(out[1][j]) ? 1 : fabs(out[1][j] - out[0][j]));
  CHECK(error < 1e-11, "type %d: off by %.2e by %s", whole->type, error, text);
  CHECK(forward || whole->destroy_input || !memcmp(in[1], c.in, in_bytes), "type %d: the input has changed", whole->type);
  for (int i = 0; i < 2; i++) free(in[i]), free(out[i]);
  case_free(&c);
}

/* Cubes of which a part is given and wanted, in one phase and in two: then the fast axes in parts of the planes that exist.
 */
static void check_pruned_cubes(const mfft_device_limits *limits) {
  static const int64_t given[][3] = {{5, 9, 13}, {12, 0, 1}, {0, 7, 16}, {3, 0, 0}}; /* [4] */
  for (int type = 0; type < 4; type++)                                               /* 3: C2C backward */
    for (int variant = 0; variant < 4; variant++) {
      const int64_t n[] = {14, 12, 20 + variant % 2}, half = n[2] / 2 + 1, row[] = {n[2], n[2], half, n[2]};
      const int64_t is = row[type], os = type == 1 ? half : n[2];
      mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 3, .nloops = 1};
      s.type = (mfft_fft_type)(type % 3);
      s.direction = (mfft_direction)(type > 1);
      s.axis[0] = (mfft_dim){n[0], n[1] * is, n[1] * os};
      s.axis[1] = (mfft_dim){n[1], is, os};
      s.axis[2] = (mfft_dim){n[2], 1, 1};
      s.loop[0] = (mfft_dim){1, n[0] * n[1] * is, n[0] * n[1] * os};
      s.destroy_input = type > 1 && variant / 2;
      s.part_bytes = -1;
      check_pruned(&s, given[variant], limits);
      s.part_bytes = 6000;
      check_pruned(&s, given[variant], limits);
    }
}

/* R2C of cubes in parts whose slow axis comes first, as fewer bytes are then moved. */
static void check_slow_reals(const mfft_device_limits *limits) {
  static const int64_t given[][3] = {{7, 6, 10}, {0, 6, 5}, {14, 1, 11}}; /* [3] */
  for (int variant = 0; variant < 3; variant++) {
    enum { X = 14, Y = 12, Z = 20, HALF = Z / 2 + 1 };
    mfft_fft_spec s = {.type = MFFT_FFT_R2C, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 3, .nloops = 1};
    s.axis[0] = (mfft_dim){X, Y * Z, Y * HALF};
    s.axis[1] = (mfft_dim){Y, Z, HALF};
    s.axis[2] = (mfft_dim){Z, 1, 1};
    s.loop[0] = (mfft_dim){1, X * Y * Z, X * Y * HALF};
    s.part_bytes = 2500;
    check_pruned(&s, given[variant], limits);
    mfft_phases phases;
    memcpy(s.given, given[variant], sizeof s.given);
    s.precision = MFFT_SINGLE;
    CHECK_OK(mfft_phases_make(&s, limits, &phases));
    CHECK(phases.count < 3, "single begins with the slow axis too"); /* with the rows first it takes less time */
  }
}

/* Long real lines, out of place and in place, and reals that are not pairs, since lines begin an odd distance apart. */
static void check_long_real_lines(const mfft_device_limits *limits) {
  for (int type = MFFT_FFT_R2C; type <= MFFT_FFT_C2R; type++)
    for (int variant = 0; variant < 4; variant++) {
      const int64_t n = variant % 2 ? 57344 : 65536;
      const int in_place = variant == 2, odd = variant == 3;
      mfft_fft_spec s = {.type = (mfft_fft_type)type, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .nloops = 1};
      s.direction = (mfft_direction)(type == MFFT_FFT_C2R);
      s.axis[0] = (mfft_dim){n, 1, 1};
      s.in_place = in_place;
      const int64_t real = in_place ? n + 2 : n + 6 + odd, half = in_place ? n / 2 + 1 : n / 2 + 4;
      s.loop[0] = type == MFFT_FFT_R2C ? (mfft_dim){3, real, half} : (mfft_dim){3, half, real};
      s.part_bytes = n * 4;
      s.part_alone = 16;
      check_phases(&s, limits, !odd);
    }
}

/* Long axes: the first two passes of a line in parts (in double), the two of a column. */
static void check_long_axes(const mfft_device_limits *limits) {
  static const int64_t lengths[] = {32768, 28672, 24576}; /* [3] of three passes */
  for (int i = 0; i < 3; i++)
    for (int variant = 0; variant < 4; variant++) {
      const int64_t n = lengths[i];
      mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .nloops = variant > 1, .axis[0] = {n, 1, 1}};
      s.direction = (mfft_direction)(i % 2);
      s.in_place = variant % 2;
      s.loop[0] = (mfft_dim){3, n + 7, n + (s.in_place ? 7 : 3)};
      s.part_bytes = n * 4;
      check_phases(&s, limits, 1);
      s.part_bytes = -1;
      check_phases(&s, limits, 0);
    }
  for (int type = 0; type < 3; type++)
    for (int in_place = 0; in_place < 2; in_place++) {
      const int64_t n = 120, m = 30, half = m / 2 + 1, real = in_place ? 2 * half : m;
      const int64_t is = type == 2 ? half : type == 1 ? real : m, os = type == 1 ? half : type == 2 ? real : m;
      mfft_fft_spec s = {.type = (mfft_fft_type)type, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 2, .nloops = 1};
      s.direction = (mfft_direction)(type == 2);
      s.axis[0] = (mfft_dim){n, is, os};
      s.axis[1] = (mfft_dim){m, 1, 1};
      s.loop[0] = (mfft_dim){3, n * is, n * os};
      s.in_place = in_place;
      s.destroy_input = type == 2;
      s.part_bytes = 20000; /* room for ten columns: fewer than 8 would not fill a segment */
      check_phases(&s, limits, 1);
    }
}

/* Batches whose count no part divides: the last part has fewer arrays. */
static void check_uneven(const mfft_device_limits *limits) {
  for (int type = 0; type < 3; type++)
    for (int in_place = 0; in_place < 2; in_place++) {
      const int64_t n = 20, m = 30, half = m / 2 + 1, real = in_place ? 2 * half : m, row[] = {m, real, half}; /* [type] */
      const int64_t is = row[type], os = row[(3 - type) % 3];
      mfft_fft_spec s = {.type = (mfft_fft_type)type, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 2, .nloops = 1};
      mfft_phases phases;
      s.direction = (mfft_direction)(type == 2);
      s.axis[0] = (mfft_dim){n, is, os};
      s.axis[1] = (mfft_dim){m, 1, 1};
      s.loop[0] = (mfft_dim){19, n * is, n * os};
      s.in_place = in_place;
      s.destroy_input = type == 2;
      s.part_bytes = 16 * (type ? half : m) * n * 19 / 5;
      check_phases(&s, limits, 1);
      CHECK_OK(mfft_phases_make(&s, limits, &phases));
      const mfft_phase *p = &phases.phase[0];
      CHECK(p->uneven == 1 && p->parts[0] > 3 && p->parts[0] < 19, "%lld parts, uneven %d", (long long)p->parts[0],
            p->uneven);
      CHECK(p->rest[0].args.lines < p->schedule.pass[0].args.lines, "%lld lines", (long long)p->rest[0].args.lines);
    }
}

/* Real lines of a large prime that are transformed in pairs, 19 in parts of two: the last part has one line, in a pair too.
 */
static void check_pairs_in_parts(const mfft_device_limits *limits) {
  enum { N = 149, LINES = 19 };
  for (int type = MFFT_FFT_R2C; type <= MFFT_FFT_C2R; type++) {
    const int64_t half = N / 2 + 1, to_half = type == MFFT_FFT_R2C;
    mfft_fft_spec s = {.type = (mfft_fft_type)type, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .nloops = 1};
    s.direction = to_half ? MFFT_FORWARD : MFFT_BACKWARD;
    s.axis[0] = (mfft_dim){N, 1, 1};
    s.loop[0] = (mfft_dim){LINES, to_half ? N : half, to_half ? half : N};
    mfft_phases phases;
    s.part_bytes = 6400;
    check_phases(&s, limits, 1);
    CHECK_OK(mfft_phases_make(&s, limits, &phases));
    const mfft_phase *p = &phases.phase[0];
    CHECK(p->uneven == 1 && p->parts[0] == 10 && p->rest[0].kernel.real_pairs && p->rest[0].args.real_lines == 1,
          "%lld parts, uneven %d, %lld lines in pairs in the last", (long long)p->parts[0], p->uneven,
          (long long)p->rest[0].args.real_lines);
  }
}

/* Cubes: one axis across the whole array, and parts of planes of the two others.  In complex cubes that axis is first, from
 * the input to the output; before a real axis it is first too, in the input, or to the workspace if the input is preserved.
 */
static void check_cubes(const mfft_device_limits *limits) {
  for (int type = 0; type < 3; type++)
    for (int variant = 0; variant < 4; variant++) {
      const int in_place = variant == 1, apart = variant == 2 ? 5 : 0, preserved = type == 2 && variant == 3;
      const int64_t n[] = {12, 20, 30}, half = n[2] / 2 + 1, real = in_place ? 2 * half : n[2];
      const int64_t row[] = {n[2], real, half}, is = row[type], os = row[(3 - type) % 3] + apart; /* [type] of the input */
      const int64_t plane_is = n[1] * is + 2 * apart, plane_os = n[1] * os + apart;
      mfft_fft_spec s = {.type = (mfft_fft_type)type, .precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 3, .nloops = 1};
      mfft_phases phases;
      s.direction = (mfft_direction)(type == 2);
      s.axis[0] = (mfft_dim){n[0], plane_is, plane_os};
      s.axis[1] = (mfft_dim){n[1], is, os};
      s.axis[2] = (mfft_dim){n[2], 1, 1};
      s.loop[0] = (mfft_dim){3, n[0] * plane_is, n[0] * plane_os};
      s.in_place = in_place;
      s.destroy_input = type == 2 && !preserved;
      s.part_bytes = 20000;
      check_phases(&s, limits, 1);
      CHECK_OK(mfft_phases_make(&s, limits, &phases));
      const mfft_phase *slow = &phases.phase[type == MFFT_FFT_R2C || preserved]; /* the ends come first */
      CHECK(slow->schedule.count == 1 && slow->schedule.pass[0].kernel.chain.n == n[0], "type %d: in another order", type);
      CHECK((slow->src == slow->dst) == (type > 0 && !preserved), "type %d: from %d to %d", type, (int)slow->src,
            (int)slow->dst);
      CHECK(!preserved || (slow->src == MFFT_AT_IN && slow->dst == MFFT_AT_ROWS), "to %d", (int)slow->dst);
    }
}

int main(void) {
  /* A device with little shared memory divides lengths that are short enough for a test. */
  mfft_device_limits small = mfft_limits_sm90;
  small.shared_bytes = 8192 + 17 * 16 * 16; /* 256 elements of double, 16 a strided line */
  check_long_axes(&small);
  check_long_real_lines(&small);
  check_cubes(&small);
  check_uneven(&small);
  check_pairs_in_parts(&small);
  check_pruned_cubes(&small);
  check_slow_reals(&small);
  return test_end();
}
#endif
