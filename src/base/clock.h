/* clock.h: the clock of this process, in seconds since some moment; it never goes back. */
#ifndef MFFT_BASE_CLOCK_H
#define MFFT_BASE_CLOCK_H

double mfft_now(void);

#endif
