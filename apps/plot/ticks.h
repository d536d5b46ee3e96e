/* ticks.h: round numbers for the axes of pictures. */
#ifndef MFFT_APPS_TICKS_H
#define MFFT_APPS_TICKS_H

enum { MFFT_TICKS = 16 };

/* Tick i is at offset + value[i].  The offset is 0 unless the axis is short compared with its distance from 0 (by more than
 * MFFT_TICKS_RATIO), where labels of whole values would need many digits or could not be distinguished: then labels show
 * value[i] and the axis states the offset once. */
typedef struct mfft_ticks {
  int count;
  double offset;
  double value[MFFT_TICKS]; /* [count] increasing */
} mfft_ticks;

enum { MFFT_TICKS_RATIO = 1000 };

/* Round numbers in [lo, hi], at most `most` of them: multiples of 1, 2 or 5 times a power of ten, or, where there would be
 * only one, of 2.5 or 4 times such.  Logarithmic ones (lo > 0) are powers of ten, or 1, 2 and 5 times such if there would be
 * few.  None unless hi > lo holds, or if hi - lo is no normal number. */
void mfft_ticks_find(double lo, double hi, int logarithmic, int most, mfft_ticks *ticks);

#endif
