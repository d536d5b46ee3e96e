/* play_schedule.h: schedules executed on the CPU: their passes, line by line with direct sums. */
#ifndef MFFT_TESTS_PLAY_SCHEDULE_H
#define MFFT_TESTS_PLAY_SCHEDULE_H

#include <complex.h>

#include "base/box.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "local/cuda/planner/tables.h"
#include "transform_case.h"

static inline double complex computed_root(int64_t k, int64_t n, int sign) {
  double re, im;
  mfft_root(k, n, sign, &re, &im);
  return re + I * im;
}

/* Root k of order n.  Those of the orders of direct sums are cached, since computing them takes longer than the sums. */
static inline double complex root(int64_t k, int64_t n, int sign) {
  enum { LONGEST = 4096 };
  static double complex *cached[LONGEST + 1]; /* [n] those of sign -1: [n] */
  if (n > LONGEST || k < 0 || k >= n) return computed_root(k, n, sign);
  if (!cached[n]) {
    cached[n] = malloc((size_t)n * sizeof **cached);
    for (int64_t i = 0; i < n; i++) cached[n][i] = computed_root(i, n, -1);
  }
  return sign < 0 ? cached[n][k] : conj(cached[n][k]);
}

/* C's own product looks for infinities, which takes a third of the time of direct sums. */
static inline double complex product(double complex a, double complex b) {
  return CMPLX(creal(a) * creal(b) - cimag(a) * cimag(b), creal(a) * cimag(b) + cimag(a) * creal(b));
}

/* A line of a pass: where it begins on both sides, and its index in the loop over lines with inter-pass twiddles or mirror
 * images.  The index of a line of Bluestein's algorithm is the position on its axis at which it begins. */
typedef struct row {
  int64_t from, to;
  uint64_t index;
  int64_t mirror; /* where the row begins that has the other half of the results; -1: they belong to its own mirror */
  int both;       /* 1: a pair of real lines, whose second one is args.in_pair and args.out_pair from the first */
} row;

/* The row (-x, -y) of row (x, y), where x is not its own opposite. */
static inline int64_t mirror_row(const mfft_pass_mirror *m, int64_t first, int64_t line, int64_t to) {
  const int64_t x = m->first + first + line / m->rows, y = line % m->rows, rows = m->rows;
  if (x == 0 || 2 * x == m->planes) return -1;
  return to + (m->planes - x - x) * m->plane + ((rows - y) % rows - y) * m->row;
}

/* The chirp of Bluestein's algorithm, and its conjugate, which wraps around the padded axis. */
static inline double complex chirp(const mfft_bluestein_line *line, int64_t j) {
  return root(j * j % (2 * line->n), 2 * line->n, line->sign);
}
static inline double complex wrapped_chirp(const mfft_bluestein_line *line, int64_t j) {
  const int64_t from_zero = 2 * j <= line->m ? j : line->m - j;
  return from_zero < line->n ? conj(chirp(line, from_zero)) : 0;
}

/* Element k of the spectrum of that conjugate, by a direct sum. */
static inline double complex chirp_spectrum(const mfft_bluestein_line *line, int64_t k) {
  double complex sum = 0;
  for (int64_t j = 0; j < line->m; j++) sum += wrapped_chirp(line, j) * root(j * k % line->m, line->m, line->sign);
  return sum / (double)line->m;
}

/* The index on the axis of element j of a line. */
static inline int64_t on_axis(const mfft_pass *pass, const row *r, int64_t j) {
  return (int64_t)r->index + j * pass->args.bluestein.step;
}

/* The number of numbers of element j that exist: 0 to 2 reals of a pair, 0 or 1 elements otherwise. */
static inline int64_t existing(const mfft_pass *pass, mfft_padding end, mfft_form form, int64_t j) {
  const int64_t numbers = form == MFFT_FORM_REAL_PAIR ? 2 : 1, left = (int64_t)pass->args.given - numbers * j;
  return pass->kernel.padded != end || left > numbers ? numbers : left > 0 ? left : 0;
}

