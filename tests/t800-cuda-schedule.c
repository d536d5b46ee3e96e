// TEST timeout=300
/* Every schedule computes the transform: its passes are played on the CPU, line by line with direct sums, and compared with
 * FFTW.  This holds the index maps, twiddle circles, buffers and packing to account without a GPU. */
#include "transform_case.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <complex.h>

#include "core/box.h"
#include "local/cuda/phases.h"
#include "local/cuda/tables.h"

static double complex root(int64_t k, int64_t n, int sign) {
  double re, im;
  mfft_root(k, n, sign, &re, &im);
  return re + I * im;
}

/* A line of a pass: where it begins on both sides, and its index in the loop that turns between passes or is mirrored. */
typedef struct row {
  int64_t from, to;
  uint64_t index;
} row;

/* Reads `count` elements of a line. */
static void load_line(const mfft_pass *pass, const double *in, const row *r, int64_t count, double complex *x) {
  int64_t n = pass->kernel.n, is = pass->args.in_stride;
  for (int64_t j = 0; j < count; j++) {
    int64_t at = r->from + j * is, pair = r->from + 2 * j * is, half = j <= n / 2 ? j : n - j, mirror = r->from + half * is;
    switch (pass->kernel.load) {
      case MFFT_FORM_COMPLEX:
      case MFFT_FORM_HALF_EVEN:
        x[j] = in[2 * at] + I * in[2 * at + 1];
        break;
      case MFFT_FORM_REAL_PAIR:
        x[j] = in[pair] + I * in[pair + pass->args.in_pair];
        break;
      case MFFT_FORM_REAL:
        x[j] = in[at];
        break;
      case MFFT_FORM_HALF_ODD:
        x[j] = in[2 * mirror] + (j == half ? I : -I) * in[2 * mirror + 1];
        break;
    }
  }
}

static void store_line(const mfft_pass *pass, double *out, const row *r, int64_t count, const double complex *x) {
  int64_t n = pass->kernel.n, os = pass->args.out_stride;
  for (int64_t j = 0; j < count; j++) {
    int64_t at = r->to + j * os, pair = r->to + 2 * j * os;
    switch (pass->kernel.store) {
      case MFFT_FORM_HALF_ODD:
        if (j > n / 2) break; /* fall through */
      case MFFT_FORM_COMPLEX:
      case MFFT_FORM_HALF_EVEN:
        out[2 * at] = creal(x[j]), out[2 * at + 1] = cimag(x[j]);
        break;
      case MFFT_FORM_REAL_PAIR:
        out[pair] = creal(x[j]), out[pair + pass->args.out_pair] = cimag(x[j]);
        break;
      case MFFT_FORM_REAL:
        out[at] = creal(x[j]);
        break;
    }
  }
}

static void transform_line(const mfft_pass *pass, uint64_t outer, double complex *x) {
  const mfft_kernel *k = &pass->kernel;
  int64_t n = k->n;
  double complex *y = malloc((size_t)n * sizeof *y);
  for (int64_t q = 0; q < n; q++) {
    double complex sum = 0;
    for (int64_t j = 0; j < n; j++) sum += x[j] * root(j * q % n, n, k->sign);
    if (pass->outer_length) sum *= root((int64_t)outer * q, pass->outer_length, k->sign);
    y[q] = sum * pass->args.scale;
  }
  memcpy(x, y, (size_t)n * sizeof *y);
  free(y);
}

/* Half spectrum to packed reals or back for elements k and m - k of a transform of m complexes. */
static void pack(double complex *x, double complex *y, int64_t k, int64_t m, int sign) {
  double complex even = *x + conj(*y), odd = sign * I * root(k, 2 * m, sign) * (*x - conj(*y));
  double h = sign < 0 ? 0.5 : 1;
  *x = h * (even + odd);
  *y = h * conj(even - odd);
}

