// TEST ranks=1,2,3 labels=dist args=fftw,pairwise,p2p,alltoallv
// TEST ranks=3 labels=dist+emulated args=cuda,p2p,p2p-store,staged,alltoallv,nccl
/* Objects that exist after MPI_Finalize: plans and exchanges of every transport can be destroyed then, without a message; an
 * execute returns that MPI is finalized. */
#include "check.h"
#include "emulated_mpi.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

enum { N = 12, MOST = 8 };

int main(int argc, char **argv) {
  int rank, ranks;
  setenv("MFFT_EMULATED_GPUS", "3", 0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const char *backend = argc > 1 ? argv[1] : "fftw";
  if (!mfft_backend_usable(backend, NULL, 0)) return MPI_Finalize(), TEST_SKIPPED;
  mfft_plan plan[MOST] = {NULL};  /* [transport] */
  mfft_exchange x[MOST] = {NULL}; /* [transport] */
  void *array[2];
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_alloc(backend, N * N * N * 16, &array[i]));
  for (int i = 2; i < argc && i < MOST; i++) {
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    d.n[0] = d.n[1] = d.n[2] = N;
    options.chunks = 2;
    options.effort = MFFT_ESTIMATE;
    options.backend = backend;
    options.transport = argv[i];
    CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan[i]));
    CHECK_OK(mfft_execute(plan[i], MFFT_FORWARD, array[0], array[1]));
    CHECK_OK(mfft_plan_synchronize(plan[i]));
    mfft_exchange_desc e;
    mfft_exchange_options how;
    mfft_exchange_desc_init(&e);
    mfft_exchange_options_init(&how);
    how.backend = backend;
    how.transport = argv[i];
    e.element_bytes = 8;
    e.from = (mfft_box){{N * rank / ranks, 0, 0}, {N * (rank + 1) / ranks, N, N}, {0, 1, 2}};
    e.to = (mfft_box){{0, N * rank / ranks, 0}, {N, N * (rank + 1) / ranks, N}, {0, 1, 2}};
    CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &e, &how, &x[i]));
    CHECK_OK(mfft_exchange_execute(x[i], array[0], array[1]));
    CHECK_OK(mfft_exchange_synchronize(x[i]));
  }
  MPI_Finalize();
  for (int i = 2; i < argc && i < MOST; i++) {
    CHECK_FAILS(mfft_execute(plan[i], MFFT_FORWARD, array[0], array[1]), MFFT_ERR_STATE, "MPI is finalized");
    CHECK_FAILS(mfft_exchange_execute(x[i], array[0], array[1]), MFFT_ERR_STATE, "MPI is finalized");
    CHECK_OK(mfft_plan_synchronize(plan[i]));
    mfft_plan_destroy(plan[i]);
    mfft_exchange_destroy(x[i]);
  }
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_free(backend, array[i]));
  return test_end();
}
