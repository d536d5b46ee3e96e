// TEST timeout=300
/* The phases of a transform and their parts, executed on the CPU as t800 executes schedules; the steps from part to part of
 * a scattered transform; and which passes a plan has by rule. */
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
      {MFFT_HALF, {1024, 1024}, 4, "1024 (32,32; 4 x 32) + 1024 (32,32; 8 x 32 strided)"}, /* which the cache holds */
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

int main(void) {
  check_segments();
  pruned_by_rule();
  check_scattered_parts();
  check_places();
  fastest_by_rule();
  fastest_on_tensor_cores();
  odd_lines_are_staged();
  in_place_by_rule();
  lines_by_rule();
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
