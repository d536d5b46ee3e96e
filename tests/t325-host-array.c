// TEST ranks=1,2 labels=emulated
// TEST ranks=1,2 labels=cuda+dist
/* Host arrays passed to a plan and to an exchange of device memory: refused by name before any message is sent; plans and
 * exchanges made afterwards work with device arrays.  Skipped if the device can access pageable host memory. */
#include "check.h"
#include "local/backend.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

typedef double array[2 * 8 * 8 * 8];
static int rank, ranks;

static void check(mfft_status status, int wrong) {
  if (wrong == 2) {
    CHECK_OK(status);
    return;
  }
  CHECK(status == MFFT_ERR_ARG, "%s", mfft_strerror(status));
  CHECK(strstr(mfft_last_error(), wrong ? "out is" : "in is") && strstr(mfft_last_error(), "backend cuda cannot reach"),
        "%s", mfft_last_error());
}

static void plans(int wrong, array *host, void **device) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 8;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  const mfft_status status =
      mfft_execute(plan, MFFT_FORWARD, wrong == 0 ? host[0] : device[0], wrong == 1 ? host[1] : device[1]);
  check(status, wrong);
  if (status == MFFT_SUCCESS) CHECK_OK(mfft_plan_synchronize(plan));
  mfft_plan_destroy(plan);
}

static void exchanges(int wrong, array *host, void **device) {
  mfft_exchange_desc e;
  mfft_exchange_options options;
  mfft_exchange x = NULL;
  mfft_exchange_desc_init(&e);
  mfft_exchange_options_init(&options);
  e.element_bytes = 8;
  options.backend = "cuda";
  e.from = (mfft_box){{8 * rank / ranks, 0, 0}, {8 * (rank + 1) / ranks, 8, 8}, {0, 1, 2}};
  e.to = (mfft_box){{0, 8 * rank / ranks, 0}, {8, 8 * (rank + 1) / ranks, 8}, {0, 1, 2}};
  CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &e, &options, &x));
  for (int i = 0; i < 512; i++) host[0][i] = 1000 * rank + i;
  CHECK_OK(mfft_memory_upload("cuda", device[0], host[0], sizeof host[0]));
  const mfft_status status = mfft_exchange_execute(x, wrong == 0 ? host[0] : device[0], wrong == 1 ? host[1] : device[1]);
  check(status, wrong);
  if (status == MFFT_SUCCESS) {
    CHECK_OK(mfft_exchange_synchronize(x));
    CHECK_OK(mfft_memory_download("cuda", host[1], device[1], sizeof host[1]));
    CHECK(host[1][0] == (double)(8 * rank / ranks * 8), "%g", host[1][0]); /* of rank 0: element (0, lo, 0) */
  }
  mfft_exchange_destroy(x);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const mfft_backend *cuda;
  static array host[2];
  void *device[2] = {NULL, NULL};
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_backend_find("cuda", &cuda) != MFFT_SUCCESS ||
      cuda->check(host, sizeof host, 0, "host") == MFFT_SUCCESS)
    return MPI_Finalize(), TEST_SKIPPED;
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_alloc("cuda", sizeof host[i], &device[i]));

  for (int wrong = 0; wrong < 3; wrong++) { /* in, out, none */
    plans(wrong, host, device);
    exchanges(wrong, host, device);
  }
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_free("cuda", device[i]));
  MPI_Finalize();
  return test_end();
}
