/* memory.h: checks for memory that FFTW allocates by itself.
 *
 * FFTW aborts the process if one of its allocations fails, and has no hook for an allocator.  The backend therefore first
 * maps and unmaps as much memory as FFTW may allocate at most, and returns MFFT_ERR_MEMORY if the system does not have
 * it, for example under a limit of the address space.  Another thread may still take the memory before FFTW does.
 *
 * The bounds were found by counting the bytes of every allocation of FFTW 3.3.10 for lengths of 16 to 3e7: primes,
 * products of small numbers and a prime, and powers of two, in 1 to 3 dimensions, with every effort.  Tables took up to
 * 5.3 complex numbers, and buffers of a run 2.5, for each unit of the largest prime factor of a length (Rader 1968,
 * Bluestein 1970).  Tables took up to one complex number for each unit of a length that is not prime.  The planner stored
 * 0.6, 1.4 and 20 MB, by effort, and other buffers of a run took 0.5 MB. */
#ifndef MFFT_LOCAL_FFTW_MEMORY_H
#define MFFT_LOCAL_FFTW_MEMORY_H

#include "base/status.h"
#include "local/fftw/api.h"

/* Most bytes that FFTW allocates while it plans a problem, and while it runs the plan, with `threads` threads. */
size_t mfft_fftw_planning_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *problem, mfft_effort effort, int threads);
size_t mfft_fftw_running_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *problem, int threads);

/* MFFT_ERR_MEMORY if the system does not have `bytes` now; `doing` names the operation in the message. */
mfft_status mfft_fftw_check_memory(size_t bytes, const char *doing);

/* MFFT_ERR_MEMORY if the system does not allow `threads` threads, the caller's included: FFTW would wait for ever for one
 * that it cannot start. */
mfft_status mfft_fftw_check_threads(int threads);

#endif
