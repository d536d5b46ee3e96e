/* stop.h: requests to stop a run between two steps: SIGUSR1, or a file PREFIX-stop. */
#ifndef MFFT_APPS_NBODY_STOP_H
#define MFFT_APPS_NBODY_STOP_H

/* Handles SIGUSR1 from now to the end of the process, so that it does not end it. */
void mfft_stop_begin(void);

/* 1 on all ranks if any rank has received the signal or the file exists; removes the file.  Collective. */
int mfft_stop_asked(const char *file);

#endif
