/* poor.h: memory that runs out.  Stands in for malloc and its like: a call that this program makes, which holds the library,
 * not MPI, FFTW or HDF5, fails where its number comes up. */
#ifndef MFFT_TESTS_POOR_H
#define MFFT_TESTS_POOR_H

#include <mpi.h>

#include "check.h"

#if !defined(TEST_ADDRESS_SANITIZER) && !defined(TEST_THREAD_SANITIZER) && defined(__GLIBC__)
#define POOR_WORKS 1

extern char __executable_start, etext; /* of the linker */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static int64_t poor_at = -1, poor_calls; /* the call that fails, -1: none; calls so far */

static int poor_fails(const void *caller) {
  const char *c = caller;
  return poor_at >= 0 && c >= &__executable_start && c < &etext && poor_calls++ == poor_at;
}
void *malloc(size_t bytes) { return poor_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) { return poor_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, bytes); }
void *realloc(void *p, size_t bytes) { return poor_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, bytes); }
int posix_memalign(void **pointer, size_t alignment, size_t bytes) {
  const int no_memory = 12; /* ENOMEM */
  if (poor_fails(__builtin_return_address(0))) return no_memory;
  *pointer = __libc_memalign(alignment, bytes);
  return *pointer ? 0 : no_memory;
}

/* Fails the first allocation that `call` makes on rank `poor`, then the second, until it makes no more of them: all ranks
 * get the same status, success or MFFT_ERR_MEMORY, since some can do without what they lack; and with memory the call works.
 */
static inline void run_out(mfft_status (*call)(const void *subject), const void *subject, int poor, const char *what) {
  enum { MOST = 3000 };
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(call(subject) == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
  for (int at = 0; at < MOST; at++) {
    if (rank == poor) poor_at = at, poor_calls = 0;
    const mfft_status status = call(subject);
    int spent = poor_calls > at, worst = (int)status, least = (int)status;
    poor_at = -1;
    MPI_Bcast(&spent, 1, MPI_INT, poor, MPI_COMM_WORLD);
    if (!spent) {
      CHECK(status == MFFT_SUCCESS && at > 0, "%s: %d allocations, %s", what, at, mfft_last_error());
      return;
    }
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK(worst == least, "%s: allocation %d: %d on this rank, %d to %d on all", what, at, (int)status, least, worst);
    CHECK(status == MFFT_SUCCESS || status == MFFT_ERR_MEMORY, "%s: allocation %d: %s", what, at, mfft_last_error());
  }
  CHECK(0, "%s: no end after %d allocations", what, MOST);
}
#endif
#endif
