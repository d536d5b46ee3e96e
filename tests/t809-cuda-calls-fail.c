// TEST labels=emulated timeout=120
// TEST labels=cuda timeout=120
/* Calls of the driver that fail: each of them in turn while a plan is made, run and destroyed.  The call of the library that
 * made it returns an error, or succeeds without it and is right; nothing remains allocated; and the plan works when the
 * driver does.  Nothing remains of a plan that is destroyed by a thread without a context.  Launches are replayed as a
 * graph.  Parts on two streams are joined after a launch that failed, too.  Kernels belong to the context in which they were
 * loaded, also if a new context has the same address. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <pthread.h>

/* Calls of graphs, and those that copy and order. */
#define MORE_WRAPPED(X)                                                                                \
  X(graph_instantiate, 1, (CUgraphExec * g, CUgraph from, unsigned long long flags), (g, from, flags)) \
  X(copy_any, 0, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s), (to, from, n, s))           \
  X(event_record, 0, (CUevent e, CUstream s), (e, s))                                                  \
  X(stream_wait, 0, (CUstream s, CUevent e, unsigned flags), (s, e, flags))                            \
  X(capture_begin, 0, (CUstream s, CUstreamCaptureMode mode), (s, mode))                               \
  X(graph_launch, 0, (CUgraphExec g, CUstream s), (g, s))
#define MORE_COUNTED(X) X(graph_exec_destroy, (CUgraphExec g), g)

#include "failing_driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_spectrum.h"

/* ---- Tests ------------------------------------------------------------------------------------------------------------ */

enum { BYTES = 1 << 20 };

static void *destroy(void *plan) {
  mfft_plan_destroy(plan);
  return NULL;
}

static int destroys_elsewhere;

/* Makes a plan, executes it often enough for a graph, with a filter if it accepts one, and destroys it. */
static mfft_status use(const mfft_desc *d, const mfft_options *options, void *in, void *out) {
  mfft_plan plan = NULL;
  mfft_filter filter;
  MFFT_TRY(mfft_plan_create(d, options, &plan));
  mfft_status status = MFFT_SUCCESS;
  mfft_filter_init(&filter);
  filter.scale = 0.5;
  if (d->filtered) status = mfft_plan_set_filter(plan, MFFT_FORWARD, &filter);
  for (int i = 0; i < 3 && status == MFFT_SUCCESS; i++) {
    CHECK(real.memory_set((CUdeviceptr)out, 0, BYTES) == CUDA_SUCCESS, "clearing the output");
    status = mfft_execute(plan, MFFT_FORWARD, in, out);
  }
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(plan);
  pthread_t thread;
  if (destroys_elsewhere)
    CHECK(pthread_create(&thread, NULL, destroy, plan) == 0 && pthread_join(thread, NULL) == 0, "a thread");
  else
    mfft_plan_destroy(plan);
  return status;
}

static void one_by_one(const mfft_desc *d, const mfft_options *options, void *in, void *out, const char *what) {
  static char right[BYTES], got[BYTES];
  CHECK_OK(use(d, options, in, out));
  CHECK_OK(mfft_memory_download("cuda", right, out, BYTES));
  const int before = live;
  int failed = 0, at = 0;
  for (; at < 1000; at++) {
    fails_at = at, calls = 0;
    const mfft_status status = use(d, options, in, out);
    const int spent = calls > at;
    fails_at = -1;
    CHECK_OK(mfft_memory_download("cuda", got, out, BYTES));
    CHECK(status != MFFT_SUCCESS || !memcmp(got, right, BYTES), "%s: call %d failed in silence", what, at);
    CHECK(live == before, "%s: %d objects are left of a run whose call %d failed (%s)", what, live - before, at,
          status ? mfft_last_error() : "");
    live = before;
    if (!spent) {
      CHECK(status == MFFT_SUCCESS, "%s: %s", what, mfft_last_error());
      break;
    }
    failed += status != MFFT_SUCCESS;
    CHECK(status == MFFT_SUCCESS || status == MFFT_ERR_MEMORY, "%s: call %d: %s", what, at, mfft_last_error());
  }
  CHECK(at < 1000 && failed > 5, "%s: %d of %d failing calls gave an error", what, failed, at);
  CHECK_OK(use(d, options, in, out));
}

static void elsewhere(const mfft_desc *d, const mfft_options *options, void *in, void *out) {
  const int before = live;
  destroys_elsewhere = 1;
  CHECK_OK(use(d, options, in, out));
  CHECK(live == before, "%d objects remain of a plan that another thread destroyed", live - before);
  destroys_elsewhere = 0;
}

/* ---- Parts on two streams: what is on the second is waited for on the caller's, also where a launch between fails ---- */

enum { MOST_STREAMS = 64, MOST_EVENTS = 64 };
static struct {
  CUstream stream;
  int open; /* it has launches that no other stream waits for */
} streams[MOST_STREAMS];
static struct {
  CUevent event;
  CUstream stream;
} records[MOST_EVENTS];

static int *open_on(CUstream stream) {
  int i = 0;
  while (i < MOST_STREAMS - 1 && streams[i].open && streams[i].stream != stream) i++;
  streams[i].stream = stream;
  return &streams[i].open;
}

