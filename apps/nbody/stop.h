/* stop.h: requests from outside to end a run between two steps: SIGUSR1, and a file PREFIX-stop. */
#ifndef MFFT_APPS_NBODY_STOP_H
#define MFFT_APPS_NBODY_STOP_H

/* From now on SIGUSR1 does not end the process. */
void mfft_stop_begin(void);
void mfft_stop_end(void);

/* 1 on all ranks where any rank has got the signal, or the file is there, which is removed.  Collective. */
int mfft_stop_asked(const char *file);

#endif
