/* workers.h: a pool of threads that run the iterations of a loop together with the calling thread.
 *
 * Iterations are assigned one by one in ascending sequence; threads that finish early take more of them.  The assignment
 * of iterations to threads is therefore not reproducible.  A loop whose result must not depend on the number of threads
 * stores a result for each iteration, or combines results by operations whose sequence does not matter, such as integer
 * sums.
 *
 * The pool is created once and used for many loops; a loop costs a few microseconds.  Its threads inherit the affinity of
 * the thread that creates them and block all signals: signals are delivered to the program's own threads, and a write
 * beyond the file size limit fails with EFBIG instead of ending the process.
 *
 * This file includes only public headers of mergefft, since the command is built with it too. */
#ifndef MFFT_BASE_WORKERS_H
#define MFFT_BASE_WORKERS_H

#include "mfft.h"

typedef struct mfft_workers_s *mfft_workers;

/* Runs one iteration. worker: number of the thread, 0 to mfft_workers_count() - 1, for scratch arrays of its own.  Any
 * result other than MFFT_SUCCESS ends the loop: iterations that have begun are finished, and no others are begun. */
typedef mfft_status mfft_workers_task(void *context, int64_t iteration, int worker);

/* Creates a pool of `threads` threads, of which the calling thread is one.  Returns NULL, a pool of the calling thread
 * alone, for threads < 2 and if memory or the system allow no further thread; if the system allows fewer threads than
 * asked for, the pool has those.  All functions accept NULL. */
mfft_workers mfft_workers_create(int threads);

/* Ends the threads.  Of a loop that was started and not waited for, iterations that have begun are finished, and no others
 * are begun. */
void mfft_workers_destroy(mfft_workers workers);

/* Number of threads, the calling thread included; at least 1. */
int mfft_workers_count(mfft_workers workers);

/* Runs iterations 0 to count - 1 and returns when all are done: MFFT_SUCCESS, or the status of the lowest iteration that
 * failed, whose error message mfft_workers_error returns.  A task must not call this for its own pool. */
mfft_status mfft_workers_run(mfft_workers workers, int64_t count, mfft_workers_task *task, void *context);

/* The same in two steps: after start the other threads run iterations while the caller does something else; wait joins in
 * and returns as mfft_workers_run does.  Each start needs one wait before the next start.  A NULL pool does all its work
 * in wait. */
void mfft_workers_start(mfft_workers workers, int64_t count, mfft_workers_task *task, void *context);
mfft_status mfft_workers_wait(mfft_workers workers);

/* The mfft_last_error() of the thread whose failure the last loop returned; for a NULL pool, that of the calling thread. */
const char *mfft_workers_error(mfft_workers workers);

#endif
