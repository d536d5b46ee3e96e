/* ticks.h: round numbers for the axes of pictures. */
#ifndef MFFT_APPS_TICKS_H
#define MFFT_APPS_TICKS_H

/* Round numbers in [lo, hi]: at most `most` of them, multiples of 1, 2 or 5 times a power of ten; logarithmic ones are
 * powers of ten, or 1, 2 and 5 times such where there would be few.  Their number. */
enum { MFFT_TICKS = 16 };
int mfft_ticks(double lo, double hi, int logarithmic, int most, double tick[MFFT_TICKS]);

#endif
