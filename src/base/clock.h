/* clock.h: the clock of this process, in seconds since some moment; it never goes back. */
#ifndef MFFT_CORE_CLOCK_H
#define MFFT_CORE_CLOCK_H

double mfft_now(void);

#endif
