// TEST labels=cuda timeout=120
// TEST labels=emulated timeout=120
/* An execute on a device is ordered on the stream of its plan, after earlier work and before later work, and returns before
 * it has begun: one pass, replayed graphs, parts on two streams, real ends, backward.  Waiting for a plan waits for its
 * device, whichever device is current in the thread, and so does destroying it. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gate.h"
#include "mfft_inspect.h"
#include "mfft_memory.h"

static void ordered(const mfft_desc *d, const mfft_options *options, mfft_direction direction, const char *passes) {
  mfft_plan plan = NULL;
  CUstream stream = NULL;
  size_t in_bytes = 0, out_bytes = 0;
  char text[4096];
  CHECK_OK(mfft_plan_create(d, options, &plan));
  if (!plan) return;
  CHECK_OK(mfft_plan_describe(plan, text, sizeof text, NULL));
  CHECK(strstr(text, passes), "no %s: %s", passes, text);
  CHECK_OK(mfft_plan_bytes(plan, direction == MFFT_FORWARD ? MFFT_IN : MFFT_OUT, &in_bytes));
  CHECK_OK(mfft_plan_bytes(plan, direction == MFFT_FORWARD ? MFFT_OUT : MFFT_IN, &out_bytes));
  float *first = malloc(in_bytes), *second = malloc(in_bytes);
  char *nothing = calloc(1, out_bytes), *want = malloc(out_bytes), *got = malloc(out_bytes);
  uint64_t seed = 819;
  for (size_t i = 0; i < in_bytes / sizeof(float); i++)
    first[i] = (float)test_random(&seed), second[i] = (float)test_random(&seed);
  void *in = placed(second, in_bytes), *staged = placed(second, in_bytes), *out = placed(nothing, out_bytes),
       *copied = placed(nothing, out_bytes);
  CHECK(gpu->stream_create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS, "a stream");
  CHECK_OK(mfft_plan_set_stream(plan, stream));
  for (int i = 0; i < 3; i++) CHECK_OK(mfft_execute(plan, direction, in, out)); /* by launches, then as a graph */
  CHECK_OK(mfft_plan_synchronize(plan));
  CHECK_OK(mfft_memory_download("cuda", want, out, out_bytes));
  CHECK_OK(mfft_memory_upload("cuda", in, first, in_bytes));
  CHECK_OK(mfft_memory_upload("cuda", out, nothing, out_bytes));

  close_gate(stream);
  CHECK(gpu->copy_on_device((CUdeviceptr)in, (CUdeviceptr)staged, in_bytes, stream) == CUDA_SUCCESS, "a copy before");
  CHECK_OK(mfft_execute(plan, direction, in, out));
  CHECK(!gave_up, "%s: an execute waits for its stream", text);
  CHECK(gpu->copy_on_device((CUdeviceptr)copied, (CUdeviceptr)out, out_bytes, stream) == CUDA_SUCCESS, "a copy behind");
  gate_is_open = 1;
  CHECK(gpu->stream_synchronize(stream) == CUDA_SUCCESS, "running");
  CHECK_OK(mfft_memory_download("cuda", got, copied, out_bytes));
  CHECK(!memcmp(want, got, out_bytes), "%s: not in the order of its stream", text);

  mfft_plan_destroy(plan);
  gpu->stream_destroy(stream);
  void *array[] = {in, staged, out, copied};
  for (int i = 0; i < 4; i++) mfft_memory_free("cuda", array[i]);
  free(first);
  free(second);
  free(nothing);
  free(want);
  free(got);
}

/* Executes the plan behind a gate on the default stream of a device, while another is current, and calls f before the gate
 * is opened. */
static void behind_gate(mfft_plan plan, void *array, CUcontext device, CUcontext other, void (*f)(mfft_plan)) {
  pthread_t thread;
  CHECK(gpu->context_set(device) == CUDA_SUCCESS, "the plan's device");
  close_gate(NULL);
  CHECK(gpu->context_set(other) == CUDA_SUCCESS, "the other device");
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, array, array));
  CHECK(pthread_create(&thread, NULL, open_soon, NULL) == 0, "a thread");
  f(plan);
  CHECK(gate_is_open, "the plan's stream is still stopped");
  pthread_join(thread, NULL);
  CUcontext now = NULL;
  CHECK(gpu->context_current(&now) == CUDA_SUCCESS && now == other, "another context is current");
}

static void synchronize(mfft_plan plan) { CHECK_OK(mfft_plan_synchronize(plan)); }

/* A plan of the second device, while the first is current. */
static void on_another_device(const mfft_desc *d, const mfft_options *options) {
  CUcontext first = NULL, second = NULL;
  CUdevice device = 0;
  int count = 0;
  mfft_plan plan = NULL;
  void *array = NULL;
  size_t bytes = 0;
  if (gpu->device_count(&count) != CUDA_SUCCESS || count < 2) return;
  CHECK(gpu->context_current(&first) == CUDA_SUCCESS && gpu->device_get(&device, 1) == CUDA_SUCCESS &&
            gpu->primary_retain(&second, device) == CUDA_SUCCESS && gpu->context_set(second) == CUDA_SUCCESS,
        "the second device");
  CHECK_OK(mfft_plan_create(d, options, &plan));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &bytes));
  CHECK_OK(mfft_memory_alloc("cuda", bytes, &array));
  behind_gate(plan, array, second, first, synchronize);
  behind_gate(plan, array, second, first, mfft_plan_destroy);
  CHECK(gpu->context_set(second) == CUDA_SUCCESS && gpu->context_synchronize() == CUDA_SUCCESS, "running");
  CHECK(gpu->context_set(first) == CUDA_SUCCESS, "the first device");
  mfft_memory_free("cuda", array);
}

int main(void) {
  if (test_small()) setenv("MFFT_EMULATED_CACHE", "2400000", 1); /* so that small arrays are done in parts too */
  if (!gate_has_device()) return TEST_SKIPPED;
  if (!gate_can_close()) return test_end();

  mfft_desc d;
  mfft_options options;
  mfft_desc_init(&d);
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  d.precision = MFFT_SINGLE;
  d.rank = 1;
  d.n[0] = 1024;
  d.batch = 5;
  ordered(&d, &options, MFFT_FORWARD, "1 pass");
  d.placement = MFFT_IN_PLACE;
  on_another_device(&d, &options);
  d.placement = MFFT_OUT_OF_PLACE;
  d.rank = 3;
  d.n[0] = 16, d.n[1] = 24, d.n[2] = 32;
  d.kind = MFFT_R2C;
  ordered(&d, &options, MFFT_FORWARD, "3 passes");
  ordered(&d, &options, MFFT_BACKWARD, "3 passes");
  d.rank = 1;
  d.kind = MFFT_C2C;
  d.n[0] = 60000;
  d.batch = test_small() ? 12 : 512;
  ordered(&d, &options, MFFT_FORWARD, "parts of");
  return test_end();
}
#endif
