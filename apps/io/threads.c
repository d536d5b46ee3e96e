/* threads.c: see threads.h. */
#include "io/threads.h"

#include <pthread.h>

#include "mfft_field.h"

static mfft_workers pool;

/* Seconds that threads have added to each phase since they were booked last. */
static struct {
  pthread_mutex_t mutex;
  double seconds[MFFT_PHASES];
} added = {.mutex = PTHREAD_MUTEX_INITIALIZER};

mfft_status mfft_threads_begin(const mfft_sweep_options *options) {
  int threads = 1;
  mfft_status status = mfft_field_set_threads((int)options->io_threads);
  if (status == MFFT_SUCCESS) status = mfft_field_threads(MPI_COMM_WORLD, &threads);
  if (status == MFFT_SUCCESS && !pool) pool = mfft_workers_create(threads);
  return status;
}

void mfft_threads_end(void) {
  mfft_workers_destroy(pool);
  pool = NULL;
}

mfft_workers mfft_threads_pool(void) { return pool; }

void mfft_threads_add(mfft_job_phase phase, int thread, double start_s, double end_s) {
  pthread_mutex_lock(&added.mutex);
  added.seconds[phase] += end_s - start_s;
  pthread_mutex_unlock(&added.mutex);
  if (thread > 0) mfft_phase_span_add(thread, phase, start_s, end_s);
}

void mfft_threads_book(mfft_job_phase of, mfft_job_phase phase, int threads) {
  pthread_mutex_lock(&added.mutex);
  const double seconds = added.seconds[phase];
  added.seconds[phase] = 0;
  pthread_mutex_unlock(&added.mutex);
  if (threads) mfft_phase_move(of, phase, seconds / threads);
}