/* An element of the spectrum of reals from that at `at`, whose imaginary part is multiplied by `sign`. */
static inline double complex half_element(const double *in, int64_t at, int sign) {
  return CMPLX(in[2 * at], sign * in[2 * at + 1]);
}

/* Converts elements k and m - k of a transform of m complexes between half spectrum and packed reals. */
static inline void pack(double complex *x, double complex *y, int64_t k, int64_t m, int sign) {
  double complex even = *x + conj(*y), odd = sign * I * root(k, 2 * m, sign) * (*x - conj(*y));
  double h = sign < 0 ? 0.5 : 1;
  *x = h * (even + odd);
  *y = h * conj(even - odd);
}

/* Whether elements k and n - k of a half spectrum of 2n reals meet in a pass of Bluestein's or Rader's algorithm. */
static inline int packs_whole(const mfft_pass *pass) { return pass->real_length && pass->kernel.bluestein.steps; }

/* Element j of n complexes from the half spectrum of 2n reals from `from` on. */
static inline double complex packed_element(const mfft_pass *pass, const double *in, int64_t from, int64_t j) {
  const int64_t n = pass->bluestein.n, low = from + j * pass->args.in_stride, high = from + (n - j) * pass->args.in_stride;
  double complex x = half_element(in, low, j ? 1 : 0), y = half_element(in, high, j ? 1 : 0);
  pack(&x, &y, j, n, 1);
  return x;
}

/* Elements of a line: by Rader's algorithm one more than its chain has. */
static inline int64_t line_elements(const mfft_kernel *k) { return k->chain.n + (k->engine == MFFT_ENGINE_RADER); }

/* Reads `count` elements of a line. */
static inline void load_line(const mfft_pass *pass, const double *in, const row *r, int64_t count, double complex *x) {
  int64_t n = line_elements(&pass->kernel), is = pass->args.in_stride, first = r->from;
  if (pass->kernel.bluestein.steps & MFFT_BLUESTEIN_LOAD) first -= on_axis(pass, r, 0) * pass->args.bluestein.unit;
  for (int64_t j = 0; j < count; j++) {
    int64_t at = r->from + j * is, pair = r->from + 2 * j * is, half = j <= n / 2 ? j : n - j, mirror = r->from + half * is;
    if (pass->kernel.bluestein.steps & MFFT_BLUESTEIN_LOAD) {
      const int64_t on = on_axis(pass, r, j), length = pass->bluestein.n, unit = pass->args.bluestein.unit;
      half = 2 * on <= length ? j : j + 1; /* not j: the conjugate of its mirror */
      mirror = at + ((2 * on <= length ? on : length - on) - on) * unit;
      x[j] = 0;
      if (on >= length) continue;
    }
    const int64_t numbers = existing(pass, MFFT_PADDED_IN, pass->kernel.in.form, j);
    x[j] = 0;
    if (!numbers) continue;
    switch (pass->kernel.in.form) {
      case MFFT_FORM_COMPLEX:
      case MFFT_FORM_TWO_HALVES:
      case MFFT_FORM_HALF_EVEN:
        x[j] = in[2 * at] + I * in[2 * at + 1];
        if (packs_whole(pass)) x[j] = packed_element(pass, in, r->from, j);
        break;
      case MFFT_FORM_REAL_PAIR:
        x[j] = in[pair] + (numbers > 1 ? I * in[pair + pass->args.in_pair] : 0);
        break;
      case MFFT_FORM_REAL:
        x[j] = in[at] + (r->both ? I * in[at + pass->args.in_pair] : 0);
        break;
      case MFFT_FORM_LINE_PAIR:
        x[j] = in[at] + I * in[at + pass->args.in_pair];
        break;
      case MFFT_FORM_HALF_ODD:
        x[j] = half_element(in, mirror, mirror == first ? 0 : j == half ? 1 : -1);
        if (r->both) x[j] += I * half_element(in, mirror + pass->args.in_pair, mirror == first ? 0 : j == half ? 1 : -1);
        break;
    }
    if (pass->kernel.bluestein.steps & MFFT_BLUESTEIN_LOAD) x[j] *= chirp(&pass->bluestein, on_axis(pass, r, j));
  }
}