/* The same for lines[0] and its mirror lines[1], or for a line that is its own mirror. */
static void pack_lines(const mfft_pass *pass, const row *rows, double complex *const lines[2]) {
  const mfft_kernel *k = &pass->kernel;
  int64_t n = k->n, before = k->mirror ? 2 * (int64_t)pass->args.loop_n[k->mirror - 1] : 1, m = n * before;
  if (k->sign < 0 && rows[0].index == 0) lines[0][n] = lines[0][0];
  if (k->sign > 0 && rows[0].index == 0) lines[0][0] = creal(lines[0][0]), lines[0][n] = creal(lines[0][n]);
  for (int side = 0; side < (k->mirror && rows[0].index == 0 ? 2 : 1); side++)
    for (int64_t j = 0; j <= n; j++) {
      int64_t at = (int64_t)rows[side].index + j * before, other = m - at;
      double complex *mirror = &lines[k->mirror && rows[0].index ? 1 : side][other / before];
      if (other < 0 || (rows[0].index == 0 && other < at) || (rows[0].index && j == n)) break;
      if (at == other) {
        double complex same = lines[side][j];
        pack(&lines[side][j], &same, at, m, k->sign);
      } else {
        pack(&lines[side][j], mirror, at, m, k->sign);
      }
    }
}

/* What a pass does to one line, or to a line and its mirror. */
static void play_rows(const mfft_pass *pass, const double *in, double *out, const row *rows) {
  const mfft_kernel *k = &pass->kernel;
  int sides = k->mirror ? 2 : 1, half_in = k->load == MFFT_FORM_HALF_EVEN, half_out = k->store == MFFT_FORM_HALF_EVEN;
  double complex *lines[2];
  for (int s = 0; s < sides; s++) {
    lines[s] = calloc((size_t)k->n + 1, sizeof **lines);
    load_line(pass, in, &rows[s], k->n + (half_in && s == 0 && rows[0].index == 0), lines[s]);
  }
  if (half_in) pack_lines(pass, rows, lines);
  for (int s = 0; s < sides && k->engine != MFFT_ENGINE_REAL; s++) transform_line(pass, rows[s].index, lines[s]);
  if (half_out) pack_lines(pass, rows, lines);
  for (int s = 0; s < sides; s++) {
    store_line(pass, out, &rows[s], k->n + (half_out && s == 0 && rows[0].index == 0), lines[s]);
    free(lines[s]);
  }
}

/* What a cluster does to one transform: lines of n, a twiddle where the two are one line, lines of the second chain, and
 * where the line is part of a longer one the twiddle for that. */
static void play_matrix(const mfft_pass *pass, const double *in, double *out, const row *at) {
  int64_t n = pass->kernel.n, m = pass->kernel.second.n, from = at->from, to = at->to;
  double complex *x = malloc((size_t)(n * m) * sizeof *x);
  for (int64_t l = 0; l < m; l++)
    for (int64_t k = 0; k < n; k++) {
      double complex sum = 0;
      for (int64_t j = 0; j < n; j++) {
        const double *at = in + 2 * (from + l * pass->args.line_in + j * pass->args.in_stride);
        sum += (at[0] + I * at[1]) * root(j * k % n, n, pass->kernel.sign);
      }
      const int64_t turn = l * k * pass->args.inner_step;
      x[l * n + k] = pass->kernel.between ? sum * root(turn, pass->outer_length, pass->kernel.sign) : sum;
    }
  for (int64_t k = 0; k < n; k++)
    for (int64_t q = 0; q < m; q++) {
      double complex sum = 0;
      for (int64_t l = 0; l < m; l++) sum += x[l * n + k] * root(l * q % m, m, pass->kernel.sign);
      if (pass->kernel.outer) sum *= root((int64_t)at->index * (k + n * q), pass->outer_length, pass->kernel.sign);
      double *at = out + 2 * (to + k * pass->args.line_out + q * pass->args.out_stride);
      at[0] = creal(sum) * pass->args.scale;
      at[1] = cimag(sum) * pass->args.scale;
    }
  free(x);
}

