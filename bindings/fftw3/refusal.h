/* refusal.h: whether this library may make plans for the program. */
#ifndef MFFT_DROPIN_REFUSAL_H
#define MFFT_DROPIN_REFUSAL_H

/* Returns NULL if mergefft makes the plans of a precision ("fftw" or "fftwf"), or the reason why FFTW does, a text in static
 * memory.  caller: an address in the code that requested a plan.  Rank 0 prints the first refusal of a process on stderr,
 * unless the user has requested it.  MPI must be initialized. */
const char *mfft_dropin_refusal(const char *prefix, const void *caller);

#endif