static inline void put_complex(double *out, int64_t at, double complex x) {
  out[2 * at] = creal(x), out[2 * at + 1] = cimag(x);
}

static inline void store_line(const mfft_pass *pass, double *out, const row *r, int64_t count, const double complex *x) {
  int64_t n = pass->kernel.chain.n, os = pass->args.out_stride;
  for (int64_t j = 0; j < count; j++) {
    int64_t at = r->to + j * os, pair = r->to + 2 * j * os;
    if (pass->kernel.bluestein.steps & MFFT_BLUESTEIN_STORE && on_axis(pass, r, j) >= pass->args.bluestein.stored) continue;
    const int64_t numbers = existing(pass, MFFT_CROPPED_OUT, pass->kernel.out.form, j);
    if (!numbers) continue;
    switch (pass->kernel.out.form) {
      case MFFT_FORM_HALF_ODD:
        if (!(pass->kernel.bluestein.steps & MFFT_BLUESTEIN_STORE) && j > n / 2) break;
        if (r->both) {
          const double complex y = conj(x[j ? pass->bluestein.n - j : 0]), z = x[j];
          put_complex(out, at, (z + y) / 2);
          put_complex(out, at + pass->args.out_pair, (z - y) / (2 * I));
          break;
        } /* fall through */
      case MFFT_FORM_COMPLEX:
      case MFFT_FORM_HALF_EVEN:
        if (packs_whole(pass)) {
          double complex z = x[j], y = x[j ? pass->bluestein.n - j : 0];
          pack(&z, &y, j, pass->bluestein.n, -1);
          put_complex(out, at, z);
          if (j == 0) put_complex(out, r->to + pass->bluestein.n * os, y);
          break;
        }
        put_complex(out, at, x[j]);
        break;
      case MFFT_FORM_TWO_HALVES: {
        const int64_t other = r->mirror + (n - j) % n * os;
        if (2 * j <= n) out[2 * at] = creal(x[j]), out[2 * at + 1] = cimag(x[j]);
        if (r->mirror >= 0 && 2 * ((n - j) % n) <= n) out[2 * other] = creal(x[j]), out[2 * other + 1] = -cimag(x[j]);
        break;
      }
      case MFFT_FORM_REAL_PAIR:
        out[pair] = creal(x[j]);
        if (numbers > 1) out[pair + pass->args.out_pair] = cimag(x[j]);
        break;
      case MFFT_FORM_REAL:
        out[at] = creal(x[j]);
        if (r->both) out[at + pass->args.out_pair] = cimag(x[j]);
        break;
      case MFFT_FORM_LINE_PAIR:
        out[at] = creal(x[j]), out[at + pass->args.out_pair] = cimag(x[j]);
        break;
    }
  }
}

static inline void transform_line(const mfft_pass *pass, int sign, uint64_t outer, double scale, double complex *x) {
  const int64_t n = line_elements(&pass->kernel);
  double complex *y = malloc((size_t)n * sizeof *y);
  for (int64_t q = 0; q < n; q++) {
    double complex sum = 0;
    for (int64_t j = 0, turn = 0; j < n; j++, turn = turn + q < n ? turn + q : turn + q - n)
      sum += product(x[j], root(turn, n, sign));
    if (pass->twiddle_order) sum *= root((int64_t)outer * q, pass->twiddle_order, sign);
    y[q] = sum * scale;
  }
  memcpy(x, y, (size_t)n * sizeof *y);
  free(y);
}

/* Transforms a line as a pass does between loading and storing it.  A convolution is two transforms, of which the second has
 * inter-pass twiddles. */
