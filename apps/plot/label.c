/* label.c: see label.h. */
#include "plot/label.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An exponent in raised digits. */
static void raise(int exponent, char *text, size_t size) {
  static const char *const digit[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];
  text[0] = '\0';
  snprintf(plain, sizeof plain, "%d", exponent);
  for (const char *c = plain; *c; c++) {
    const size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", *c == '-' ? "⁻" : digit[*c - '0']);
  }
}

/* The magnitude of a number with so many significant digits, as 2.50000e-05. */
typedef struct scientific {
  char mantissa[32]; /* 2.5, without zeros at the end */
  int exponent;
} scientific;

static scientific split(double value, int significant) {
  scientific s = {.exponent = 0};
  snprintf(s.mantissa, sizeof s.mantissa, "%.*e", significant - 1, fabs(value));
  char *e = strchr(s.mantissa, 'e');
  if (!e) return s; /* infinity or NAN */
  s.exponent = atoi(e + 1);
  while (e > s.mantissa + 1 && (e[-1] == '0' || e[-1] == '.')) e--;
  *e = '\0';
  return s;
}

/* Writes a number; from 10^least to below 10^below without a power of ten. */
static void write_number(double value, int significant, int least, int below, char text[MFFT_LABEL_BYTES]) {
  char power[24];
  const char *sign = value < 0 ? "−" : "";
  const scientific s = split(value, significant);
  if (s.exponent >= least && s.exponent < below) {
    snprintf(text, MFFT_LABEL_BYTES, "%s%.*g", sign, significant, fabs(value));
    return;
  }
  raise(s.exponent, power, sizeof power);
  const int bare = !strcmp(s.mantissa, "1");
  snprintf(text, MFFT_LABEL_BYTES, "%s%s%s10%s", sign, bare ? "" : s.mantissa, bare ? "" : "·", power);
}

enum { LEAST_PLAIN = -3, MOST_DIGITS = 9 };

static int significant_of(int digits) { return digits < MOST_DIGITS ? digits : MOST_DIGITS; }

void mfft_label_number(double value, int digits, char text[MFFT_LABEL_BYTES]) {
  const int significant = significant_of(digits);
  write_number(value, significant, LEAST_PLAIN, significant, text);
}

void mfft_label_tick(const mfft_ticks *ticks, int i, int digits, char text[MFFT_LABEL_BYTES]) {
  const int significant = significant_of(digits);
  int powers = 0;
  for (int k = 0; k < ticks->count; k++) {
    const int exponent = split(ticks->value[k], significant).exponent;
    powers |= exponent < LEAST_PLAIN || exponent >= significant;
  }
  if (powers)
    write_number(ticks->value[i], significant, -1, 2, text);
  else
    mfft_label_number(ticks->value[i], digits, text);
}

void mfft_label_size(double value, char text[MFFT_LABEL_BYTES]) {
  int exponent;
  char power[24];
  if (value <= 1e4 || frexp(value, &exponent) != 0.5) {
    mfft_label_number(value, 6, text);
    return;
  }
  raise(exponent - 1, power, sizeof power);
  snprintf(text, MFFT_LABEL_BYTES, "2%s", power);
}

const char *mfft_label_prefix(double value, double *size) {
  static const char *const prefix[] = {"n", "µ", "m", "", "k", "M", "G", "T", "P"};
  enum { NONE = 3, COUNT = sizeof prefix / sizeof *prefix };
  int i = NONE;
  if (value > 0) i += (int)fmin(fmax(floor(log10(value) / 3 + 1e-9), -NONE), COUNT - 1 - NONE);
  *size = pow(1000, i - NONE);
  return prefix[i];
}
