/* real.h: finds the functions of FFTW itself, which a program's calls would reach without this library.
 *
 * This library defines names of FFTW, so that calls of the program arrive here; calls that mergefft does not handle are
 * passed to the next definition of the same name (dlsym, RTLD_NEXT), or, if the program is linked with no other, to FFTW's
 * own library, which is then opened by name.  The backend of mergefft calls FFTW too: its calls arrive here as well and are
 * passed on. */
#ifndef MFFT_DROPIN_REAL_H
#define MFFT_DROPIN_REAL_H

#include <stddef.h>

/* Returns a function of FFTW by its name, such as "fftw_execute".  If there is none, the process ends with a message that
 * names the library to install: the program could not run without mergefft either. */
void *mfft_dropin_real(const char *name);

/* Returns a function of FFTW, or NULL: for functions that older releases of FFTW lack. */
void *mfft_dropin_real_or_null(const char *name);

/* Whether plans of this library may be returned to the program: 0, with the reason in `why` (of `size` bytes), if its calls
 * of the functions that execute and destroy plans would not arrive here, or would be passed to something that is not FFTW,
 * such as the wrappers of MKL.  prefix: "fftw", "fftwf" or "fftwl". */
int mfft_dropin_reachable(const char *prefix, char *why, size_t size);

/* Whether an address is in FFTW's library for MPI.  Its functions call each other by names that resolve to this library; if
 * the program's calls do not, it would get a plan of mergefft and execute it by FFTW. */
int mfft_dropin_is_fftw_mpi(const char *prefix, const void *address);

#endif