static CUresult noting_launch(const CUlaunchConfig *config, CUfunction f, void **p, void **extra) {
  const CUresult result = failing_launch(config, f, p, extra);
  if (result == CUDA_SUCCESS && config->hStream) *open_on(config->hStream) = 1;
  return result;
}

static CUresult noting_record(CUevent event, CUstream stream) {
  int i = 0;
  while (i < MOST_EVENTS - 1 && records[i].event && records[i].event != event) i++;
  records[i].event = event;
  records[i].stream = stream;
  return real.event_record(event, stream);
}

static CUresult noting_wait(CUstream stream, CUevent event, unsigned flags) {
  for (int i = 0; i < MOST_EVENTS; i++)
    if (records[i].event == event && records[i].stream && records[i].stream != stream) *open_on(records[i].stream) = 0;
  return real.stream_wait(stream, event, flags);
}

static void joined(mfft_cuda_driver *table, void *in, void *out) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  char text[4096];
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  d.precision = MFFT_SINGLE;
  d.n[0] = 28, d.n[1] = 32, d.n[2] = 30;
  setenv("MFFT_GRAPHS", "0", 1);
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  table->launch = noting_launch;
  table->event_record = noting_record;
  table->stream_wait = noting_wait;
  int failed = 0;
  for (int at = 0; strstr(text, "parts of"); at++) { /* of the small cache below */
    fails_at = at, calls = 0;
    const mfft_status status = mfft_execute(plan, MFFT_FORWARD, in, out);
    fails_at = -1;
    for (int i = 0; i < MOST_STREAMS; i++) {
      CHECK(!streams[i].open, "launch %d fails: a stream is not joined", at);
      streams[i].open = 0;
    }
    CHECK_OK(mfft_plan_synchronize(plan));
    if (status == MFFT_SUCCESS) break;
    failed++;
  }
  CHECK(failed > 5 || !test_small(), "%d launches failed: %s", failed, text);
  mfft_plan_destroy(plan);
  unsetenv("MFFT_GRAPHS");
  table->launch = failing_launch;
  table->event_record = failing_event_record;
  table->stream_wait = failing_stream_wait;
}

static int replays;

static CUresult counting_replay(CUgraphExec ready, CUstream stream) {
  replays++;
  return real.graph_launch(ready, stream);
}

/* Every execute is a replay, the first one too. */
static void replayed(mfft_cuda_driver *table, const mfft_desc *d, const mfft_options *options, void *in, void *out) {
  table->graph_launch = counting_replay;
  CHECK_OK(use(d, options, in, out));
  CHECK(replays == 3, "%d of 3 executes were replayed", replays);
}

/* A context that was destroyed and made again at the same address: it has none of the kernels of the first. */
static unsigned long long identity;
static int loads;

static CUresult context_id(CUcontext context, unsigned long long *id) { return (void)context, *id = identity, CUDA_SUCCESS; }

static CUresult counting_load(CUmodule *module, const void *image) {
  loads++;
  return real.module_load(module, image);
}

static void made_again(mfft_cuda_driver *table, const mfft_desc *d, const mfft_options *options, void *in, void *out) {
  table->context_id = context_id;
  table->module_load = counting_load;
  for (identity = ~0ull; identity > ~3ull; identity--) /* no context of this process has had these */
    for (int twice = 0; twice < 2; twice++) {
      loads = 0;
      CHECK_OK(use(d, options, in, out));
      CHECK(twice ? loads == 0 : loads > 0, "%d kernels were loaded in context %llu", loads, identity);
    }
}

int main(void) {
  const mfft_cuda_driver *driver;
  void *in = NULL, *out = NULL;
  static char numbers[BYTES]; /* small singles, and doubles */
  uint64_t seed = 809;
  if (test_small()) setenv("MFFT_EMULATED_CACHE", "100000", 1); /* so that a small cube is done in parts */
  for (size_t i = 0; i < BYTES / sizeof(float); i++) ((float *)(void *)numbers)[i] = (float)test_random(&seed);
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_cuda_open(&driver) != MFFT_SUCCESS) return TEST_SKIPPED;
  CHECK_OK(mfft_memory_alloc("cuda", BYTES, &in));
  CHECK_OK(mfft_memory_alloc("cuda", BYTES, &out));
  CHECK_OK(mfft_memory_upload("cuda", in, numbers, BYTES));
  stand_between((mfft_cuda_driver *)(uintptr_t)driver);

  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  d.precision = MFFT_SINGLE;
  d.n[0] = 12, d.n[1] = 10, d.n[2] = 16;
  one_by_one(&d, &options, in, out, "12 x 10 x 16");
  d.kind = MFFT_R2C;
  d.filtered = 3;
  d.precision = MFFT_DOUBLE;
  one_by_one(&d, &options, in, out, "12 x 10 x 16, real, filtered");
  elsewhere(&d, &options, in, out);
  joined((mfft_cuda_driver *)(uintptr_t)driver, in, out);
  replayed((mfft_cuda_driver *)(uintptr_t)driver, &d, &options, in, out);
  made_again((mfft_cuda_driver *)(uintptr_t)driver, &d, &options, in, out);
  CHECK_OK(mfft_memory_free("cuda", in));
  CHECK_OK(mfft_memory_free("cuda", out));
  return test_end();
}
#endif
