// TEST ranks=2 labels=emulated timeout=120
// TEST ranks=2 labels=dist+cuda timeout=120
/* Distributed executes and bare exchanges on a stream of the caller's, by every transport: ordered after earlier work of the
 * stream and before later work.  By p2p they return while the stream is still stopped. */
#define _GNU_SOURCE /* RTLD_NEXT */
#include "check.h"
#include "emulated_mpi.h"
#include "mfft_mpi.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gate.h"
#include "mfft_memory.h"

/* A plan or an exchange; the other is NULL. */
typedef struct subject {
  const char *name;
  mfft_plan plan;
  mfft_exchange exchange;
  size_t in_bytes, out_bytes;
} subject;

static mfft_status run(const subject *s, const void *in, void *out) {
  return s->plan ? mfft_execute(s->plan, MFFT_FORWARD, in, out) : mfft_exchange_execute(s->exchange, in, out);
}

static mfft_status set_stream(const subject *s, CUstream stream) {
  return s->plan ? mfft_plan_set_stream(s->plan, stream) : mfft_exchange_set_stream(s->exchange, stream);
}

static mfft_status synchronize(const subject *s) {
  return s->plan ? mfft_plan_synchronize(s->plan) : mfft_exchange_synchronize(s->exchange);
}

static void check_order(const subject *s, int returns_at_once) {
  float *numbers = malloc(s->in_bytes);
  char *nothing = calloc(1, s->in_bytes + s->out_bytes), *want = malloc(s->out_bytes), *got = malloc(s->out_bytes);
  uint64_t seed = 353;
  CUstream stream = NULL;
  for (size_t i = 0; i < s->in_bytes / sizeof *numbers; i++) numbers[i] = (float)test_random(&seed);
  void *in = placed(numbers, s->in_bytes), *later = placed(numbers, s->in_bytes);
  void *out = placed(nothing, s->out_bytes), *copied = placed(nothing, s->out_bytes);
  CHECK_OK(run(s, in, out));
  CHECK_OK(synchronize(s));
  CHECK_OK(mfft_memory_download("cuda", want, out, s->out_bytes));
  CHECK(memcmp(want, nothing, s->out_bytes), "%s: nothing", s->name);
  CHECK_OK(mfft_memory_upload("cuda", in, nothing, s->in_bytes));
  CHECK_OK(mfft_memory_upload("cuda", out, nothing, s->out_bytes));

  CHECK(gpu->stream_create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS, "a stream");
  CHECK_OK(set_stream(s, stream));
  pthread_t thread;
  close_gate(stream);
  CHECK(gpu->copy_on_device((CUdeviceptr)in, (CUdeviceptr)later, s->in_bytes, stream) == CUDA_SUCCESS, "a copy before");
  if (!returns_at_once) CHECK(pthread_create(&thread, NULL, open_soon, NULL) == 0, "a thread");
  CHECK_OK(run(s, in, out));
  CHECK(gpu->copy_on_device((CUdeviceptr)copied, (CUdeviceptr)out, s->out_bytes, stream) == CUDA_SUCCESS, "a copy after it");
  CHECK(!gave_up, "%s: it waits for its stream", s->name);
  gate_is_open = 1;
  if (!returns_at_once) pthread_join(thread, NULL);
  CHECK(gpu->stream_synchronize(stream) == CUDA_SUCCESS, "running");
  CHECK_OK(mfft_memory_download("cuda", got, copied, s->out_bytes));
  CHECK(!memcmp(want, got, s->out_bytes), "%s: not in the order of its stream", s->name);
  CHECK_OK(synchronize(s));
  CHECK_OK(set_stream(s, NULL));

  MPI_Barrier(MPI_COMM_WORLD);
  gpu->stream_destroy(stream);
  void *array[] = {in, later, out, copied};
  for (int i = 0; i < 4; i++) mfft_memory_free("cuda", array[i]);
  free(numbers);
  free(nothing);
  free(want);
  free(got);
}

static void check_plan(const char *transport) {
  mfft_desc d;
  mfft_options options;
  subject s = {.name = transport};
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  d.precision = MFFT_SINGLE;
  d.kind = MFFT_R2C;
  d.n[0] = d.n[1] = d.n[2] = 8;
  options.chunks = 2;
  options.transport = transport;
  const mfft_status made = mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &s.plan);
  if (made == MFFT_ERR_UNSUPPORTED && !is_emulated()) return; /* not in every installation */
  CHECK_OK(made);
  if (!s.plan) return;
  CHECK_OK(mfft_plan_bytes(s.plan, MFFT_IN, &s.in_bytes));
  CHECK_OK(mfft_plan_bytes(s.plan, MFFT_OUT, &s.out_bytes));
  check_order(&s, strncmp(transport, "p2p", 3) == 0);
  mfft_plan_destroy(s.plan);
}

static void check_exchange(const char *transport, int rank) {
  mfft_exchange_desc d;
  mfft_exchange_options options;
  subject s = {.name = transport, .in_bytes = 4 * 8 * 4 * sizeof(float), .out_bytes = 4 * 8 * 4 * sizeof(float)};
  mfft_exchange_desc_init(&d);
  mfft_exchange_options_init(&options);
  d.element_bytes = sizeof(float);
  options.backend = "cuda";
  options.transport = transport;
  d.from = (mfft_box){{4 * rank, 0, 0}, {4 * rank + 4, 8, 4}, {0, 1, 2}};
  d.to = (mfft_box){{0, 4 * rank, 0}, {8, 4 * rank + 4, 4}, {0, 1, 2}};
  const mfft_status made = mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &s.exchange);
  if (made == MFFT_ERR_UNSUPPORTED && !is_emulated()) return;
  CHECK_OK(made);
  if (s.exchange) check_order(&s, strcmp(transport, "p2p") == 0);
  mfft_exchange_destroy(s.exchange);
}

int main(int argc, char **argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!gate_has_device()) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  const int gated = gate_can_close();
  static const char *const transports[] = {"p2p", "p2p-store", "pairwise", "alltoallv", "staged", "nccl"}; /* [6] */
  for (int t = 0; gated && t < 6; t++) check_plan(transports[t]);
  for (int t = 0; gated && t < 6; t++) check_exchange(transports[t], rank);
  MPI_Finalize();
  return test_end();
}
#endif
