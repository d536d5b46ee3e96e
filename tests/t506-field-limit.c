// TEST ranks=1,2,3 labels=field+fault
// TEST ranks=1,3 labels=field+fault env=MFFT_IO_THREADS=4
// The file size limit (ulimit -f), on all ranks or on one that is not rank 0, is MFFT_ERR_IO on every rank: no signal, no
// file of the failed write, and the signal's handler is restored.
#include <signal.h>
#include <sys/resource.h>

#include "field.h"

static const int64_t n[3] = {64, 64, 64}; /* 2 MiB */

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  if (world_rank() == 0) remove("limit.h5"); /* of a run before */
  MPI_Barrier(MPI_COMM_WORLD);
  struct rlimit old, tight;
  getrlimit(RLIMIT_FSIZE, &old);
  tight = old;
  tight.rlim_cur = 1 << 20;

  setrlimit(RLIMIT_FSIZE, &tight);
  CHECK_FAILS(write_slabs("limit.h5", n, NULL), MFFT_ERR_IO, "ulimit -f");
  CHECK(!there_is("limit.h5") && !there_is("limit.h5.mfft-partial"), "left behind");
  MPI_Barrier(MPI_COMM_WORLD);
  setrlimit(RLIMIT_FSIZE, &old);

  if (world_size() > 1) { /* the space is there, and then a write fails */
    if (world_rank() == world_size() - 1) setrlimit(RLIMIT_FSIZE, &tight);
    char words[64];
    snprintf(words, sizeof words, "rank %d of %d", world_size() - 1, world_size());
    CHECK_FAILS(write_slabs("limit.h5", n, NULL), MFFT_ERR_IO, words);
    CHECK(strstr(mfft_last_error(), "writing"), "%s", mfft_last_error());
    CHECK(!there_is("limit.h5") && !there_is("limit.h5.mfft-partial"), "left behind");
    MPI_Barrier(MPI_COMM_WORLD);
    setrlimit(RLIMIT_FSIZE, &old);
  }
  struct sigaction action;
  sigaction(SIGXFSZ, NULL, &action);
  CHECK(action.sa_handler == SIG_DFL, "SIGXFSZ is not handled as before");
  CHECK_OK(write_slabs("limit.h5", n, NULL));
  int bad = test_end();
  MPI_Finalize();
  return bad;
}