/* `first`: of the lines that turn, where the schedule does a part of them. */
static void play(const mfft_schedule *schedule, int64_t first, double *place[MFFT_PLACES]) {
  for (int i = 0; i < schedule->count; i++) {
    const mfft_pass *pass = &schedule->pass[i];
    const mfft_kernel *k = &pass->kernel;
    for (int64_t line = 0; line < pass->args.lines; line++) {
      int64_t rest = line;
      row rows[2] = {{0}};
      if (k->outer_part) rows[0].index = (uint64_t)first;
      for (int l = 0; l < k->loops; l++) {
        int64_t n = (int64_t)pass->args.loop_n[l], index = rest % n;
        rest /= n;
        for (int s = 0; s < 2; s++) {
          int64_t at = s && l + 1 == k->mirror ? (index ? 2 * n - index : n) : index;
          rows[s].from += at * pass->args.loop_in[l];
          rows[s].to += at * pass->args.loop_out[l];
          if (l + 1 == (k->mirror ? k->mirror : k->outer)) rows[s].index += (uint64_t)at;
          if (l + 1 == k->outer_also) rows[s].index += (uint64_t)at * pass->args.outer_step;
        }
      }
      if (k->second.n)
        play_matrix(pass, place[pass->src], place[pass->dst], &rows[0]);
      else
        play_rows(pass, place[pass->src], place[pass->dst], rows);
    }
  }
}

static void check(const mfft_fft_spec *spec, const mfft_device_limits *limits) {
  mfft_schedule schedule;
  CHECK_OK(mfft_schedule_make(spec, limits, &schedule));
  transform_case c;
  CHECK(case_make(&c, spec, 42), "FFTW");
  double *work = calloc(1, 4 * schedule.work_bytes + 8);
  double *place[MFFT_PLACES] = {c.in, c.out, work, work + schedule.work2_offset_bytes / 8};
  play(&schedule, 0, place);
  char text[512];
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(case_error(&c, c.out) < 1e-12, "type %d n %lld %lld %lld in place %d: error %.2e by %s", spec->type,
        (long long)spec->axis[0].n, (long long)spec->axis[1].n, (long long)spec->axis[2].n, spec->in_place,
        case_error(&c, c.out), text);
  for (int i = 0; i < schedule.count; i++) {
    const mfft_kernel *k = &schedule.pass[i].kernel;
    int product = 1, second = 1;
    for (int m = 0; m < k->merges; m++) product *= k->radix[m];
    CHECK(k->engine == MFFT_ENGINE_REAL || product == k->n, "radices of %d", k->n);
    for (int m = 0; m < k->second.merges; m++) second *= k->second.radix[m];
    CHECK(!k->second.n || second == k->second.n, "radices of %d", k->second.n);
    CHECK(k->shared_bytes <= limits->shared_bytes && k->lines * k->threads <= limits->threads, "block of %d", k->n);
  }
  free(work);
  case_free(&c);
}

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

/* A packed line, or a batch of columns, of one type in one precision, with its merges named. */
static mfft_fft_spec named_spec(mfft_fft_type type, mfft_precision precision, int64_t n, const char *radices) {
  mfft_fft_spec s = {.type = type, .precision = precision, .scale = 1, .naxes = 1, .nloops = 1, .radices = {radices}};
  s.direction = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  s.axis[0] = (mfft_dim){n, 1, 1};
  s.loop[0] = (mfft_dim){3, type == MFFT_FFT_C2R ? n / 2 + 1 : n, type == MFFT_FFT_R2C ? n / 2 + 1 : n};
  return s;
}

/* The merges are those that were named, pass by pass, as the text of the schedule has them in parentheses. */
static void check_names(const mfft_fft_spec *s, const char *engine) {
  mfft_schedule schedule;
  char text[512], want[128], got[128] = "";
  CHECK_OK(mfft_schedule_make(s, &mfft_limits_sm90, &schedule));
  mfft_schedule_print(&schedule, text, sizeof text);
  for (int i = 0; i < schedule.count; i++)
    for (int m = 0; m < schedule.pass[i].kernel.merges; m++)
      snprintf(got + strlen(got), sizeof got - strlen(got), "%s%d",
               m   ? ","
               : i ? "+"
                   : "",
               schedule.pass[i].kernel.radix[m]);
  snprintf(want, sizeof want, "%.*s", (int)strcspn(s->radices[0], "x"), s->radices[0]);
  CHECK(strcmp(want, got) == 0 && strstr(text, engine), "%s was named, and the schedule is %s", want, text);
  for (int i = 0; i < schedule.count; i++) {
    const mfft_kernel *k = &schedule.pass[i].kernel;
    CHECK(k->shared_bytes <= mfft_limits_sm90.shared_bytes && k->lines * k->threads <= mfft_limits_sm90.threads, "%s", text);
  }
}

