// TEST ranks=2,3 labels=dist+emulated timeout=120
// TEST ranks=2 labels=dist+cuda timeout=120
/* A distributed transform on GPUs runs on streams alone: captured into a CUDA graph it can be replayed, before and after
 * plain executes, with other numbers in the same arrays, and on different streams. */
#include <mpi.h>

#include "check.h"
#include "mfft_mpi.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/runtime/driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static const mfft_cuda_driver *gpu;
static int rank;

typedef struct trial {
  mfft_plan plan;
  float *host, *plain, *got; /* [reals of the input], [reals of the output] */
  void *in, *out;
  size_t bytes[2]; /* [side] */
  const char *what;
} trial;

/* Other numbers for the input. */
static void fill(trial *t, uint64_t seed) {
  seed += 1000 * (uint64_t)rank;
  for (size_t i = 0; i < t->bytes[0] / sizeof(float); i++) t->host[i] = (float)test_random(&seed);
  CHECK_OK(mfft_memory_upload("cuda", t->in, t->host, t->bytes[0]));
  memset(t->got, 0, t->bytes[1]);
  CHECK_OK(mfft_memory_upload("cuda", t->out, t->got, t->bytes[1]));
}

static void fetch(trial *t, CUstream stream, float *to) {
  CHECK(gpu->stream_synchronize(stream) == CUDA_SUCCESS, "%s: waiting for the stream", t->what);
  CHECK_OK(mfft_memory_download("cuda", to, t->out, t->bytes[1]));
}

/* The bits of a plain execute on the default stream, which is ordered after no other work of this test. */
static void compare(trial *t, CUstream stream, const char *how) {
  fetch(t, stream, t->got);
  CHECK_OK(mfft_plan_set_stream(t->plan, NULL));
  CHECK_OK(mfft_execute(t->plan, MFFT_FORWARD, t->in, t->out));
  CHECK_OK(mfft_plan_synchronize(t->plan));
  CHECK_OK(mfft_memory_download("cuda", t->plain, t->out, t->bytes[1]));
  CHECK(memcmp(t->plain, t->got, t->bytes[1]) == 0, "%s, %s: other numbers", t->what, how);
}

static void use(const mfft_desc *d, const mfft_options *options, const char *what) {
  trial t = {.what = what};
  CUstream stream[2] = {NULL, NULL};
  CUgraph graph = NULL;
  CUgraphExec ready = NULL;
  const mfft_status made = mfft_plan_create_mpi(MPI_COMM_WORLD, d, options, &t.plan);
  CHECK(made == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
  if (made != MFFT_SUCCESS) return;
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(t.plan, (mfft_side)side, &t.bytes[side]));
  CHECK_OK(mfft_memory_alloc("cuda", t.bytes[0], &t.in));
  CHECK_OK(mfft_memory_alloc("cuda", t.bytes[1], &t.out));
  t.host = calloc(1, t.bytes[0]);
  t.plain = calloc(1, t.bytes[1]);
  t.got = calloc(1, t.bytes[1]);
  for (int i = 0; i < 2; i++) CHECK(gpu->stream_create(&stream[i], CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS, "a stream");

  CHECK_OK(mfft_plan_set_stream(t.plan, stream[0]));
  CHECK(gpu->capture_begin(stream[0], CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS, "%s: begin capture", what);
  CHECK_OK(mfft_execute(t.plan, MFFT_FORWARD, t.in, t.out));
  CHECK(gpu->capture_end(stream[0], &graph) == CUDA_SUCCESS, "%s: not all streams have joined the capture", what);
  CHECK(graph && gpu->graph_instantiate(&ready, graph, 0) == CUDA_SUCCESS, "%s: a graph", what);
  for (uint64_t round = 0; ready && round < 3; round++) {
    fill(&t, 7 * round + 1);
    for (uint64_t again = 0; again <= round; again++)
      CHECK(gpu->graph_launch(ready, stream[0]) == CUDA_SUCCESS, "%s: replaying", what);
    compare(&t, stream[0], "replayed");
    fill(&t, 7 * round + 3);
    CHECK_OK(mfft_plan_set_stream(t.plan, stream[1]));
    for (int again = 0; again < 2; again++) CHECK_OK(mfft_execute(t.plan, MFFT_FORWARD, t.in, t.out));
    compare(&t, stream[1], "on another stream");
  }
  if (ready) gpu->graph_exec_destroy(ready);
  if (graph) gpu->graph_destroy(graph);
  mfft_plan_destroy(t.plan);
  for (int i = 0; i < 2; i++) gpu->stream_destroy(stream[i]);
  CHECK_OK(mfft_memory_free("cuda", t.in));
  CHECK_OK(mfft_memory_free("cuda", t.out));
  free(t.host);
  free(t.plain);
  free(t.got);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int usable = mfft_backend_usable("cuda", NULL, 0) && mfft_cuda_open(&gpu) == MFFT_SUCCESS;
  if (usable) {
    mfft_desc d;
    mfft_options options;
    mfft_desc_init(&d);
    mfft_options_init(&options);
    options.backend = "cuda";
    options.effort = MFFT_ESTIMATE;
    d.precision = MFFT_SINGLE;
    d.n[0] = 16, d.n[1] = 12, d.n[2] = 20;
    d.order = MFFT_ORDER_TRANSPOSED;
    options.transport = "p2p";
    options.chunks = 4;
    use(&d, &options, "p2p, two axes cut");
    options.wire = MFFT_WIRE_HALF;
    use(&d, &options, "p2p, half the width");
    d.order = MFFT_ORDER_NATURAL, options.chunks = 2;
    use(&d, &options, "p2p, half the width, natural order");
    options.wire = MFFT_WIRE_FULL;
    options.transport = "p2p-store";
    use(&d, &options, "p2p-store, natural order");
  }
  MPI_Finalize();
  return usable ? test_end() : TEST_SKIPPED;
}
#endif
