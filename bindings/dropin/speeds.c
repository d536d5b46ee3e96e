/* speeds.c: see speeds.h. */
#include "speeds.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#include "mfft_memory.h"
#include "report.h"
#include "settings.h"

enum { SMALL_BYTES = 4096, LARGE_BYTES = 64 << 20, RUNS = 4 }; /* the first run is not counted */

static pthread_once_t measured = PTHREAD_ONCE_INIT;
static mfft_dropin_speeds speeds;

/* The least seconds, of all runs, of both copies over the link, and of one within the memory of the GPU. */
typedef struct copies {
  double link_s, gpu_s;
} copies;

static mfft_status time_once(void *host, void *device, size_t bytes, copies *took) {
  const double begin = mfft_dropin_now();
  mfft_status status = mfft_memory_upload(MFFT_DROPIN_GPU, device, host, bytes);
  if (status == MFFT_SUCCESS) status = mfft_memory_download(MFFT_DROPIN_GPU, host, device, bytes);
  const double between = mfft_dropin_now();
  if (status == MFFT_SUCCESS) status = mfft_memory_copy(MFFT_DROPIN_GPU, (char *)device + bytes, device, bytes);
  *took = (copies){between - begin, mfft_dropin_now() - between};
  return status;
}

/* device: memory of the GPU, of twice the bytes. */
static mfft_status time_copies(void *host, void *device, size_t bytes, copies *least) {
  for (int i = 0; i < RUNS; i++) {
    copies took;
    const mfft_status status = time_once(host, device, bytes, &took);
    if (status) return status;
    if (i == 1 || took.link_s < least->link_s) least->link_s = took.link_s;
    if (i == 1 || took.gpu_s < least->gpu_s) least->gpu_s = took.gpu_s;
  }
  return MFFT_SUCCESS;
}

/* Measures copies.  A speed is found from the difference of a large and a small copy, since both wait for the GPU. */
static void measure_copies(void) {
  void *host = NULL, *device = NULL;
  copies small = {0, 0}, large = {0, 0};
  if (mfft_memory_alloc_host(MFFT_DROPIN_GPU, LARGE_BYTES, &host) == MFFT_SUCCESS &&
      mfft_memory_alloc(MFFT_DROPIN_GPU, 2 * (size_t)LARGE_BYTES, &device) == MFFT_SUCCESS) {
    memset(host, 0, LARGE_BYTES);
    if (time_copies(host, device, SMALL_BYTES, &small) == MFFT_SUCCESS &&
        time_copies(host, device, LARGE_BYTES, &large) == MFFT_SUCCESS && large.link_s > small.link_s &&
        large.gpu_s > small.gpu_s) {
      const double bytes = 2.0 * (LARGE_BYTES - SMALL_BYTES);
      speeds.link_bytes_per_s = bytes / (large.link_s - small.link_s);
      speeds.gpu_bytes_per_s = bytes / (large.gpu_s - small.gpu_s);
      speeds.call_s = small.link_s + small.gpu_s;
    }
  }
  mfft_memory_free(MFFT_DROPIN_GPU, device);
  mfft_memory_free_host(MFFT_DROPIN_GPU, host);
}

/* Floating-point operations per second of a transform of 64^3 by FFTW, the best of three runs. */
static double measure_cpu(void) {
  enum { N = 64 };
  mfft_desc desc;
  mfft_options options;
  mfft_plan plan = NULL;
  void *array = NULL;
  double least = 0;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  for (int a = 0; a < 3; a++) desc.n[a] = N;
  desc.placement = MFFT_IN_PLACE;
  options.backend = "fftw";
  options.effort = MFFT_ESTIMATE;
  const size_t bytes = sizeof(double) * 2 * N * N * N;
  if (mfft_plan_create(&desc, &options, &plan) == MFFT_SUCCESS && mfft_alloc(bytes, &array) == MFFT_SUCCESS) {
    memset(array, 0, bytes);
    for (int i = 0; i < 4; i++) {
      const double begin = mfft_dropin_now();
      if (mfft_execute(plan, MFFT_FORWARD, array, array)) break;
      const double seconds = mfft_dropin_now() - begin;
      if (i == 1 || (i && seconds < least)) least = seconds;
    }
  }
  mfft_plan_destroy(plan);
  mfft_free(array);
  return least > 0 ? 5.0 * N * N * N * log2((double)N * N * N) / least : 0;
}

static void measure(void) {
  measure_copies();
  speeds.cpu_flops = measure_cpu();
}

const mfft_dropin_speeds *mfft_dropin_measure_speeds(void) {
  pthread_once(&measured, measure);
  return speeds.link_bytes_per_s > 0 && speeds.gpu_bytes_per_s > 0 && speeds.cpu_flops > 0 ? &speeds : NULL;
}
