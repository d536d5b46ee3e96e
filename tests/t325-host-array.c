// TEST ranks=1,2 labels=emulated timeout=60
// TEST ranks=1,2 labels=cuda+dist timeout=60
/* Arrays on the host given to a plan and to an exchange of device memory: refused by name before anything is sent, and both
 * work with arrays on the device afterwards.  Skipped where the device reads the host's pages. */
#include "check.h"
#include "local/backend.h"
#include "mfft_mpi.h"

int main(int argc, char **argv) {
  int rank, ranks;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const mfft_backend *cuda;
  static double host[2][2 * 8 * 8 * 8];
  void *device[2] = {NULL, NULL};
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_backend_find("cuda", &cuda) != MFFT_SUCCESS || cuda->reaches(host))
    return MPI_Finalize(), TEST_SKIPPED;
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_alloc("cuda", sizeof host[i], &device[i]));

  mfft_desc d;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  d.n[0] = d.n[1] = d.n[2] = 8;
  d.backend = "cuda";
  d.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &plan));
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, host[0], device[1]), MFFT_ERR_ARG, "in is");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, device[0], host[1]), MFFT_ERR_ARG, "backend cuda cannot reach");
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, device[0], device[1]));
  CHECK_OK(mfft_plan_synchronize(plan));
  mfft_plan_destroy(plan);

  mfft_exchange_desc e;
  mfft_exchange x = NULL;
  mfft_exchange_desc_init(&e);
  e.element_bytes = 8;
  e.backend = "cuda";
  e.from = (mfft_box){{8 * rank / ranks, 0, 0}, {8 * (rank + 1) / ranks, 8, 8}, {0, 1, 2}};
  e.to = (mfft_box){{0, 8 * rank / ranks, 0}, {8, 8 * (rank + 1) / ranks, 8}, {0, 1, 2}};
  CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &e, &x));
  CHECK_FAILS(mfft_exchange_execute(x, host[0], device[1]), MFFT_ERR_ARG, "in is");
  CHECK_FAILS(mfft_exchange_execute(x, device[0], host[1]), MFFT_ERR_ARG, "backend cuda cannot reach");
  for (int i = 0; i < 512; i++) host[0][i] = 1000 * rank + i;
  CHECK_OK(mfft_memory_upload("cuda", device[0], host[0], sizeof host[0]));
  CHECK_OK(mfft_exchange_execute(x, device[0], device[1]));
  CHECK_OK(mfft_exchange_synchronize(x));
  CHECK_OK(mfft_memory_download("cuda", host[1], device[1], sizeof host[1]));
  CHECK(host[1][0] == (double)(8 * rank / ranks * 8), "%g", host[1][0]); /* of rank 0: element (0, lo, 0) */
  mfft_exchange_destroy(x);
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_free("cuda", device[i]));
  MPI_Finalize();
  return test_end();
}