static inline void play_line(const mfft_pass *pass, const row *r, double complex *x) {
  const mfft_kernel *k = &pass->kernel;
  const int both = k->engine == MFFT_ENGINE_CONVOLUTION, steps = k->bluestein.steps;
  const int64_t n = k->chain.n;
  if (both) {
    transform_line(pass, k->sign, 0, 1, x);
    for (int64_t q = 0; q < n; q++) x[q] *= chirp_spectrum(&pass->bluestein, on_axis(pass, r, q));
  }
  transform_line(pass, both ? -k->sign : k->sign, pass->twiddle_order ? r->index : 0, pass->args.scale, x);
  for (int64_t q = 0; q < n && steps & MFFT_BLUESTEIN_STORE; q++)
    x[q] *= on_axis(pass, r, q) < pass->bluestein.n ? chirp(&pass->bluestein, on_axis(pass, r, q)) : 0;
}

/* Converts lines[0] and its mirror image lines[1], or a line that is its own mirror image, in this way. */
static inline void pack_lines(const mfft_pass *pass, const row *rows, double complex *const lines[2]) {
  const mfft_kernel *k = &pass->kernel;
  int64_t n = k->chain.n, before = k->mirror ? 2 * (int64_t)pass->args.loop_n[k->mirror - 1] : 1, m = n * before;
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

/* The operation of a pass on one line, or on a line and its mirror image.  ends: elements 0 and n of the line, where they
 * are apart from the others. */
static inline void play_rows(const mfft_pass *pass, const double *in, const double *ends, double *out, const row *rows) {
  const mfft_kernel *k = &pass->kernel;
  const int sides = k->mirror ? 2 : 1, half_in = k->in.form == MFFT_FORM_HALF_EVEN && !packs_whole(pass),
            half_out = k->out.form == MFFT_FORM_HALF_EVEN && !packs_whole(pass);
  double complex *lines[2];
  for (int s = 0; s < sides; s++) {
    lines[s] = calloc((size_t)k->chain.n + 1, sizeof **lines);
    if (k->ends) {
      load_line(pass, in, &rows[s], k->chain.n, lines[s]);
      lines[s][0] = ends[0] + I * ends[1], lines[s][k->chain.n] = ends[2] + I * ends[3];
    } else {
      load_line(pass, in, &rows[s], line_elements(k) + (half_in && s == 0 && rows[0].index == 0), lines[s]);
    }
  }
  if (half_in) pack_lines(pass, rows, lines);
  for (int s = 0; s < sides && k->engine != MFFT_ENGINE_REAL; s++) play_line(pass, &rows[s], lines[s]);
  if (half_out) pack_lines(pass, rows, lines);
  for (int s = 0; s < sides; s++) {
    store_line(pass, out, &rows[s], line_elements(k) + (half_out && s == 0 && rows[0].index == 0), lines[s]);
    free(lines[s]);
  }
}

/* The operation of a cluster on one transform: lines of n, a twiddle if the two are one line, lines of the second chain, and
 * if the line is part of a longer one the twiddle for that. */
static inline void play_matrix(const mfft_pass *pass, const double *in, double *out, const row *at) {
  int64_t n = pass->kernel.chain.n, m = pass->kernel.second.n, from = at->from, to = at->to;
  double complex *x = malloc((size_t)(n * m) * sizeof *x);
  for (int64_t l = 0; l < m; l++)
    for (int64_t k = 0; k < n; k++) {
      double complex sum = 0;
      for (int64_t j = 0; j < n; j++) {
        const double *at = in + 2 * (from + l * pass->args.line_in + j * pass->args.in_stride);
        sum += (at[0] + I * at[1]) * root(j * k % n, n, pass->kernel.sign);
      }
      const int64_t exponent = l * k * pass->args.inner_step;
      x[l * n + k] = pass->kernel.cluster.twiddled ? sum * root(exponent, pass->twiddle_order, pass->kernel.sign) : sum;
    }
  for (int64_t k = 0; k < n; k++)
    for (int64_t q = 0; q < m; q++) {
      double complex sum = 0;
      for (int64_t l = 0; l < m; l++) sum += x[l * n + k] * root(l * q % m, m, pass->kernel.sign);
      if (pass->kernel.twiddle.loop) sum *= root((int64_t)at->index * (k + n * q), pass->twiddle_order, pass->kernel.sign);
      double *at = out + 2 * (to + k * pass->args.line_out + q * pass->args.out_stride);
      at[0] = creal(sum) * pass->args.scale;
      at[1] = cimag(sum) * pass->args.scale;
    }
  free(x);
}

/* Executes a schedule.  first: index of the first line with twiddles, if the schedule is of a part of the lines. */
static inline void play_passes(const mfft_pass *passes, int count, int64_t first, const char *const place[MFFT_PLACES]) {
  for (int i = 0; i < count; i++) {
    const mfft_pass *pass = &passes[i];
    const mfft_kernel *k = &pass->kernel;
    const double *in = (const double *)place[pass->src];
    double *out = (double *)(uintptr_t)place[pass->dst];
    const int loop = k->mirror ? k->mirror : k->bluestein.loop ? k->bluestein.loop : k->twiddle.loop;
    for (int64_t line = 0; line < pass->args.lines; line++) {
      int64_t rest = line;
      row rows[2] = {{0}};
      if (k->twiddle.part) rows[0].index = (uint64_t)first;
      for (int l = 0; l < k->loops; l++) {
        int64_t n = (int64_t)pass->args.loop_n[l], index = rest % n;
        rest /= n;
        for (int s = 0; s < 2; s++) {
          int64_t at = s && l + 1 == k->mirror ? (index ? 2 * n - index : n) : index;
          rows[s].from += at * pass->args.loop_in[l];
          rows[s].to += at * pass->args.loop_out[l];
          if (l + 1 == loop) rows[s].index += (uint64_t)at;
          if (l + 1 == k->real_pairs) rows[s].both = 2 * (uint64_t)index + 1 < pass->args.real_lines;
          if (l + 1 == k->twiddle.second_loop) rows[s].index += (uint64_t)at * pass->args.outer_step;
        }
      }
      if (k->out.form == MFFT_FORM_TWO_HALVES) rows[0].mirror = mirror_row(&pass->args.mirror, first, line, rows[0].to);
      if (k->second.n)
        play_matrix(pass, in, out, &rows[0]);
      else
        play_rows(pass, in, (const double *)place[MFFT_AT_ENDS] + 4 * line, out, rows);
    }
  }
}

static inline void play(const mfft_schedule *schedule, int64_t first, const char *const place[MFFT_PLACES]) {
  play_passes(schedule->pass, schedule->count, first, place);
}

static inline void check(const mfft_fft_spec *spec, const mfft_device_limits *limits) {
  mfft_schedule schedule;
  CHECK_OK(mfft_schedule_make(spec, limits, &schedule));
  transform_case c;
  CHECK(case_make(&c, spec, 42), "FFTW");
  double *work = calloc(1, 4 * schedule.work_bytes + 8);
  const char *place[MFFT_PLACES];
  mfft_schedule_places(&schedule, (char *)c.in, (char *)c.out, (char *)work, place);
  play(&schedule, 0, place);
  char text[512];
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(case_error(&c, c.out) < 1e-12, "type %d n %lld %lld %lld in place %d: error %.2e by %s", spec->type,
        (long long)spec->axis[0].n, (long long)spec->axis[1].n, (long long)spec->axis[2].n, spec->in_place,
        case_error(&c, c.out), text);
  for (int i = 0; i < schedule.count; i++) {
    const mfft_kernel *k = &schedule.pass[i].kernel;
    int product = 1, second = 1;
    for (int m = 0; m < k->chain.merges; m++) product *= k->chain.radix[m];
    CHECK(k->engine == MFFT_ENGINE_REAL || product == k->chain.n, "radices of %d", k->chain.n);
    for (int m = 0; m < k->second.merges; m++) second *= k->second.radix[m];
    CHECK(!k->second.n || second == k->second.n, "radices of %d", k->second.n);
    CHECK(k->tile.shared_bytes <= limits->shared_bytes && k->chain.lines * k->chain.threads <= limits->threads,
          "block of %d", k->chain.n);
  }
  free(work);
  case_free(&c);
}

#endif
