// TEST ranks=2,3 labels=dist+fault args=fftw,pairwise,p2p,alltoallv
// TEST ranks=3 labels=dist+fault args=fftw,p2p+pairwise,hierarchical
// TEST ranks=3 labels=dist+fault+emulated args=cuda,p2p,p2p-store,staged,alltoallv,nccl,hierarchical
// TEST ranks=2,3 labels=dist+fault+cuda args=cuda,p2p,p2p-store,staged
/* An execute that fails on rank 1 alone, for an argument or in the middle: every other rank gets the status and the text of
 * rank 1 within seconds, from its execute or from the call that waits for it, whatever it was waiting for; later executes
 * return the same message; all objects can be destroyed, and the next plan works.  The arguments are a backend and
 * transports. */
#include "check.h"
#include "emulated_mpi.h"
#include "local/device.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"
#include "plan/plan.h"

typedef enum fault { NO_FAULT, NULL_ARRAY, IN_THE_MIDDLE, WAITING_ELSEWHERE, FAULTS } fault;
static const char *const fault_words[FAULTS] = {"", "in is NULL", "no luck", "in is NULL"};

static int rank, ranks;
static const char *backend;

/* Collective calls of exchanges, which every rank of a group makes or none: otherwise some would never complete. */
static int collective_calls;
int MPI_Ialltoallv(const void *from, const int *from_counts, const int *from_places, MPI_Datatype from_type, void *to,
                   const int *to_counts, const int *to_places, MPI_Datatype to_type, MPI_Comm comm, MPI_Request *request) {
  collective_calls++;
  return PMPI_Ialltoallv(from, from_counts, from_places, from_type, to, to_counts, to_places, to_type, comm, request);
}

static void check_calls(const char *what) {
  int least = collective_calls, most = collective_calls;
  MPI_Allreduce(MPI_IN_PLACE, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  CHECK(least == most, "%s: %d to %d collective calls", what, least, most);
}

static mfft_status broken(mfft_transfer *transfer, const mfft_ends *ends, void *stream) {
  (void)transfer, (void)ends, (void)stream;
  return mfft_fail(MFFT_ERR_BACKEND, "no luck");
}

/* The last transfer of a direction fails to start, when earlier ones are in progress. */
static void break_plan(mfft_plan plan) {
  mfft_program *program = &plan->program[MFFT_FORWARD];
  mfft_stage *last = NULL;
  for (int i = 0; i < program->count; i++)
    if (program->stage[i].kind == MFFT_STAGE_START) last = &program->stage[i];
  CHECK(last != NULL, "the plan exchanges nothing");
  if (last) last->transfer->start = broken;
}

/* A failure is returned by the execute, or by the call that waits for its end. */
static mfft_status run_plan(mfft_plan plan, const void *in, void *out, fault fault) {
  const mfft_device *device = plan->backend->device;
  mfft_status status = mfft_execute(plan, MFFT_FORWARD, in, out);
  if (status == MFFT_SUCCESS && fault == WAITING_ELSEWHERE) status = device->stream_synchronize(NULL); /* as by CUDA */
  return status == MFFT_SUCCESS ? mfft_plan_synchronize(plan) : status;
}

static void check_end(mfft_status status, fault fault, double seconds, const char *what) {
  const mfft_status wanted = fault == IN_THE_MIDDLE ? MFFT_ERR_BACKEND : MFFT_ERR_ARG;
  char words[64];
  snprintf(words, sizeof words, "rank 1 of %d: ", ranks);
  CHECK(status == wanted, "%s, %s: rank %d got %s", what, fault_words[fault], rank, mfft_strerror(status));
  CHECK(strstr(mfft_last_error(), words) && strstr(mfft_last_error(), fault_words[fault]), "%s: rank %d: \"%s\"", what, rank,
        mfft_last_error());
  CHECK(seconds < 5, "%s, %s: rank %d waited %.1f s", what, fault_words[fault], rank, seconds);
}

static void plans(const char *transport, int n, fault fault) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  void *array[2]; /* [side] */
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = d.n[1] = d.n[2] = n;
  options.chunks = 2;
  options.effort = MFFT_ESTIMATE;
  options.backend = backend;
  options.transport = transport;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  if (!plan) return;
  for (int side = 0; side < 2; side++) {
    size_t bytes;
    CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes));
    CHECK_OK(mfft_memory_alloc(backend, bytes, &array[side]));
  }
  CHECK_OK(run_plan(plan, array[MFFT_IN], array[MFFT_OUT], NO_FAULT));
  if (rank == 1 && fault == IN_THE_MIDDLE) break_plan(plan);
  MPI_Barrier(MPI_COMM_WORLD); /* a failure may be returned by calls that wait for earlier executes */
  const int gives_null = rank == 1 && (fault == NULL_ARRAY || fault == WAITING_ELSEWHERE);
  const double begin = MPI_Wtime();
  mfft_status status = run_plan(plan, gives_null ? NULL : array[MFFT_IN], array[MFFT_OUT], fault);
  if (fault == NO_FAULT) {
    CHECK_OK(status);
  } else {
    check_end(status, fault, MPI_Wtime() - begin, transport);
    CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, array[MFFT_IN], array[MFFT_OUT]), MFFT_ERR_STATE, "the plan has failed");
    CHECK(strstr(mfft_last_error(), fault_words[fault]), "%s", mfft_last_error());
  }
  mfft_plan_destroy(plan);
  check_calls(transport);
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_memory_free(backend, array[side]));
}

