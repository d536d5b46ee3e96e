// TEST labels=emulated timeout=120
// TEST labels=cuda
/* More alternating pairs of arrays than a transform has graphs: one of many launches is replayed as a graph on every
 * execute, and one of few launches is launched kernel by kernel for the pairs that have no graph, which is faster then
 * (t895-cuda-arrays times both). */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/runtime/driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { PAIRS = 12, ROUNDS = 3, BYTES = 1 << 16 };

static mfft_cuda_driver real;
static int launches, replays;

static CUresult count_launch(const CUlaunchConfig *config, CUfunction function, void **arguments, void **extra) {
  launches++;
  return real.launch(config, function, arguments, extra);
}

static CUresult count_replay(CUgraphExec graph, CUstream stream) {
  replays++;
  return real.graph_launch(graph, stream);
}

/* Executes a plan with these radices on all pairs in a cycle, after each pair has been used once. */
static void alternate(int rank, const char *radices, void *const *in, void *const *out) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = rank;
  for (int a = 0; a < rank; a++) d.n[a] = 16;
  d.precision = MFFT_SINGLE;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  options.radices = radices;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  for (int round = 0; round < ROUNDS; round++) {
    if (round == 1) launches = replays = 0;
    for (int i = 0; i < PAIRS; i++) CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in[i], out[i]));
  }
  CHECK_OK(mfft_plan_synchronize(plan));
  mfft_plan_destroy(plan);
}

int main(void) {
  const mfft_cuda_driver *driver;
  void *in[PAIRS] = {NULL}, *out[PAIRS] = {NULL}; /* [PAIRS] */
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_cuda_open(&driver) != MFFT_SUCCESS) return TEST_SKIPPED;
  if (!driver->graph_set_kernel) return TEST_SKIPPED;
  mfft_cuda_driver *table = (mfft_cuda_driver *)(uintptr_t)driver;
  real = *table;
  table->launch = count_launch;
  table->graph_launch = count_replay;
  for (int i = 0; i < PAIRS; i++) {
    CHECK_OK(mfft_memory_alloc("cuda", BYTES, &in[i]));
    CHECK_OK(mfft_memory_alloc("cuda", BYTES, &out[i]));
    CHECK(real.memory_set((CUdeviceptr)in[i], 0, BYTES) == CUDA_SUCCESS, "clearing input %d", i);
  }
  alternate(3, "4+4x4+4x4+4", in, out);
  CHECK(replays == (ROUNDS - 1) * PAIRS && launches == 0, "six launches: %d replays, %d launches", replays, launches);
  alternate(1, "4+4", in, out);
  CHECK(launches > 0 && launches % 2 == 0 && replays + launches / 2 == (ROUNDS - 1) * PAIRS,
        "two launches: %d replays, %d launches", replays, launches);
  *table = real;
  for (int i = 0; i < PAIRS; i++) {
    CHECK_OK(mfft_memory_free("cuda", in[i]));
    CHECK_OK(mfft_memory_free("cuda", out[i]));
  }
  return test_end();
}
#endif
