// TEST labels=emulated
// TEST labels=cuda
/* Memory that a plan on a GPU cannot access is refused by name before any launch: arrays that are too short, or on another
 * device, workspace on the host, too short, or overlapping an array; and the plan works afterwards. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "emulated_mpi.h"
#include "local/cuda/runtime/driver.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

enum { N = 1 << 14, BYTES = 2 * N * sizeof(float) };

static void *array_of(size_t bytes) {
  void *pointer = NULL;
  CHECK_OK(mfft_memory_alloc("cuda", bytes, &pointer));
  return pointer;
}

static mfft_plan plan_of(int user_workspace, size_t *work_bytes) {
  mfft_desc d;
  mfft_options options;
  mfft_plan plan = NULL;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  d.rank = 1;
  d.n[0] = N;
  d.batch = 4;
  d.precision = MFFT_SINGLE;
  options.effort = MFFT_ESTIMATE;
  options.backend = "cuda";
  options.radices = "16+16+16,4"; /* three passes: more than two arrays */
  options.user_workspace = user_workspace;
  CHECK_OK(mfft_plan_create(&d, &options, &plan));
  CHECK_OK(mfft_plan_workspace_bytes(plan, work_bytes));
  return plan;
}

static void arrays(void) {
  size_t work_bytes = 0;
  mfft_plan plan = plan_of(0, &work_bytes);
  char *in = array_of(4 * BYTES), *out = array_of(4 * BYTES), *shorter = array_of(2 * BYTES);
  for (int round = 0; round < 2; round++) { /* also where others have been found good */
    CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in, shorter), MFFT_ERR_ARG, "out is ");
    CHECK(strstr(mfft_last_error(), "ends 262144 bytes behind that; it needs 524288"), "%s", mfft_last_error());
    CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, shorter, out), MFFT_ERR_ARG, "in is ");
    CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in + BYTES, out), MFFT_ERR_ARG, "in is ");
    CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
    CHECK_OK(mfft_plan_synchronize(plan));
  }
  mfft_plan_destroy(plan);
  CHECK_OK(mfft_memory_free("cuda", in));
  CHECK_OK(mfft_memory_free("cuda", out));
  CHECK_OK(mfft_memory_free("cuda", shorter));
}

static void workspaces(void) {
  size_t bytes = 0;
  mfft_plan plan = plan_of(1, &bytes);
  char *in = array_of(4 * BYTES), *out = array_of(4 * BYTES + bytes), *work = array_of(bytes),
       *shorter = array_of(bytes / 2);
  void *pinned = NULL, *host = aligned_alloc(4096, (bytes + 4095) / 4096 * 4096);
  CHECK(bytes > 0, "the plan needs no workspace");
  CHECK_OK(mfft_memory_alloc_host("cuda", bytes, &pinned));
  CHECK_FAILS(mfft_plan_set_workspace(plan, host, bytes), MFFT_ERR_ARG, "workspace is ");
  CHECK_FAILS(mfft_plan_set_workspace(plan, pinned, bytes), MFFT_ERR_ARG, "workspace is ");
  CHECK_FAILS(mfft_plan_set_workspace(plan, shorter, bytes), MFFT_ERR_ARG, "workspace is ");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in, out), MFFT_ERR_STATE, "no workspace");
  CHECK_OK(mfft_plan_set_workspace(plan, out, bytes));
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in, out), MFFT_ERR_ARG, "overlaps the plan's workspace");
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out + bytes));
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in, out + bytes - 64), MFFT_ERR_ARG, "overlaps the plan's workspace");
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_plan_set_workspace(plan, work, bytes));
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  CHECK_OK(mfft_plan_synchronize(plan));
  mfft_plan_destroy(plan);
  char *const all[] = {in, out, work, shorter};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) CHECK_OK(mfft_memory_free("cuda", all[i]));
  CHECK_OK(mfft_memory_free_host("cuda", pinned));
  free(host);
}

/* Between devices with peer access a driver may accept it. */
static void other_device(const mfft_cuda_driver *gpu) {
  CUcontext here = NULL, there = NULL;
  CUdevice device = 0;
  CUdeviceptr far = 0;
  size_t work_bytes = 0;
  mfft_plan plan = plan_of(0, &work_bytes);
  void *out = array_of(4 * BYTES);
  CHECK(gpu->context_current(&here) == CUDA_SUCCESS && gpu->device_get(&device, 1) == CUDA_SUCCESS &&
            gpu->primary_retain(&there, device) == CUDA_SUCCESS && gpu->context_set(there) == CUDA_SUCCESS &&
            gpu->memory_alloc(&far, 4 * BYTES) == CUDA_SUCCESS && gpu->context_set(here) == CUDA_SUCCESS,
        "memory of another device");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, (void *)far, out), MFFT_ERR_ARG, "lies on another device");
  mfft_plan_destroy(plan);
  CHECK_OK(mfft_memory_free("cuda", out));
  gpu->context_set(there);
  gpu->memory_free(far);
  gpu->context_set(here);
}

int main(void) {
  const mfft_cuda_driver *gpu;
  setenv("MFFT_EMULATED_GPUS", "2", 0);
  if (!mfft_backend_usable("cuda", NULL, 0) || mfft_cuda_open(&gpu) != MFFT_SUCCESS) return TEST_SKIPPED;
  arrays();
  workspaces();
  if (is_emulated()) other_device(gpu);
  return test_end();
}
#endif
