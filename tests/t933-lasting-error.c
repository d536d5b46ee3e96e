// TEST labels=emulated timeout=120
// TEST labels=cuda timeout=120
/* A kernel, perhaps of the caller's, that has corrupted the context of the device: every call of the driver fails from some
 * moment on.  The first call of the library after it returns MFFT_ERR_CUDA, with the hint that an earlier kernel may be the
 * cause; later ones do too; everything can be destroyed. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#define MORE_WRAPPED(X)                                                                      \
  X(copy_any, 0, (CUdeviceptr to, CUdeviceptr from, size_t n, CUstream s), (to, from, n, s)) \
  X(event_record, 0, (CUevent e, CUstream s), (e, s))                                        \
  X(graph_launch, 0, (CUgraphExec g, CUstream s), (g, s))
#define MORE_COUNTED(X)

#include "failing_driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { BYTES = 1 << 16 };
static const char *const words = "a kernel that ran before, of the caller's or of mergefft";

/* Makes a plan, executes it and waits; returns the first failure. */
static mfft_status use(const mfft_desc *d, const mfft_options *options, void *in, void *out) {
  mfft_plan plan = NULL;
  MFFT_TRY(mfft_plan_create(d, options, &plan));
  mfft_status status = mfft_execute(plan, MFFT_FORWARD, in, out);
  if (status == MFFT_SUCCESS) status = mfft_plan_synchronize(plan);
  if (status != MFFT_SUCCESS) CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in, out), MFFT_ERR_CUDA, words);
  mfft_plan_destroy(plan);
  return status;
}

int main(void) {
  const mfft_cuda_driver *driver;
  void *in = NULL, *out = NULL;
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_cuda_open(&driver) != MFFT_SUCCESS) return TEST_SKIPPED;
  CHECK_OK(mfft_memory_alloc("cuda", BYTES, &in));
  CHECK_OK(mfft_memory_alloc("cuda", BYTES, &out));
  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.n[0] = 8, d.n[1] = 6, d.n[2] = 10;
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  setenv("MFFT_GRAPHS", "0", 1);
  CHECK_OK(use(&d, &options, in, out));
  stand_between((mfft_cuda_driver *)(uintptr_t)driver);
  lasts = 1;
  fails_with = CUDA_ERROR_ILLEGAL_ADDRESS;
  int failed = 0;
  for (int at = 0; at < 100; at++) {
    fails_at = at, calls = 0;
    const mfft_status status = use(&d, &options, in, out);
    const int met = calls > at;
    fails_at = -1;
    if (!met) break;
    CHECK(status == MFFT_ERR_CUDA, "from call %d on: %s", at, mfft_strerror(status));
    CHECK(strstr(mfft_last_error(), "CUDA_ERROR_ILLEGAL_ADDRESS") && strstr(mfft_last_error(), words), "from call %d on: %s",
          at, mfft_last_error());
    failed++;
  }
  CHECK(failed > 2, "%d calls failed", failed);
  CHECK_OK(use(&d, &options, in, out));
  CHECK_OK(mfft_memory_free("cuda", in));
  CHECK_OK(mfft_memory_free("cuda", out));
  return test_end();
}
#endif
