// TEST ranks=2 labels=dist+large+nightly timeout=300
/* More than 2^31 elements to one peer: a byte-sized element and two ranks, one of which sends its whole array to the other.
 *
 * Page faults would take longer than all else, so the sender maps a few pages repeatedly into its address space, with a
 * period that is coprime to powers of two; the receiver has memory of its own, the same for all transports. */
#define _GNU_SOURCE /* memfd_create */
#include <sys/mman.h>
#include <unistd.h>

#include "check.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

static const int64_t n = (INT64_C(1) << 31) + 1000;
enum { PERIOD = 4099 * 4096 }; /* bytes */

/* The value of a word of the period. */
static uint64_t pattern(int64_t word) { return (uint64_t)(word + 1) * 0x9e3779b97f4a7c15u; }

/* [n / 8] words of the pattern; NULL if it cannot be mapped. */
static uint64_t *make_source(void) {
  const int file = memfd_create("pattern", 0);
  if (file < 0 || ftruncate(file, PERIOD)) return NULL;
  char *array = mmap(NULL, (size_t)n + PERIOD, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (array == MAP_FAILED) return NULL;
  for (int64_t at = 0; at < n; at += PERIOD)
    if (mmap(array + at, PERIOD, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED) return NULL;
  close(file);
  for (int64_t i = 0; i < PERIOD / 8; i++) ((uint64_t *)array)[i] = pattern(i);
  return (uint64_t *)array;
}

/* The number of words of the array that differ from the pattern. */
static int64_t count_wrong(const uint64_t *array) {
  int64_t wrong = 0;
  for (int64_t at = 0; at < n / 8; at += PERIOD / 8)
    for (int64_t i = at; i < at + PERIOD / 8 && i < n / 8; i++) wrong += array[i] != pattern(i - at);
  return wrong;
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  void *array = NULL; /* [n] */
  if (rank == 0)
    array = make_source();
  else
    CHECK_OK(mfft_alloc((size_t)n, &array)); /* in huge pages */
  CHECK(array != NULL);
  static const char *const transports[] = {"pairwise", "alltoallv"};
  for (int t = 0; t < 2; t++) {
    mfft_exchange_desc d;
    mfft_exchange_options options;
    mfft_exchange_desc_init(&d);
    mfft_exchange_options_init(&options);
    options.transport = transports[t];
    d.from.hi[0] = rank == 0 ? n : 0;
    d.to.hi[0] = rank == 1 ? n : 0;
    for (int axis = 1; axis < 3; axis++) d.from.hi[axis] = d.to.hi[axis] = 1;
    mfft_exchange x = NULL;
    CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x));
    if (rank == 1) memset(array, 0, (size_t)n);
    CHECK_OK(mfft_exchange_execute(x, rank == 0 ? array : NULL, rank == 1 ? array : NULL));
    const int64_t wrong = rank == 1 ? count_wrong(array) : 0;
    CHECK(wrong == 0, "%s: %lld of %lld words are wrong", transports[t], (long long)wrong, (long long)n / 8);
    mfft_exchange_destroy(x);
  }
  if (rank == 1) mfft_free(array);
  MPI_Finalize();
  return test_end();
}
