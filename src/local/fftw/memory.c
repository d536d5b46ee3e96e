/* memory.c: see memory.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "local/fftw/memory.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/primes.h"
#include "base/trigonometric.h"
#include "local/fftw/problem.h"
#include "mfft_inspect.h"

/* The largest prime for which FFTW has a codelet. */
enum { LARGEST_OF_CODELETS = 13 };

/* Bytes for the threads that FFTW starts besides the caller's: a stack and an arena of malloc for each (glibc maps 128 MiB
 * and keeps 64 MiB of them). */
static size_t thread_bytes(int threads) {
  enum { ARENA_BYTES = 128 << 20 };
  pthread_attr_t attributes;
  size_t stack = 8 << 20;
  if (threads == 1) return 0;
  if (pthread_attr_init(&attributes) == 0) {
    pthread_attr_getstacksize(&attributes, &stack);
    pthread_attr_destroy(&attributes);
  }
  return (size_t)(threads - 1) * (stack + ARENA_BYTES);
}

size_t mfft_fftw_planning_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *p, mfft_effort effort, int threads) {
  static const struct {
    size_t remembered, half_complexes; /* half_complexes: real numbers for each unit of a large prime factor */
  } most[] = {[MFFT_ESTIMATE] = {2 << 20, 11}, [MFFT_MEASURE] = {4 << 20, 12}, [MFFT_PATIENT] = {32 << 20, 12}};
  size_t bytes = most[effort].remembered + thread_bytes(threads);
  for (int a = 0; a < p->naxes; a++) {
    const int64_t points = mfft_axis_points(p->kind[a], p->axis[a].n);
    const size_t n = (size_t)points, prime = (size_t)mfft_largest_prime(points);
    if (prime > LARGEST_OF_CODELETS) bytes += most[effort].half_complexes * prime * api->real_bytes;
    if (prime < n) bytes += n * 2 * api->real_bytes;
  }
  return bytes;
}

size_t mfft_fftw_running_bytes(const mfft_fftw_api *api, const mfft_fftw_problem *p, int threads) {
  enum { LARGE_BYTES = 1 << 20, BUFFER_BYTES = 2 << 20 }; /* arrays below LARGE_BYTES need no such buffers */
  size_t bytes = 0;                                       /* maximum over axes, which are transformed one after another */
  for (int a = 0; a < p->naxes; a++) {
    const size_t prime = (size_t)mfft_largest_prime(mfft_axis_points(p->kind[a], p->axis[a].n)),
                 buffer = 3 * prime * 2 * api->real_bytes;
    if (prime > LARGEST_OF_CODELETS && buffer > bytes) bytes = buffer;
  }
  if (mfft_fftw_problem_bytes(api, p, 0) >= LARGE_BYTES) bytes += BUFFER_BYTES;
  return bytes * (size_t)threads + thread_bytes(threads);
}

static void *pass_by(void *gate) {
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

mfft_status mfft_fftw_check_threads(int threads) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;         /* held until all threads exist, for which they wait */
  pthread_t *made = malloc((size_t)threads * sizeof *made); /* [threads - 1] */
  int count = 0, error = made ? 0 : ENOMEM;
  pthread_mutex_lock(&gate);
  while (!error && count < threads - 1) {
    error = pthread_create(&made[count], NULL, pass_by, &gate);
    count += !error;
  }
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < count; i++) pthread_join(made[i], NULL);
  free(made);
  if (!error) return MFFT_SUCCESS;
  return mfft_fail(MFFT_ERR_MEMORY, "threads is %d, of which the system gives %d (%s); ask for fewer, or raise its limits",
                   threads, count + 1, strerror(error));
}

mfft_status mfft_fftw_check_memory(size_t bytes, const char *doing) {
  if (!bytes) return MFFT_SUCCESS;
  void *tried = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (tried == MAP_FAILED)
    return mfft_fail(
        MFFT_ERR_MEMORY,
        "%s by FFTW may take %zu bytes beside the arrays, which the system does not have (%s); use fewer threads, a "
        "length without large prime factors (mfft_next_fast_length), or raise the limit of memory",
        doing, bytes, strerror(errno));
  munmap(tried, bytes);
  return MFFT_SUCCESS;
}
