/* clock.h: the monotonic clock of this process, in seconds since an arbitrary moment. */
#ifndef MFFT_BASE_CLOCK_H
#define MFFT_BASE_CLOCK_H

double mfft_now(void);

#endif