static void refused(mfft_precision precision, int64_t n, const char *radices, mfft_status status, const char *words) {
  mfft_schedule schedule;
  mfft_fft_spec s = named_spec(MFFT_FFT_C2C, precision, n, radices);
  CHECK_FAILS(mfft_schedule_make(&s, &mfft_limits_sm90, &schedule), status, words);
}

static void check_named(void) {
  /* Butterflies, played: any order, several passes, packed real ends, and only the axis that has names. */
  static const struct {
    mfft_fft_type type;
    int64_t n;
    const char *radices;
  } played[] = {{MFFT_FFT_C2C, 64, "2,2,2,2,2,2"},  {MFFT_FFT_C2C, 64, "8,8"},      {MFFT_FFT_C2C, 64, "2,32"},
                {MFFT_FFT_C2C, 60, "3,4,5"},        {MFFT_FFT_C2C, 256, "16,16"},   {MFFT_FFT_C2C, 256, "4,4+4,4"},
                {MFFT_FFT_C2C, 256, "2+2,8+4,2"},   {MFFT_FFT_C2C, 210, "7,5+3,2"}, {MFFT_FFT_R2C, 128, "16,4"},
                {MFFT_FFT_R2C, 256, "4,2+4,4"},     {MFFT_FFT_C2R, 128, "4,16"},    {MFFT_FFT_C2R, 256, "4,4+8"},
                {MFFT_FFT_C2C, 128, "8+16xignored"}};
  for (size_t i = 0; i < sizeof played / sizeof *played; i++) {
    const mfft_fft_spec s = named_spec(played[i].type, MFFT_DOUBLE, played[i].n, played[i].radices);
    check(&s, &mfft_limits_sm90);
    check_names(&s, "");
  }
  mfft_fft_spec plane = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 2, .radices = {NULL, "2,4+2x"}};
  plane.axis[0] = (mfft_dim){12, 16, 16};
  plane.axis[1] = (mfft_dim){16, 1, 1};
  check(&plane, &mfft_limits_sm90);
  mfft_schedule schedule;
  CHECK_OK(mfft_schedule_make(&plane, &mfft_limits_sm90, &schedule));
  CHECK(schedule.count == 3 && schedule.pass[0].kernel.n == 8 && schedule.pass[2].kernel.n == 12, "%d passes",
        schedule.count);

  /* The merging kernels of tcFFT: every power of two from 16 to 8192 in one pass, 16 as often as it goes. */
  for (int bits = 4; bits <= 13; bits++) {
    char text[64] = "";
    for (int left = bits; left > 0; left -= 4)
      snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", *text ? "," : "", left > 4 ? 16 : 1 << left);
    for (int p = MFFT_HALF; p <= MFFT_BFLOAT16; p++) {
      const mfft_fft_spec s = named_spec(MFFT_FFT_C2C, (mfft_precision)p, 1 << bits, text);
      check_names(&s, "tensor ");
    }
  }
  static const struct {
    int64_t n;
    const char *radices;
  } chains[] = {{65536, "16,16+16,16"},
                {65536, "16,16,16+16"},
                {65536, "16,16,16,2+8"},
                {131072, "16,16,2+16,16"},
                {1 << 20, "16,16+16,16+16"},
                {1 << 20, "16,16,4+16,16,4"},
                {1 << 27, "16,16,2+16,16,2+16,16,2"}};
  for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
    mfft_fft_spec s = named_spec(MFFT_FFT_C2C, MFFT_HALF, chains[i].n, chains[i].radices);
    check_names(&s, strstr(chains[i].radices, "+8") ? "tensor 8192" : "tensor ");
    s = named_spec(MFFT_FFT_C2C, MFFT_SINGLE, chains[i].n, chains[i].radices);
    check_names(&s, "16");
  }

  refused(MFFT_SINGLE, 256, "16,8", MFFT_ERR_ARG, "\"16,8\" multiply to 128, and the axis has 256");
  refused(MFFT_SINGLE, 256, "16,16,16,16,16", MFFT_ERR_ARG, "too many for the length 256");
  refused(MFFT_SINGLE, 256, "16,,16", MFFT_ERR_ARG, "\",16\" is no list");
  refused(MFFT_SINGLE, 256, "16,16+", MFFT_ERR_ARG, "is no list");
  refused(MFFT_SINGLE, 256, "16;16", MFFT_ERR_ARG, "\";16\" is no list");
  refused(MFFT_SINGLE, 256, "64,4", MFFT_ERR_ARG, "radices from 2 to 32");
  refused(MFFT_SINGLE, 256, "256,1", MFFT_ERR_ARG, "radices from 2 to 32");
  refused(MFFT_SINGLE, 32, "2+2+2+2+2", MFFT_ERR_ARG, "more than 4 passes");
  refused(MFFT_SINGLE, 34, "17,2", MFFT_ERR_UNSUPPORTED, "factor 17");
  refused(MFFT_SINGLE, 400, "20,20", MFFT_ERR_UNSUPPORTED, "radices 2 to 16, and 32");
  refused(MFFT_SINGLE, 1 << 20, "16,16,16,16,16", MFFT_ERR_UNSUPPORTED, "1048576");
  refused(MFFT_HALF, 256, "4,4,16", MFFT_ERR_UNSUPPORTED, "merge 1 is named otherwise");
  refused(MFFT_HALF, 32768, "16,16,16,8", MFFT_ERR_UNSUPPORTED, "32768 elements, as radices name it, does not fit");
  refused(MFFT_HALF, 65536, "16,16,16,16", MFFT_ERR_UNSUPPORTED, "does not fit");
  mfft_fft_spec odd = named_spec(MFFT_FFT_R2C, MFFT_SINGLE, 256, "8,8+2");
  CHECK_FAILS(mfft_schedule_make(&odd, &mfft_limits_sm90, &schedule), MFFT_ERR_UNSUPPORTED, "multiple of 4");
}

