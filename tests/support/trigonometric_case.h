/* trigonometric_case.h: a case of the tests of cosine and sine transforms, which has a kind for each axis. */
#ifndef MFFT_TESTS_TRIGONOMETRIC_CASE_H
#define MFFT_TESTS_TRIGONOMETRIC_CASE_H

#include "mfft.h"

typedef struct trigonometric_case {
  mfft_kind kind;
  int rank;
  int64_t n[3];           /* [rank] */
  unsigned axes;          /* as in mfft_desc; 0: all */
  mfft_axis_kind axis[3]; /* [rank] */
} trigonometric_case;

#endif
