/* spectrum_table.c: see spectrum_table.h. */
#include "gen/spectrum_table.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/hermite.h"

int mfft_spectrum_table_create(int64_t count, mfft_spectrum_table *t) {
  *t = (mfft_spectrum_table){.count = count, .log_k = malloc(2 * (size_t)count * sizeof(double))};
  if (!t->log_k) t->count = 0;
  t->log_p = t->log_k ? t->log_k + count : NULL;
  return t->log_k ? 0 : -1;
}

void mfft_spectrum_table_free(mfft_spectrum_table *t) {
  free(t->log_k);
  *t = (mfft_spectrum_table){0};
}

/* ---- Reading --------------------------------------------------------------------------------------------------------- */

enum { K, P, NUMBERS };

/* The numbers of the line at *at, which becomes the end of the line: how many, or -1 where something is no number. */
static int read_line(const char **at, double value[NUMBERS]) {
  int count = 0;
  for (;;) {
    *at += strspn(*at, " \t\r");
    if (strchr("\n#", **at)) break; /* the end of the text, too */
    char *end;
    const double number = strtod(*at, &end);
    if (end == *at || !strchr(" \t\r\n#", *end)) return -1;
    if (count < NUMBERS) value[count] = number;
    count++;
    *at = end;
  }
  *at += strcspn(*at, "\n");
  return count;
}

/* Whether a row may follow the one before it: 0, or -1 with the reason. */
static int check_row(int64_t line, const char *text, int numbers, const double value[NUMBERS], double last_k, char *why) {
  const size_t size = MFFT_SPECTRUM_WHY_BYTES;
  const int positive = numbers == NUMBERS && value[K] > 0 && isfinite(value[K]);
  if (numbers < 0)
    snprintf(why, size, "line %" PRId64 " is '%.*s'; write k in h/Mpc and P in (Mpc/h)^3 as two numbers", line,
             (int)strcspn(text, "\r\n"), text);
  else if (numbers != NUMBERS)
    snprintf(why, size, "line %" PRId64 " has %d column%s; give two, k and P(k), which is no transfer function", line,
             numbers, numbers == 1 ? "" : "s");
  else if (!positive)
    snprintf(why, size, "line %" PRId64 ": k is %.12g; give positive wave numbers in h/Mpc, not logarithms", line, value[K]);
  else if (!(value[P] > 0 && isfinite(value[P])))
    snprintf(why, size, "line %" PRId64 ": P is %.12g; give positive powers in (Mpc/h)^3, not logarithms", line, value[P]);
  else if (!(value[K] > last_k))
    snprintf(why, size, "line %" PRId64 ": k is %.12g after %.12g; sort the rows so that k ascends", line, value[K], last_k);
  else
    return 0;
  return -1;
}

static int64_t lines_of(const char *text) {
  int64_t lines = 1;
  for (; *text; text++) lines += *text == '\n';
  return lines;
}

int mfft_spectrum_table_read(const char *text, mfft_spectrum_table *t, char why[MFFT_SPECTRUM_WHY_BYTES]) {
  const int64_t lines = lines_of(text);
  double *row = malloc(NUMBERS * (size_t)lines * sizeof *row), last_k = 0; /* [rows][NUMBERS] */
  int64_t rows = 0;
  int failed = row ? 0 : -1;
  *t = (mfft_spectrum_table){0};
  if (failed) snprintf(why, MFFT_SPECTRUM_WHY_BYTES, "there is no memory for %" PRId64 " lines", lines);
  for (int64_t line = 1; line <= lines && !failed; line++, text += *text == '\n') {
    const char *start = text;
    const int numbers = read_line(&text, row + NUMBERS * rows);
    if (numbers) failed = check_row(line, start, numbers, row + NUMBERS * rows, last_k, why);
    if (failed || !numbers) continue;
    last_k = row[NUMBERS * rows++ + K];
  }
  if (!failed && rows < 2) {
    failed = -1;
    snprintf(why, MFFT_SPECTRUM_WHY_BYTES, "it has %" PRId64 " row%s; give two or more", rows, rows == 1 ? "" : "s");
  }
  if (!failed && mfft_spectrum_table_create(rows, t)) {
    failed = -1;
    snprintf(why, MFFT_SPECTRUM_WHY_BYTES, "there is no memory for %" PRId64 " rows", rows);
  }
  for (int64_t i = 0; i < t->count; i++) {
    t->log_k[i] = log(row[NUMBERS * i + K]);
    t->log_p[i] = log(row[NUMBERS * i + P]);
  }
  free(row);
  return failed;
}

/* ---- Values ---------------------------------------------------------------------------------------------------------- */

double mfft_spectrum_table_first(const mfft_spectrum_table *t) { return exp(t->log_k[0]); }
double mfft_spectrum_table_last(const mfft_spectrum_table *t) { return exp(t->log_k[t->count - 1]); }

/* The mean slope between rows i and i + 1. */
static double secant(const mfft_spectrum_table *t, int64_t i) {
  return (t->log_p[i + 1] - t->log_p[i]) / (t->log_k[i + 1] - t->log_k[i]);
}

/* The slope at row i: that of the parabola through the three nearest rows. */
static double slope(const mfft_spectrum_table *t, int64_t i) {
  const int64_t last = t->count - 1;
  if (last == 1) return secant(t, 0);
  const int64_t middle = i == 0 ? 1 : i == last ? last - 1 : i;
  const double below = t->log_k[middle] - t->log_k[middle - 1], above = t->log_k[middle + 1] - t->log_k[middle];
  const double s = (above * secant(t, middle - 1) + below * secant(t, middle)) / (below + above);
  return i == middle ? s : 2 * secant(t, i == 0 ? 0 : last - 1) - s;
}

double mfft_spectrum_table_value(const mfft_spectrum_table *t, double k) {
  const double x = log(k);
  int64_t low = 0, high = t->count - 1;
  if (x <= t->log_k[low]) return exp(t->log_p[low] + slope(t, low) * (x - t->log_k[low]));
  if (x >= t->log_k[high]) return exp(t->log_p[high] + slope(t, high) * (x - t->log_k[high]));
  while (high - low > 1) {
    const int64_t middle = low + (high - low) / 2;
    *(x < t->log_k[middle] ? &high : &low) = middle;
  }
  const double step = t->log_k[high] - t->log_k[low];
  return exp(
      mfft_hermite((x - t->log_k[low]) / step, t->log_p[low], step * slope(t, low), t->log_p[high], step * slope(t, high)));
}
