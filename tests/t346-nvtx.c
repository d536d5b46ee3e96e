// TEST labels=dist needs=cuda+nvtx3/nvToolsExt.h
// TEST ranks=2 labels=dist+cuda args=cuda needs=cuda+nvtx3/nvToolsExt.h
// TEST ranks=2 labels=dist+emulated args=cuda needs=cuda+nvtx3/nvToolsExt.h
// NVTX ranges that a tool receives: those of the device's table, without a GPU; and those of plans, on a GPU or the emulated
// one: one for each execute, and in it the stages of the time line with their names, in sequence.
#include <dlfcn.h>
#include <unistd.h>

#include "check.h"
#include "local/device.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"
#include "mfft_mpi.h"

#if !defined(MFFT_HAVE_CUDA) || !defined(MFFT_TEST_NVTX)
int main(void) { return TEST_SKIPPED; }
#else

/* The ranges since the last call, as the tool recorded them. */
static const char *ranges(void) {
  static const char *(*read_ranges)(void);
  if (!read_ranges) { /* NVTX has loaded the tool at the first range */
    void *tool = dlopen(MFFT_TEST_NVTX, RTLD_NOW | RTLD_NOLOAD), *symbol = tool ? dlsym(tool, "nvtx_ranges") : NULL;
    memcpy(&read_ranges, &symbol, sizeof read_ranges);
  }
  CHECK(read_ranges != NULL, "NVTX has not loaded %s", MFFT_TEST_NVTX);
  return read_ranges ? read_ranges() : "";
}

static void plain(void) {
  const mfft_device *d = &mfft_device_cuda;
  d->range_begin("outside");
  d->range_begin("inside");
  d->range_end();
  d->range_end();
  const char *seen = ranges();
  CHECK(!strcmp(seen, "+outside\n+inside\n-\n-\n"), "the tool saw %s", seen);
}

/* The ranges that the tool should record for one execute, according to the time line. */
static void expect(mfft_plan plan, int64_t execute, const char *name, char *text, size_t size) {
  int64_t count;
  size_t used = (size_t)snprintf(text, size, "+%s\n", name);
  CHECK_OK(mfft_plan_trace_count(plan, &count));
  for (int64_t i = 0; i < count; i++) {
    mfft_span span;
    CHECK_OK(mfft_plan_trace_span(plan, i, &span));
    if (span.queue || span.execute != execute) continue;
    used += (size_t)snprintf(text + used, size - used, "+%s\n-\n", span.label);
  }
  snprintf(text + used, size - used, "-\n");
}

static void plans(void) {
  static char want[1 << 16];
  mfft_desc d;
  mfft_options options;
  mfft_plan plan;
  void *in = NULL, *out = NULL;
  size_t bytes[2];
  mfft_desc_init(&d);
  mfft_options_init(&options);
  for (int a = 0; a < 3; a++) d.n[a] = 16;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  options.transport = "p2p";
  d.precision = MFFT_SINGLE;
  options.chunks = 2;
  CHECK_OK(mfft_plan_create_mpi(MPI_COMM_WORLD, &d, &options, &plan));
  for (int side = 0; side < 2; side++) CHECK_OK(mfft_plan_bytes(plan, (mfft_side)side, &bytes[side]));
  CHECK_OK(mfft_memory_alloc("cuda", bytes[MFFT_IN], &in));
  CHECK_OK(mfft_memory_alloc("cuda", bytes[MFFT_OUT], &out));
  CHECK_OK(mfft_plan_trace(plan, 1));
  static const char *const name[] = {"mergefft forward", "mergefft backward"};
  for (int execute = 0; execute < 4; execute++) {
    const mfft_direction direction = execute % 2 ? MFFT_BACKWARD : MFFT_FORWARD;
    CHECK_OK(mfft_execute(plan, direction, direction ? out : in, direction ? in : out));
    CHECK_OK(mfft_plan_synchronize(plan));
    const char *seen = ranges();
    expect(plan, execute, name[direction], want, sizeof want);
    CHECK(strstr(want, "start 1/") && strstr(want, "wait 1/"), "the time line has no exchange of two parts: %s", want);
    CHECK(!strcmp(seen, want), "execute %d: the tool recorded\n%sand the time line has\n%s", execute, seen, want);
  }
  mfft_plan_destroy(plan);
  CHECK_OK(mfft_memory_free("cuda", in));
  CHECK_OK(mfft_memory_free("cuda", out));
}

int main(int argc, char **argv) {
  if (access(MFFT_TEST_NVTX, R_OK) != 0) { /* tests that were built on another machine */
    printf("%s is not here\n", MFFT_TEST_NVTX);
    return TEST_SKIPPED;
  }
  setenv("NVTX_INJECTION64_PATH", MFFT_TEST_NVTX, 1);
  if (argc == 1) {
    plain();
    return test_end();
  }
  const int usable = mfft_backend_usable("cuda", NULL, 0);
  MPI_Init(&argc, &argv);
  if (usable) plans();
  MPI_Finalize();
  return usable ? test_end() : TEST_SKIPPED;
}
#endif
