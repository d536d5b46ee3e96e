// TEST ranks=2,3 labels=dist+fault+emulated timeout=300 needs=unsanitized
// TEST ranks=2 labels=dist+fault+cuda timeout=300 needs=unsanitized
/* Calls of the driver that fail on one rank while a distributed plan is made, each in turn: all ranks get the same status,
 * success or MFFT_ERR_MEMORY with the rank that failed, no rank waits for another, nothing stays allocated, and the next
 * plan works. */
#include <mpi.h>

#include "check.h"
#include "mfft_mpi.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
/* Calls that map memory or prepare a mapping. */
#define MORE_WRAPPED(X)                                                                        \
  X(stream_create_ranked, 1, (CUstream * s, unsigned flags, int rank), (s, flags, rank))       \
  X(ipc_open, 1, (CUdeviceptr * p, CUipcMemHandle handle, unsigned flags), (p, handle, flags)) \
  X(ipc_handle, 0, (CUipcMemHandle * handle, CUdeviceptr p), (handle, p))                      \
  X(memory_set, 0, (CUdeviceptr p, unsigned char value, size_t n), (p, value, n))              \
  X(function_set, 0, (CUfunction f, CUfunction_attribute attribute, int value), (f, attribute, value))
#define MORE_COUNTED(X) X(ipc_close, (CUdeviceptr p), p)

#include "failing_driver.h"
#include "mfft_inspect.h"

/* ---- Plans ------------------------------------------------------------------------------------------------------------ */

static mfft_status make(const mfft_desc *d, const mfft_options *options) {
  mfft_plan plan = NULL;
  const mfft_status status = mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &plan);
  CHECK((status == MFFT_SUCCESS) == (plan != NULL), "a plan in spite of %s", mfft_last_error());
  mfft_plan_destroy(plan);
  return status;
}

static void one_by_one(const mfft_desc *d, const mfft_options *options, int failing_rank, const char *what) {
  enum { MOST = 3000 };
  int rank, failed = 0, at = 0, spent = 1;
  char named[32];
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  snprintf(named, sizeof named, "rank %d ", failing_rank);
  CHECK_OK(make(d, options)); /* also compiles the kernels */
  const double start = MPI_Wtime();
  CHECK_OK(make(d, options));
  const double most = 10 + 10 * (MPI_Wtime() - start); /* other programs may use the same GPU */
  const int before = live;
  for (; at < MOST && spent; at++) {
    if (rank == failing_rank) fails_at = at, calls = 0;
    const double begin = MPI_Wtime();
    const mfft_status status = make(d, options);
    const double seconds = MPI_Wtime() - begin;
    spent = calls > at;
    fails_at = -1;
    int least = (int)status, worst = (int)status;
    MPI_Bcast(&spent, 1, MPI_INT, failing_rank, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    CHECK(least == worst, "%s: call %d: %d on this rank, %d to %d on all", what, at, (int)status, least, worst);
    CHECK(seconds < most, "%s: call %d: %.1f s, more than %.1f", what, at, seconds, most);
    CHECK(live == before, "%s: %d objects are left of a plan whose call %d failed", what, live - before, at);
    live = before;
    if (status == MFFT_SUCCESS) continue;
    failed++;
    CHECK(spent && strstr(mfft_last_error(), named), "%s: call %d: %s", what, at, mfft_last_error());
    CHECK(status == MFFT_ERR_MEMORY || status == MFFT_ERR_UNSUPPORTED, "%s: call %d: %s", what, at, mfft_last_error());
  }
  CHECK(!spent && failed > 10, "%s: %d of %d failing calls failed the plan", what, failed, at);
  CHECK_OK(make(d, options));
}

int main(int argc, char **argv) {
  const mfft_cuda_driver *driver;
  MPI_Init(&argc, &argv);
  const int usable = mfft_backend_usable("cuda", NULL, 0) && mfft_cuda_open(&driver) == MFFT_SUCCESS;
  if (usable) {
    stand_between((mfft_cuda_driver *)(uintptr_t)driver);
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    options.backend = "cuda";
    options.effort = MFFT_ESTIMATE;
    d.precision = MFFT_SINGLE;
    d.n[0] = 12, d.n[1] = 10, d.n[2] = 16;
    d.order = MFFT_ORDER_TRANSPOSED;
    options.chunks = 2;
    options.transport = "p2p";
    one_by_one(&d, &options, 1, "p2p");
    options.wire = MFFT_WIRE_HALF;
    one_by_one(&d, &options, 0, "p2p, half the width");
    options.wire = MFFT_WIRE_FULL;
    d.filtered = 1 << MFFT_BACKWARD;
    options.transport = "staged";
    one_by_one(&d, &options, 1, "staged, filtered");
    options.transport = NULL;
    one_by_one(&d, &options, 1, "by trial");
  }
  MPI_Finalize();
  return usable ? test_end() : TEST_SKIPPED;
}
#endif
