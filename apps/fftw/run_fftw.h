/* run_fftw.h: `mergefft run-fftw` and `mergefft trace`, which become another program. */
#ifndef MFFT_APPS_RUN_FFTW_H
#define MFFT_APPS_RUN_FFTW_H

/* If the command line begins with one of the two and has a program to run, runs it in place of this process and does not
 * return, or returns the exit code if that fails.  Otherwise -1.  Called before MPI_Init: the program calls it. */
int mfft_run_fftw(int argc, char **argv);

#endif