/* Phases in parts, as transform.c runs them. */
static void check_phases(const mfft_fft_spec *spec, const mfft_device_limits *limits, int in_parts) {
  mfft_phases phases;
  transform_case c;
  char text[512];
  CHECK_OK(mfft_phases_make(spec, limits, &phases));
  CHECK(case_make(&c, spec, 42), "FFTW");
  double *work = calloc(1, phases.work_bytes + 8);
  double *array[] = {c.in, c.out, work + phases.between_offset_bytes / 8};
  for (int i = 0; i < phases.count; i++) {
    const mfft_phase *p = &phases.phase[i];
    in_parts -= p->parts[0] * p->parts[1] > 1 && p->schedule.count > 1;
    for (int64_t j = 0, turn = 0; j < p->parts[0] * p->parts[1]; j++, turn ^= 1) {
      const int64_t outer = j / p->parts[1], inner = j % p->parts[1];
      double *area = work + (size_t)turn * p->schedule.work_bytes / 8;
      double *place[MFFT_PLACES] = {array[p->src] + (outer * p->in_step_bytes[0] + inner * p->in_step_bytes[1]) / 8,
                                    array[p->dst] + (outer * p->out_step_bytes[0] + inner * p->out_step_bytes[1]) / 8, area,
                                    area + p->schedule.work2_offset_bytes / 8};
      play(&p->schedule, outer * p->turn_step[0] + inner * p->turn_step[1], place);
    }
  }
  mfft_phases_print(&phases, text, sizeof text);
  CHECK(!in_parts, "%lld x %lld in other parts: %s", (long long)spec->axis[0].n, (long long)spec->axis[1].n, text);
  CHECK(case_error(&c, c.out) < 1e-12, "type %d in place %d: error %.2e by %s", spec->type, spec->in_place,
        case_error(&c, c.out), text);
  free(work);
  case_free(&c);
}

