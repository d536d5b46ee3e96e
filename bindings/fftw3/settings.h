/* settings.h: the settings of this library in the environment, and whether it may be used by the program at all. */
#ifndef MFFT_DROPIN_SETTINGS_H
#define MFFT_DROPIN_SETTINGS_H

/* Returns NULL if mergefft makes the plans of a precision ("fftw" or "fftwf"), or the reason why FFTW does, a text in static
 * memory.  caller: an address in the code that requested a plan.  Rank 0 prints the first refusal of a process on stderr,
 * unless the user has requested it.  MPI must be initialized. */
const char *mfft_dropin_refusal(const char *prefix, const void *caller);

/* The file name of the report, "stderr", or NULL: no report. */
const char *mfft_dropin_report_file(void);

/* The transport of plans; NULL: the library chooses. */
const char *mfft_dropin_transport(void);

/* Time limit of planning in seconds, from fftw_set_timelimit; 0: the default of mergefft. */
double mfft_dropin_time_limit(void);
void mfft_dropin_set_time_limit(double seconds);

#endif