static void exchanges(const char *transport, int64_t n) {
  mfft_exchange_desc d;
  mfft_exchange_options options;
  mfft_exchange x = NULL;
  void *array[2] = {NULL, NULL}; /* [in, out] */
  mfft_exchange_desc_init(&d);
  mfft_exchange_options_init(&options);
  options.backend = backend;
  options.transport = transport;
  d.element_bytes = 8;
  options.chunks = 2;
  d.from = (mfft_box){{n * rank / ranks, 0, 0}, {n * (rank + 1) / ranks, n, n}, {0, 1, 2}};
  d.to = (mfft_box){{0, n * rank / ranks, 0}, {n, n * (rank + 1) / ranks, n}, {0, 1, 2}};
  CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x));
  if (!x) return;
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_alloc(backend, (size_t)(n * n * n * 8), &array[i]));
  CHECK_OK(mfft_exchange_execute(x, array[0], array[1]));
  CHECK_OK(mfft_exchange_synchronize(x));
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  mfft_status status = mfft_exchange_execute(x, rank == 1 ? NULL : array[0], array[1]);
  if (status == MFFT_SUCCESS) status = mfft_exchange_synchronize(x);
  check_end(status, NULL_ARRAY, MPI_Wtime() - begin, transport);
  CHECK_FAILS(mfft_exchange_execute(x, array[0], array[1]), MFFT_ERR_STATE, "the exchange has failed");
  mfft_exchange_destroy(x);
  check_calls(transport);
  for (int i = 0; i < 2; i++) CHECK_OK(mfft_memory_free(backend, array[i]));
}

int main(int argc, char **argv) {
  char why[256] = "";
  setenv("MFFT_WATCHDOG_S", "20", 0);
  setenv("MFFT_EMULATED_GPUS", "3", 0); /* one a rank, for NCCL */
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  backend = argc > 1 ? argv[1] : "fftw";
  if (!mfft_backend_usable(backend, why, sizeof why)) {
    printf("skipped: %s\n", why);
    return MPI_Finalize(), TEST_SKIPPED;
  }
  const int least = 12, most = strcmp(backend, "fftw") == 0 ? 64 : 12; /* long messages: they wait for their receiver */
  for (int i = 2; i < argc; i++) {
    setenv("MFFT_NODE_RANKS", strchr(argv[i], '+') || !strcmp(argv[i], "hierarchical") ? "2" : "0", 1);
    for (int n = least; n <= most; n += most - least ? most - least : 1) {
      for (fault f = NULL_ARRAY; f < FAULTS; f++) plans(argv[i], n, f);
      exchanges(argv[i], n);
      plans(argv[i], n, NO_FAULT);
    }
  }
  MPI_Finalize();
  return test_end();
}
