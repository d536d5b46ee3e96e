// TEST ranks=2 labels=emulated timeout=120
// TEST ranks=2 labels=dist+cuda timeout=120
/* Calls on a plan, an exchange or a queue of copies by a thread whose current device is another, or that has none: they run
 * on the device where the object was made, and do not change the thread's current context. */
#include "check.h"
#include "mfft_mpi.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "local/cuda/runtime/driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

static const mfft_cuda_driver *gpu;
static CUcontext mine, other; /* [context] of this rank's device, and of the other device */
static const char *what;

/* Makes a context current, and checks after the call that it still is. */
static void check_stays(CUcontext context, const char *call) {
  CUcontext now = NULL;
  CHECK(gpu->context_current(&now) == CUDA_SUCCESS && now == context, "%s: %s changes the thread's context", what, call);
}
#define THERE(call)          \
  gpu->context_set(context); \
  CHECK_OK(call);            \
  check_stays(context, #call);

static void *array_of(size_t bytes, int seeded) {
  void *made = NULL;
  float *numbers = calloc(1, bytes + 4);
  uint64_t seed = 352;
  for (size_t i = 0; seeded && i < bytes / sizeof *numbers; i++) numbers[i] = (float)test_random(&seed);
  CHECK_OK(mfft_memory_alloc("cuda", bytes, &made));
  CHECK_OK(mfft_memory_upload("cuda", made, numbers, bytes));
  free(numbers);
  return made;
}

/* Whether an array has the content of the first call, which *want holds. */
static void check_same(const void *array, size_t bytes, char **want) {
  char *got = malloc(bytes + 1);
  gpu->context_set(mine);
  CHECK_OK(mfft_memory_download("cuda", got, array, bytes));
  if (!*want) {
    *want = got;
    return;
  }
  CHECK(!memcmp(*want, got, bytes), "%s: another result", what);
  free(got);
}

static void use_plan(mfft_plan plan, CUcontext context, void *const array[3], const size_t bytes[2], char **want) {
  const double edge[] = {0, 2, 4};
  const mfft_filter filter = {.struct_size = sizeof filter, .scale = 0.5};
  int64_t modes[2], count;
  double radius[2], power[2];
  mfft_shells shells;
  mfft_span span;
  mfft_timing timing;
  mfft_shells_init(&shells);
  shells.count = 2, shells.edge = edge;
  THERE(mfft_plan_set_filter(plan, MFFT_BACKWARD, &filter))
  THERE(mfft_plan_trace(plan, 1))
  THERE(mfft_execute(plan, MFFT_FORWARD, array[0], array[1]))
  THERE(mfft_plan_shells(plan, &shells, array[1], modes, radius, power))
  THERE(mfft_execute(plan, MFFT_BACKWARD, array[1], array[2]))
  THERE(mfft_plan_synchronize(plan))
  THERE(mfft_plan_trace_count(plan, &count))
  THERE(mfft_plan_trace_span(plan, 0, &span))
  THERE(mfft_plan_timing(plan, &timing))
  THERE(mfft_plan_timing_reset(plan))
  THERE(mfft_plan_trace(plan, 0))
  check_same(array[1], bytes[MFFT_OUT], &want[0]);
  check_same(array[2], bytes[MFFT_IN], &want[1]);
  CHECK(modes[0] + modes[1] > 0 && timing.total > 0);
}

static void check_plan(const char *transport) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  size_t bytes[2]; /* [side] */
  char *want[2] = {NULL, NULL};
  const CUcontext contexts[] = {mine, other, NULL};
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  d.precision = MFFT_SINGLE;
  d.n[0] = d.n[1] = d.n[2] = 8;
  d.kind = MFFT_R2C;
  d.filtered = 1u << MFFT_BACKWARD;
  options.chunks = 2;
  options.transport = what = transport;
  if (!transport) what = "a local plan";
  gpu->context_set(mine);
  CHECK_OK(transport ? mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan) : mfft_plan_create(&d, &options, &plan));
  if (!plan) return;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes[MFFT_IN]));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &bytes[MFFT_OUT]));
  void *array[] = {array_of(bytes[MFFT_IN], 1), array_of(bytes[MFFT_OUT], 0), array_of(bytes[MFFT_IN], 0)};
  for (int i = 0; i < 3; i++) use_plan(plan, contexts[i], array, bytes, want);
  gpu->context_set(other);
  mfft_plan_destroy(plan);
  check_stays(other, "mfft_plan_destroy");
  gpu->context_set(mine);
  for (int i = 0; i < 3; i++) mfft_memory_free("cuda", array[i]);
  for (int i = 0; i < 2; i++) free(want[i]);
}