/* Long axes: the first two passes of a line in parts (in double), the two of a column. */
static void check_long_axes(const mfft_device_limits *limits) {
  static const int64_t lengths[] = {32768, 28672, 24576}; /* [3] of three passes */
  for (int i = 0; i < 3; i++)
    for (int way = 0; way < 4; way++) {
      const int64_t n = lengths[i];
      mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 0.5, .naxes = 1, .nloops = way > 1, .axis[0] = {n, 1, 1}};
      s.direction = (mfft_direction)(i % 2);
      s.in_place = way % 2;
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
      s.part_bytes = 12000;
      check_phases(&s, limits, 1);
    }
}

/* A large scattered transform runs in parts: from part to part each share moves on by its own distances. */
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
  mfft_fft_spec tall = s; /* columns of which a block holds half a segment are stored all the same */
  tall.axis[0].n = 2048;
  CHECK_OK(mfft_phases_make(&tall, &mfft_limits_sm90, &phases));
  CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
  const mfft_phase *p = &phases.phase[0];
  CHECK(phases.count == 1 && p->parts[0] > 1 && p->parts[1] == 1 && p->schedule.count == 2, "%lld parts",
        (long long)p->parts[0]);
  CHECK(p->schedule.pass[1].kernel.shares == COUNT && !p->schedule.pass[1].kernel.alike, "no shares");
  CHECK(8 * p->schedule.pass[1].kernel.lines >= 128, "segments of %d bytes", 8 * p->schedule.pass[1].kernel.lines);
  for (int i = 0; i < COUNT; i++) {
    CHECK(p->share_step_bytes[0][i] * p->parts[0] == 8 * X * s.scatter.stride[i][2], "share %d", i);
    CHECK(p->share_first_bytes[i] == -8 * mfft_part(Y, i, COUNT) * Z, "share %d", i);
  }
}

/* What was measured to be the fastest way of 16-bit transforms of 2^27 elements is what a plan takes: passes of tiles that
 * stay in their place, and others beside them; and none of a batch that is too small to be worth it. */
