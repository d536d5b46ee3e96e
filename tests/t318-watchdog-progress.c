// TEST ranks=2 labels=dist+fault+waits
/* The watchdog counts from the last message that arrived: a wait for many messages, of which one arrives every 0.4 s and the
 * first of the list arrives last, may take longer than a limit of one second. */
#include <time.h>

#include "check.h"
#include "mfft_mpi.h"

enum { MESSAGES = 8 };

int main(int argc, char **argv) {
  setenv("MFFT_WATCHDOG_S", "1", 1);
  MPI_Init(&argc, &argv);
  int rank, got[MESSAGES] = {0}, peer[MESSAGES]; /* [MESSAGES] */
  MPI_Request request[MESSAGES];                 /* [MESSAGES] */
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < MESSAGES; i++) peer[i] = 1 - rank;
  if (rank == 0) {
    for (int i = 0; i < MESSAGES; i++) MPI_Irecv(&got[i], 1, MPI_INT, 1, i, MPI_COMM_WORLD, &request[i]);
    const double begin = MPI_Wtime();
    CHECK_OK(mfft_wait(MPI_COMM_WORLD, request, peer, MESSAGES, "trying a slow sender"));
    CHECK(MPI_Wtime() - begin > 2, "the messages were not late");
    for (int i = 0; i < MESSAGES; i++) CHECK(got[i] == i + 1, "message %d: %d", i, got[i]);
  } else {
    for (int i = MESSAGES - 1; i >= 0; i--) {
      const int value = i + 1;
      nanosleep(&(struct timespec){.tv_nsec = 400000000}, NULL);
      CHECK(MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD) == MPI_SUCCESS);
    }
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Finalize();
  return test_end();
}
