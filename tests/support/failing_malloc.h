/* failing_malloc.h: a malloc, calloc, realloc and posix_memalign that fail at a chosen call.  Calls by the program itself
 * count, which includes the library; those of MPI, FFTW and HDF5 neither count nor fail. */
#ifndef MFFT_TESTS_FAILING_MALLOC_H
#define MFFT_TESTS_FAILING_MALLOC_H

#include <mpi.h>

#include "check.h"

#if !defined(TEST_ADDRESS_SANITIZER) && !defined(TEST_THREAD_SANITIZER) && defined(__GLIBC__)
#define FAILING_MALLOC_WORKS 1

extern char __executable_start, etext; /* defined by the linker: begin and end of the program's code */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
static int64_t failing_call = -1, calls_made; /* the call that fails, -1: none; calls so far */

static int call_fails(const void *caller) {
  const char *c = caller;
  return failing_call >= 0 && c >= &__executable_start && c < &etext && calls_made++ == failing_call;
}
void *malloc(size_t bytes) { return call_fails(__builtin_return_address(0)) ? NULL : __libc_malloc(bytes); }
void *calloc(size_t n, size_t bytes) { return call_fails(__builtin_return_address(0)) ? NULL : __libc_calloc(n, bytes); }
void *realloc(void *p, size_t bytes) { return call_fails(__builtin_return_address(0)) ? NULL : __libc_realloc(p, bytes); }
int posix_memalign(void **pointer, size_t alignment, size_t bytes) {
  const int no_memory = 12; /* ENOMEM */
  if (call_fails(__builtin_return_address(0))) return no_memory;
  *pointer = __libc_memalign(alignment, bytes);
  return *pointer ? 0 : no_memory;
}

/* Fails the first allocation that `call` makes on rank `failing_rank`, then the second, and so on until `call` makes no more
 * allocations: all ranks get the same status, success or MFFT_ERR_MEMORY, since some allocations are not essential; without
 * a failure the call succeeds. */
static inline void each_allocation_fails(mfft_status (*call)(const void *subject), const void *subject, int failing_rank,
                                         const char *what) {
  enum { MOST = 3000 };
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  CHECK(call(subject) == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
  for (int at = 0; at < MOST; at++) {
    if (rank == failing_rank) failing_call = at, calls_made = 0;
    const mfft_status status = call(subject);
    int spent = calls_made > at, worst = (int)status, least = (int)status;
    failing_call = -1;
    MPI_Bcast(&spent, 1, MPI_INT, failing_rank, MPI_COMM_WORLD);
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