static void tiles_by_rule(void) {
  static const struct {
    mfft_precision precision;
    int64_t n[3], batch;
    const char *passes; /* what is part of their names */
  } cases[] = {
      {MFFT_HALF, {1 << 13}, 1 << 14, "cuda: tensor 8192"},
      {MFFT_HALF, {1 << 14}, 1 << 13, "cuda: resident 16384 (16,16,16,4; 1 x 256)"},
      {MFFT_BFLOAT16, {1 << 15}, 1 << 12, "cuda: resident 32768 (16,16,16,8; 1 x 512)"},
      {MFFT_HALF, {1 << 15}, 20, "cuda: tensor 128"},
      {MFFT_HALF, {1 << 18}, 1 << 9, "parts of tensor 512"},
      {MFFT_HALF,
       {1 << 19},
       1 << 8,
       "parts of resident 512 (16,16,2; 32 x 8 strided turned) + resident 1024 (16,16,4; 32 x 16 strided)"},
      {MFFT_HALF,
       {1 << 20},
       1 << 7,
       "parts of resident 1024 (16,16,4; 16 x 16 strided turned ahead) + resident 1024 (16,16,4; 16 x 16 strided ahead)"},
      {MFFT_BFLOAT16,
       {1 << 22},
       1 << 5,
       "parts of resident 2048 (16,16,8; 16 x 32 strided turned) + resident 2048 (16,16,8; 16 x 32 strided)"},
      {MFFT_HALF, {1024, 1024}, 1 << 7, "+ resident 1024 (16,16,4; 32 x 16 strided)"},
      {MFFT_BFLOAT16, {2048, 2048}, 1 << 5, "+ resident 2048 (16,16,8; 16 x 32 strided)"},
      {MFFT_HALF, {4096, 4096}, 1 << 3, "+ resident 4096 (16,16,16; 8 x 64 strided ahead)"},
      {MFFT_HALF, {8192, 8192}, 2, "+ tensor 128"},
      {MFFT_HALF, {64, 64}, 1 << 15, "cuda: resident 64 (16,4; 2 x 64 ahead) and 64 (16,4)"},
      {MFFT_BFLOAT16, {128, 256}, 1 << 12, "cuda: resident 256 (16,16; 1 x 512) and 128 (16,8)"},
      {MFFT_HALF, {256, 256}, 1 << 11, "parts of tensor 256"},
      {MFFT_HALF, {128, 128, 128}, 1 << 6, "parts of resident 128 (16,8; 1 x 256) and 128 (16,8) + tensor 128"},
      {MFFT_HALF, {128, 128, 128}, 1, "cuda: tensor 128"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const int64_t *n = cases[i].n;
    mfft_fft_spec s = {.precision = cases[i].precision, .scale = 1, .naxes = n[2] ? 3 : n[1] ? 2 : 1, .nloops = 1};
    int64_t stride = 1;
    for (int a = s.naxes - 1; a >= 0; stride *= n[a--]) s.axis[a] = (mfft_dim){n[a], stride, stride};
    s.loop[0] = (mfft_dim){cases[i].batch, stride, stride};
    mfft_phases phases;
    char text[512];
    CHECK_OK(mfft_phases_make(&s, &mfft_limits_sm90, &phases));
    mfft_phases_print(&phases, text, sizeof text);
    CHECK(strstr(text, cases[i].passes), "case %d: %s", (int)i, text);
  }
}

int main(void) {
  check_named();
  tiles_by_rule();
  check_scattered_parts();
  /* A device with little shared memory splits lengths that a test can afford. */
  mfft_device_limits small = mfft_limits_sm90;
  small.shared_bytes = 8192 + 17 * 16 * 16; /* 256 elements of double, 16 a strided line */
  for (int64_t n = 1; n <= 130; n++) {
    mfft_fft_spec s = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 1, .axis[0] = {n, 1, 1}};
    mfft_schedule schedule;
    if (mfft_schedule_make(&s, &mfft_limits_sm90, &schedule) == MFFT_SUCCESS) sweep(1, &n, 3, &mfft_limits_sm90);
  }
  static const int64_t longer[] = {144, 150, 192, 195, 243, 256, 270, 360, 512, 625, 1001, 1024, 1344}; /* [13] */
  for (int i = 0; i < 13; i++) sweep(1, &longer[i], 2, &small);
  static const int64_t shapes[][3] = {{6, 10, 1}, {16, 16, 1}, {5, 9, 1}, {48, 30, 1}, {20, 256, 1}}; /* [5] */
  for (int i = 0; i < 5; i++) sweep(2, shapes[i], 2, &small);
  static const int64_t cubes[][3] = {{4, 6, 8}, {3, 5, 7}, {18, 20, 2}, {2, 3, 150}}; /* [4] */
  for (int i = 0; i < 4; i++) sweep(3, cubes[i], 2, &small);
  check_long_axes(&small);

  /* Strides that are not packed: batch innermost, a column of a matrix, everything spread out. */
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

  /* Clusters, by name: lines, planes, planes of a 3D array, planes apart from each other. */
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
      for (int k = 0; k < schedule.count; k++) takes |= schedule.pass[k].kernel.cluster == blocks;
      CHECK(takes || blocks > 1, "%lld x %lld: no cluster of %d", (long long)n[0], (long long)n[1], blocks);
      check(&s, &mfft_limits_sm90);
    }

  /* Columns in clusters, by name: of planes, of cubes, of half spectra; in several passes; with gaps between. */
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
      for (int k = 0; k < schedule.count; k++) passes += schedule.pass[k].kernel.columns > 1;
      CHECK(passes >= tall[i].passes, "case %d: %d passes of columns by %d blocks", i, passes, blocks);
      check(&s, &coarse);
    }

  mfft_fft_spec prime = {.precision = MFFT_DOUBLE, .scale = 1, .naxes = 1, .axis[0] = {34, 1, 1}};
  mfft_schedule schedule;
  CHECK_FAILS(mfft_schedule_make(&prime, &mfft_limits_sm90, &schedule), MFFT_ERR_UNSUPPORTED, "17");
  return test_end();
}
#endif
