// TEST
/* Tables of Bluestein's algorithm: the chirp and its spectrum against sums in long double, for lengths of all radices, both
 * signs and precisions, and those that one direction leaves for the other. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/planner/chirp.h"

static const long double pi = 3.14159265358979323846264338327950288L;

/* Tables of a line; the caller frees the data. */
static void make(mfft_precision precision, mfft_bluestein_line line, mfft_table table[MFFT_TABLES]) {
  mfft_pass pass;
  memset(&pass, 0, sizeof pass);
  memset(table, 0, MFFT_TABLES * sizeof *table);
  pass.kernel.precision = precision;
  pass.kernel.bluestein.steps = MFFT_BLUESTEIN_LOAD | MFFT_BLUESTEIN_SPECTRUM;
  pass.bluestein = line;
  CHECK_OK(mfft_table_bluestein(&pass, table));
}

static void chirp(const mfft_bluestein_line *line, int64_t j, long double value[2]) {
  const long double angle = line->sign * pi * (long double)(j * j % (2 * line->n)) / (long double)line->n;
  value[0] = cosl(angle), value[1] = sinl(angle);
}

static double off(mfft_precision precision, const mfft_table *table, int64_t i, const long double want[2]) {
  double most = 0;
  for (int part = 0; part < 2; part++) {
    const double v = precision == MFFT_DOUBLE ? ((const double *)table->data)[2 * i + part]
                                              : (double)((const float *)table->data)[2 * i + part];
    most = fmax(most, fabs((double)(v - want[part])));
  }
  return most;
}

/* The spectrum of the conjugate chirp at 0, 1 .. n - 1 and m - 1 .. m - n + 1, over m. */
static void check_line(mfft_precision precision, mfft_bluestein_line line) {
  mfft_table table[MFFT_TABLES];
  const double unit = precision == MFFT_DOUBLE ? ldexp(1, -53) : ldexp(1, -24);
  double worst[2] = {0, 0};
  make(precision, line, table);
  for (int64_t j = 0; j < line.n; j++) {
    long double want[2];
    chirp(&line, j, want);
    worst[0] = fmax(worst[0], off(precision, &table[MFFT_TABLE_CHIRP], j, want));
  }
  for (int64_t k = 0; k < line.m; k++) {
    long double want[2] = {1, 0}, value[2];
    for (int64_t j = 1; j < line.n; j++) {
      const long double wave = 2 * cosl(2 * pi * (long double)(j * k % line.m) / (long double)line.m);
      chirp(&line, j, value);
      want[0] += value[0] * wave, want[1] -= value[1] * wave;
    }
    want[0] /= (long double)line.m, want[1] /= (long double)line.m;
    worst[1] = fmax(worst[1], off(precision, &table[MFFT_TABLE_SPECTRUM], k, want));
  }
  CHECK(worst[0] <= 1.01 * unit, "chirp of %d: off by %.3g", (int)line.n, worst[0]);
  CHECK(worst[1] <= 1.01 * unit * 2 / sqrt((double)line.m), "spectrum of %d by %d: off by %.3g", (int)line.n, (int)line.m,
        worst[1]);
  for (int i = 0; i < MFFT_TABLES; i++) free(table[i].data);
}

int main(void) {
  static const int64_t lines[][2] = {{1, 2},    {2, 3},     {37, 75},    {41, 91}, {61, 121},
                                     {67, 143}, {101, 256}, {499, 1040}, {31, 64}};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    for (int precision = MFFT_DOUBLE; precision <= MFFT_SINGLE; precision++)
      for (int sign = -1; sign < 2; sign += 2)
        check_line((mfft_precision)precision, (mfft_bluestein_line){lines[i][0], lines[i][1], sign});
  /* Tables that another line has left in between are not taken. */
  check_line(MFFT_DOUBLE, (mfft_bluestein_line){37, 75, -1});
  check_line(MFFT_SINGLE, (mfft_bluestein_line){37, 75, 1});
  check_line(MFFT_DOUBLE, (mfft_bluestein_line){37, 80, 1});
  check_line(MFFT_DOUBLE, (mfft_bluestein_line){41, 88, -1});
  return test_end();
}
#endif
