/* threads.h: the threads of a rank that read, write and pass over fields.
 *
 * The library has threads of its own for files (mfft_field_set_threads); this is a pool of as many for what the command does
 * with arrays in memory.  Both sleep where there is nothing to do. */
#ifndef MFFT_APPS_THREADS_H
#define MFFT_APPS_THREADS_H

#include "base/workers.h"
#include "cli/phases.h"
#include "io/sweep.h"

/* Begins with as many as --io-threads says, or the rank's share of the cores of its node.  Collective. */
mfft_status mfft_threads_begin(const mfft_sweep_options *options);
void mfft_threads_end(void); /* also where none have begun */

/* The pool; before it has begun that of the calling thread alone. */
mfft_workers mfft_threads_pool(void);

/* Adds a span for the picture of the job: a thread has worked in a phase while it did a part of the main thread's work.  Any
 * thread may call it. */
void mfft_threads_add(mfft_job_phase phase, int thread, double start_s, double end_s);

/* Books to a phase its share of another, in which it was done by `threads` threads: the time that was added since the last
 * booking, over their number.  0 threads: drops the time, since it overlapped another phase of the main thread. */
void mfft_threads_book(mfft_job_phase of, mfft_job_phase phase, int threads);

#endif
