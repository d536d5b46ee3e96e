/* number.c: see number.h. */
#include "cli/number.h"

#include <stdio.h>
#include <stdlib.h>

void mfft_number_text(double value, char text[MFFT_NUMBER_BYTES]) {
  for (int digits = 15; digits <= 17; digits++) {
    snprintf(text, MFFT_NUMBER_BYTES, "%.*g", digits, value);
    if (strtod(text, NULL) == value) return;
  }
}
