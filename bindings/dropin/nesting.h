/* nesting.h: tells calls of the program from calls that FFTW and mergefft make themselves. */
#ifndef MFFT_DROPIN_NESTING_H
#define MFFT_DROPIN_NESTING_H

/* Nesting depth of FFTW and mergefft functions in this thread: above 0, calls of FFTW names are not the program's.  Every
 * local transform of the backend reads it; with the TLS model initial-exec that takes no function call. */
extern _Thread_local int mfft_dropin_inside __attribute__((tls_model("initial-exec")));

#endif