static void check_exchange(const char *transport, int rank) {
  enum { BYTES = 4 * 4 * 8 * 4 };
  mfft_exchange_desc d;
  mfft_exchange_options options;
  mfft_exchange x = NULL;
  char *want = NULL;
  const CUcontext contexts[] = {mine, other, NULL};
  mfft_exchange_desc_init(&d);
  mfft_exchange_options_init(&options);
  d.element_bytes = 4;
  options.backend = "cuda";
  options.transport = what = transport;
  d.from = (mfft_box){{4 * rank, 0, 0}, {4 * rank + 4, 8, 4}, {0, 1, 2}};
  d.to = (mfft_box){{0, 4 * rank, 0}, {8, 4 * rank + 4, 4}, {0, 1, 2}};
  gpu->context_set(mine);
  CHECK_OK(mfft_exchange_create(MPI_COMM_WORLD, &d, &options, &x));
  void *in = array_of(BYTES, 1), *out = array_of(BYTES, 0);
  for (int i = 0; i < 3; i++) {
    const CUcontext context = contexts[i];
    THERE(mfft_exchange_execute(x, in, out))
    THERE(mfft_exchange_synchronize(x))
    check_same(out, BYTES, &want);
  }
  gpu->context_set(other);
  mfft_exchange_destroy(x);
  check_stays(other, "mfft_exchange_destroy");
  gpu->context_set(mine);
  mfft_memory_free("cuda", in);
  mfft_memory_free("cuda", out);
  free(want);
}

static void check_copies(void) {
  enum { BYTES = 4096 };
  mfft_copies copies = NULL;
  char *want = NULL;
  void *host = NULL;
  int64_t request = 0;
  const CUcontext contexts[] = {mine, other, NULL};
  what = "copies";
  gpu->context_set(mine);
  CHECK_OK(mfft_memory_alloc_host("cuda", BYTES, &host));
  CHECK_OK(mfft_copies_create("cuda", &copies));
  memset(host, 7, BYTES);
  void *array = array_of(BYTES, 1);
  for (int i = 0; i < 3; i++) {
    const CUcontext context = contexts[i];
    THERE(mfft_copies_start(copies, array, host, BYTES, &request))
    THERE(mfft_copies_wait(copies, request))
    check_same(array, BYTES, &want);
  }
  gpu->context_set(other);
  mfft_copies_destroy(copies);
  check_stays(other, "mfft_copies_destroy");
  gpu->context_set(mine);
  mfft_memory_free("cuda", array);
  mfft_memory_free_host("cuda", host);
  free(want);
}

int main(int argc, char **argv) {
  int rank, count = 0;
  CUdevice device[2] = {0, 0};
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_cuda_open(&gpu) != MFFT_SUCCESS ||
      gpu->device_count(&count) != CUDA_SUCCESS || count < 2) {
    MPI_Finalize();
    return TEST_SKIPPED;
  }
  for (int i = 0; i < 2; i++) CHECK(gpu->device_get(&device[i], (rank + i) % 2) == CUDA_SUCCESS, "two devices");
  CHECK(gpu->primary_retain(&mine, device[0]) == CUDA_SUCCESS && gpu->primary_retain(&other, device[1]) == CUDA_SUCCESS,
        "two contexts");
  check_plan(NULL);
  check_plan("p2p");
  check_plan("staged");
  check_exchange("p2p", rank);
  check_exchange("staged", rank);
  check_copies();
  MPI_Finalize();
  return test_end();
}
#endif
