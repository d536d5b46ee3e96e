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

void mfft_label_number(double value, int digits, char text[MFFT_LABEL_BYTES]) {
  char plain[32], power[24];
  const char *sign = value < 0 ? "−" : "";
  const int significant = digits < 9 ? digits : 9;
  snprintf(plain, sizeof plain, "%.*e", significant - 1, fabs(value)); /* with all its digits: 2.50000e-05 */
  char *e = strchr(plain, 'e');
  const int exponent = e ? atoi(e + 1) : 0;
  if (exponent >= -3 && exponent < significant) {
    snprintf(text, MFFT_LABEL_BYTES, "%s%.*g", sign, significant, fabs(value));
    return;
  }
  while (e > plain + 1 && (e[-1] == '0' || e[-1] == '.')) e--;
  *e = '\0';
  raise(exponent, power, sizeof power);
  const int bare = !strcmp(plain, "1");
  snprintf(text, MFFT_LABEL_BYTES, "%s%s%s10%s", sign, bare ? "" : plain, bare ? "" : "·", power);
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
