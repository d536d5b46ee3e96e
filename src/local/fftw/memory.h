/* memory.h: memory that FFTW takes by itself.
 *
 * FFTW ends the process (abort) where an allocation of its own fails, and offers no hook.  So the backend first asks the
 * system for as much as FFTW may take at most, gives it back, and answers MFFT_ERR_MEMORY where it is not to be had, as
 * under a limit of the address space.  Between that and FFTW's own calls another thread may take the memory: to be sure of
 * it, a program would have to give FFTW an allocator, which FFTW does not take.
 *
 * The bounds were found by counting the bytes of every allocation of FFTW 3.3.10 for lengths of 16 to 3e7, primes, products
 * of small numbers and a prime, and powers of two, in 1 to 3 dimensions, with every effort.  For each unit of the largest
 * prime factor of a length (Rader 1968, Bluestein 1970) tables took up to 5.3 complexes and buffers of a run 2.5; for each
 * unit of a length that is no prime, tables took up to one; what the planner remembers took 0.6, 1.4 and 20 MB, by effort,
 * and other buffers of a run 0.5 MB. */
#ifndef MFFT_LOCAL_FFTW_MEMORY_H
#define MFFT_LOCAL_FFTW_MEMORY_H

#include "base/status.h"
#include "local/fftw/api.h"

/* Bytes that FFTW takes at most while it plans a problem, and while it runs the plan, in so many threads. */
size_t mfft_fftw_planning_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *problem, mfft_effort effort, int threads);
size_t mfft_fftw_running_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *problem, int threads);

/* Whether the system has so many bytes now.  `doing` is for the message. */
mfft_status mfft_fftw_check_memory(size_t bytes, const char *doing);

/* Whether the system has so many threads, the caller's among them: FFTW would wait for ever for one that it cannot start. */
mfft_status mfft_fftw_check_threads(int threads);

#endif
