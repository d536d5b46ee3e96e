/* cuda.c: transforms on a GPU in the caller's arrays and on the caller's streams.  There are two batches of lines; each is
 * copied to the device, transformed and copied back on a stream of its own, so that copies of one batch overlap the
 * transform of the other.
 *
 * Build:  cc cuda.c -o cuda $(pkg-config --cflags --libs mergefft) -I$CUDA_HOME/include -L$CUDA_HOME/lib64/stubs -lcuda -lm
 * Run:    ./cuda
 *
 * The example uses the driver API of CUDA.  A program that uses the runtime API passes its cudaStream_t and the pointers of
 * cudaMalloc in the same way. */
#include <cuda.h>
#include <math.h>
#include <mfft.h>
#include <mfft_inspect.h>
#include <mfft_memory.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1024, BATCH = 64, MODE = 5, STREAMS = 2, SKIPPED = 77 };
static const double two_pi = 6.283185307179586;

/* End the program with the message of the call that failed, or with CUDA's error number. */
static void must(mfft_status status) {
  if (status == MFFT_SUCCESS) return;
  fprintf(stderr, "%s\n", mfft_last_error());
  exit(1);
}

static void cuda(CUresult result) {
  if (result == CUDA_SUCCESS) return;
  fprintf(stderr, "CUDA error %d\n", (int)result);
  exit(1);
}

/* One batch of lines: its stream, its plan, its array on the device, and page-locked memory on the host. */
typedef struct lane {
  CUstream stream;
  mfft_plan plan;
  CUdeviceptr device;
  float *host; /* [BATCH][N] complexes */
  size_t bytes;
} lane;

static void open_lane(lane *l, int mode) {
  mfft_desc desc;
  mfft_desc_init(&desc);
  desc.rank = 1;
  desc.n[0] = N;
  desc.batch = BATCH;
  desc.precision = MFFT_SINGLE;
  desc.placement = MFFT_IN_PLACE;
  mfft_options options;
  mfft_options_init(&options);
  options.backend = "cuda";
  options.effort = MFFT_ESTIMATE;
  must(mfft_plan_create(&desc, &options, &l->plan));
  must(mfft_plan_bytes(l->plan, MFFT_IN, &l->bytes));
  cuda(cuStreamCreate(&l->stream, CU_STREAM_NON_BLOCKING));
  must(mfft_plan_set_stream(l->plan, l->stream));
  cuda(cuMemAlloc(&l->device, l->bytes));
  must(mfft_memory_alloc_host("cuda", l->bytes, (void **)&l->host));
  for (int i = 0; i < BATCH * N; i++) {
    l->host[2 * i] = (float)cos(two_pi * mode * (i % N) / N);
    l->host[2 * i + 1] = (float)sin(two_pi * mode * (i % N) / N);
  }
}

static void close_lane(lane *l) {
  mfft_plan_destroy(l->plan);
  cuda(cuMemFree(l->device));
  cuda(cuStreamDestroy(l->stream));
  must(mfft_memory_free_host("cuda", l->host));
}

int main(void) {
  char why[256];
  CUdevice device;
  CUcontext context;
  lane lanes[STREAMS];
  double worst = 0;
  if (!mfft_backend_usable("cuda", why, sizeof why)) return fprintf(stderr, "skipped: %s\n", why), SKIPPED;
  cuda(cuInit(0));
  cuda(cuDeviceGet(&device, 0));
  cuda(cuDevicePrimaryCtxRetain(&context, device));
  cuda(cuCtxSetCurrent(context)); /* plans are made on the device whose context is current */

  for (int i = 0; i < STREAMS; i++) open_lane(&lanes[i], MODE + i);
  for (int i = 0; i < STREAMS; i++) { /* no call in this loop waits for the device */
    lane *l = &lanes[i];
    void *array = (void *)(size_t)l->device;
    cuda(cuMemcpyAsync(l->device, (CUdeviceptr)(size_t)l->host, l->bytes, l->stream));
    must(mfft_execute(l->plan, MFFT_FORWARD, array, array));
    cuda(cuMemcpyAsync((CUdeviceptr)(size_t)l->host, l->device, l->bytes, l->stream));
  }
  for (int i = 0; i < STREAMS; i++) must(mfft_plan_synchronize(lanes[i].plan)); /* also returns failures on the device */

  for (int i = 0; i < STREAMS; i++) /* each line holds one mode, of size N */
    for (int k = 0; k < BATCH * N; k++) {
      const float *z = &lanes[i].host[2 * k];
      worst = fmax(worst, hypot(z[0] - (k % N == MODE + i ? N : 0), z[1]) / N);
    }
  printf("%d lines of %d on %d streams, an error of %.0e at most\n", STREAMS * BATCH, N, STREAMS, worst);
  for (int i = 0; i < STREAMS; i++) close_lane(&lanes[i]);
  return worst < 1e-5 ? 0 : 1;
}
