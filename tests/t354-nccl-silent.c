// TEST ranks=2,3 labels=dist+cuda args=join
// TEST ranks=2,3 labels=dist+cuda args=connect
// TEST ranks=3 labels=dist+emulated args=join
// TEST ranks=3 labels=dist+emulated+nightly args=connect
/* An NCCL that does not respond, because on rank 1 it never joins the others, or joins them and never connects: after
 * MFFT_NCCL_S all ranks fail if it was named, or use another transport, and do not try again. */
#include <mpi.h>

#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "dist.h"
#include "dist/nccl_comm.h"
#include "mfft_inspect.h"

/* MPI does not accept device memory here, so that NCCL is the next choice. */
__attribute__((visibility("default"))) int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void) { return 0; }

/* ---- What rank 1 has in place of some calls of its NCCL ---- */

static mfft_nccl real;
static int silent; /* has been called, and will be busy for ever */

static int never_join(void **comm, int ranks, mfft_nccl_id id, int rank, mfft_nccl_config *config) {
  (void)id;
  CHECK(rank < ranks && !config->blocking);
  *comm = &silent;
  silent = 1;
  return MFFT_NCCL_IN_PROGRESS;
}
static int never_done(void *comm, int *error) {
  if (!silent) return real.async_error(comm, error);
  *error = MFFT_NCCL_IN_PROGRESS;
  return MFFT_NCCL_SUCCESS;
}
static int leave(void *comm) { return silent = 0, comm == &silent ? MFFT_NCCL_SUCCESS : real.comm_abort(comm); }
static int no_group(void) { return MFFT_NCCL_SUCCESS; }
static int no_send(const void *from, size_t count, int type, int peer, void *comm, void *stream) {
  return (void)from, (void)count, (void)type, (void)peer, (void)comm, (void)stream, MFFT_NCCL_SUCCESS;
}
static int no_receive(void *to, size_t count, int type, int peer, void *comm, void *stream) {
  return no_send(to, count, type, peer, comm, stream);
}
static int never_connect(void) { return silent = 1, MFFT_NCCL_IN_PROGRESS; }

static void silence(const char *from) {
  const mfft_nccl *opened;
  mfft_nccl *nccl;
  CHECK_OK(mfft_nccl_open(&opened));
  memcpy(&nccl, &opened, sizeof nccl);
  real = *nccl;
  nccl->async_error = never_done;
  nccl->comm_abort = leave;
  if (strcmp(from, "join") == 0) {
    nccl->comm_init_config = never_join;
  } else {
    nccl->group_start = no_group;
    nccl->send = no_send;
    nccl->receive = no_receive;
    nccl->group_end = never_connect;
  }
}

/* ---- Tests ---- */

static int is_here(const mfft_options *options) {
  char why[256] = "";
  int rank, ranks, sharing = 0;
  const mfft_nccl *nccl;
  mfft_topology topology;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  if (!mfft_backend_usable(options->backend, why, sizeof why)) return printf("skipped: %s\n", why), 0;
  if (mfft_nccl_open(&nccl) != MFFT_SUCCESS) return printf("skipped: %s\n", mfft_last_error()), 0;
  if (!nccl->comm_init_config) return printf("skipped: this NCCL cannot be watched\n"), 0;
  CHECK_OK(mfft_topology_make(MPI_COMM_WORLD, &topology));
  topology.device = &mfft_device_cuda;
  topology.device->prefer(topology.host_rank);
  CHECK_OK(mfft_topology_sharing(&topology, &sharing));
  mfft_topology_free(&topology);
  return sharing ? printf("skipped: there are fewer GPUs than ranks\n"), 0 : 1;
}

int main(int argc, char **argv) {
  int rank;
  MPI_Comm reversed;
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  const char *name = "", *how = argc > 1 ? argv[1] : "join";
  setenv("MFFT_EMULATED_GPUS", "3", 0);
  setenv("MFFT_NCCL_S", test_small() ? "1" : "6", 1); /* longer than NCCL itself takes */
  setenv("MFFT_WATCHDOG_S", "30", 1);                 /* aborts the job if NCCL is not given up before */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = 12;
  options.effort = MFFT_ESTIMATE;
  options.backend = "cuda";
  if (!is_here(&options)) return MPI_Finalize(), TEST_SKIPPED;
  if (rank == 1) silence(how);

  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &reversed); /* other ranks to NCCL than those of the whole */
  options.transport = "nccl";
  CHECK_FAILS(mfft_plan_create_mpi(reversed, &d, &options, &plan), MFFT_ERR_TIMEOUT, "(MFFT_NCCL_S sets the limit");
  CHECK(strstr(mfft_last_error(), "use another transport than nccl"), "%s", mfft_last_error());
  CHECK(strstr(mfft_last_error(), strcmp(how, "join") ? "trying transport nccl" : "joining in NCCL"), "%s",
        mfft_last_error());
  CHECK_FAILS(mfft_plan_create_mpi(reversed, &d, &options, &plan), MFFT_ERR_UNSUPPORTED,
              "no answer between these ranks before");
  MPI_Comm_free(&reversed);

  setenv("MFFT_NODE_RANKS", "1", 1);
  options.transport = NULL;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  CHECK_OK(mfft_plan_transport(plan, &name, NULL));
  CHECK(strcmp(name, "p2p+staged") == 0, "%s", name);
  mfft_plan_destroy(plan);
  dist_check(MPI_COMM_WORLD, &d, &options, "without NCCL");
  MPI_Finalize();
  return test_end();
}
#endif
