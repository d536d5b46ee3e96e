// TEST ranks=2 labels=dist+large timeout=300
/* More than 2^31 elements to one peer: a byte-sized element and two ranks, one of which hands its whole array to the other.
 */
#include "check.h"
#include "mfft_mpi.h"

/* Filled and compared by words, for speed. */
static uint64_t pattern(int64_t word) { return (uint64_t)(word + 1) * 0x9e3779b97f4a7c15u; }

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int64_t n = (INT64_C(1) << 31) + 1000;
  static const char *const transports[] = {"pairwise", "alltoallv"};
  for (int t = 0; t < 2; t++) {
    mfft_exchange_desc d;
    mfft_exchange_desc_init(&d);
    d.transport = transports[t];
    d.from.hi[0] = rank == 0 ? n : 0;
    d.to.hi[0] = rank == 1 ? n : 0;
    for (int axis = 1; axis < 3; axis++) d.from.hi[axis] = d.to.hi[axis] = 1;
    mfft_exchange x = NULL;
    CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d, &x));
    uint64_t *array = malloc((size_t)n); /* [n / 8] words */
    CHECK(array != NULL);
    for (int64_t i = 0; rank == 0 && i < n / 8; i++) array[i] = pattern(i);
    CHECK_OK(mfft_exchange_execute(x, rank == 0 ? array : NULL, rank == 1 ? array : NULL));
    int64_t wrong = 0;
    for (int64_t i = 0; rank == 1 && i < n / 8; i++) wrong += array[i] != pattern(i);
    CHECK(wrong == 0, "%s: %lld of %lld words are wrong", transports[t], (long long)wrong, (long long)n / 8);
    free(array);
    mfft_exchange_destroy(x);
  }
  MPI_Finalize();
  return test_end();
}
