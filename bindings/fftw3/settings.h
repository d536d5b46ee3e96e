/* settings.h: the settings of this library in the environment, and whether it may be used by the program at all. */
#ifndef MFFT_DROPIN_SETTINGS_H
#define MFFT_DROPIN_SETTINGS_H

/* NULL if mergefft makes the plans of a precision ("fftw" or "fftwf"), else the reason why FFTW does, a text in static
 * memory.  caller: an address in the code that requested a plan.  The first refusal of a process is one line on stderr of
 * rank 0, unless the user requested it.  MPI is running. */
const char *mfft_dropin_refusal(const char *prefix, const void *caller);

/* The file of the report, "stderr", or NULL. */
const char *mfft_dropin_report_file(void);

/* The transport of plans, or NULL: the choice of the library. */
const char *mfft_dropin_transport(void);

/* Seconds of timing for one plan, as the program has set them by fftw_set_timelimit; 0: the default of mergefft. */
double mfft_dropin_time_limit(void);
void mfft_dropin_set_time_limit(double seconds);

#endif
