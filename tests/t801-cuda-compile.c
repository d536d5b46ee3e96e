// TEST timeout=600
/* Every kernel of a size sweep compiles without a GPU, for devices from the oldest supported architecture to the newest;
 * compiled kernels are found on disk again. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "devices.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/ops/service.h"
#include "local/cuda/planner/schedule.h"
#include "local/cuda/runtime/compile.h"
#include "local/cuda/runtime/driver.h"

static int compiled, nvrtc; /* the version of NVRTC, as in devices.h */

static mfft_status compile(const mfft_kernel *kernel, int arch, mfft_cubin *cubin) {
  mfft_compile_options options;
  mfft_engine_options(kernel, &options);
  return mfft_compile(&options, arch, cubin);
}

static mfft_status compile_service(const mfft_service_kernel *kernel, int arch, mfft_cubin *cubin) {
  mfft_compile_options options;
  mfft_service_options(kernel, &options);
  return mfft_compile(&options, arch, cubin);
}

/* For the devices, one after another. */
static void all_kernels(const mfft_fft_spec *spec) {
  static int calls;
  const int at = calls++ % DEVICES;
  mfft_schedule schedule;
  if (nvrtc < devices[at].nvrtc) return;
  CHECK_OK(mfft_schedule_make(spec, &devices[at].limits, &schedule));
  for (int i = 0; i < schedule.count; i++) {
    mfft_cubin cubin = {0};
    CHECK_OK(compile(&schedule.pass[i].kernel, devices[at].limits.arch, &cubin));
    CHECK(cubin.bytes > 1000, "length %d on %s", schedule.pass[i].kernel.chain.n, devices[at].name);
    free(cubin.data);
    compiled++;
  }
}

/* The kernels that exchanges launch in addition to transforms. */
static void exchange_kernels(int arch) {
  mfft_cubin cubin = {0};
  for (int unit = 2; unit <= 16; unit *= 2) {
    const mfft_service_kernel copy = {.service = MFFT_SERVICE_COPY, .element_bytes = unit};
    CHECK_OK(compile_service(&copy, arch, &cubin));
    free(cubin.data);
  }
  for (int i = 0; i < 10; i++) { /* both signals, and conversions of both precisions, components and directions */
    const mfft_service_kernel kernel = {.service = i < 2 ? MFFT_SERVICE_SIGNAL : MFFT_SERVICE_WIRE,
                                        .precision = (i - 2) & 4 ? MFFT_DOUBLE : MFFT_SINGLE,
                                        .components = 1 + (i & 2) / 2,
                                        .sends = i & 1,
                                        .narrows = i & 1};
    CHECK_OK(compile_service(&kernel, arch, &cubin));
    free(cubin.data);
    compiled++;
  }
  for (int i = 0; i < 4; i++) { /* changes of width of both precisions, in both directions */
    const mfft_service_kernel kernel = {
        .service = MFFT_SERVICE_RESIZE, .precision = i & 2 ? MFFT_DOUBLE : MFFT_SINGLE, .narrows = i & 1};
    CHECK_OK(compile_service(&kernel, arch, &cubin));
    free(cubin.data);
    compiled++;
  }
}

/* A compiled kernel is found on disk again, for the same architecture; t806 has the rest. */
static void disk(void) {
  char folder[] = "/tmp/mergefft-test-XXXXXX", command[64];
  CHECK(mkdtemp(folder) != NULL, "%s", folder);
  setenv("MFFT_CACHE_DIR", folder, 1);
  mfft_service_kernel copy = {.service = MFFT_SERVICE_COPY, .element_bytes = 8};
  mfft_cubin first = {0}, again = {0};
  CHECK_OK(compile_service(&copy, 90, &first));
  CHECK_OK(compile_service(&copy, 90, &again));
  CHECK(!first.from_disk && again.from_disk && again.bytes == first.bytes && !memcmp(again.data, first.data, first.bytes),
        "the same code from disk");
  free(again.data);
  CHECK_OK(compile_service(&copy, 80, &again));
  CHECK(!again.from_disk, "another architecture");
  free(again.data);
  free(first.data);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK(system(command) == 0, "%s", command);

  setenv("MFFT_CACHE_DIR", "/proc/nowhere", 1); /* cannot be written: still compiles */
  setenv("MFFT_LOG", "0", 1);
  copy.element_bytes = 4;
  CHECK_OK(compile_service(&copy, 90, &again));
  free(again.data);
}

int main(int argc, char **argv) {
  const mfft_nvrtc *rtc;
  if (mfft_nvrtc_open(&rtc) != MFFT_SUCCESS) {
    printf("%s\n", mfft_last_error());
    return TEST_SKIPPED;
  }
  int major = 0, minor = 0;
  CHECK(rtc->version(&major, &minor) == NVRTC_SUCCESS, "version");
  nvrtc = 1000 * major + minor;
  disk();
  if (test_all()) exchange_kernels(80), exchange_kernels(90); /* the build compiles one or two of each (instances.txt) */
  int step = argc > 1 ? atoi(argv[1]) : test_all() ? 11 : 23; /* 1: everything */
  for (int p = 0; p < 4; p++)
    for (int bits = 1; bits <= 27; bits++) {
      if ((bits + p) % step) continue;
      mfft_fft_spec s = {
          .precision = (mfft_precision)p, .scale = 1, .naxes = 1, .axis[0] = {1ll << bits, 1, 1}, .nloops = 1};
      s.loop[0] = (mfft_dim){64, 1ll << bits, 1ll << bits};
      all_kernels(&s);
    }
  for (int p = MFFT_DOUBLE; p <= MFFT_SINGLE; p++)
    for (int bits = 4; bits <= 20; bits++) { /* tensor cores, by name */
      if ((bits + p) % step) continue;
      mfft_fft_spec s = {
          .precision = (mfft_precision)p, .compute = MFFT_COMPUTE_TENSOR, .scale = 1, .naxes = 1, .nloops = 1};
      s.axis[0] = (mfft_dim){1ll << bits, 1, 1};
      s.loop[0] = (mfft_dim){64, 1ll << bits, 1ll << bits};
      all_kernels(&s);
    }
  static const int64_t mixed[] = {3, 13, 30, 77, 100, 1000, 1001, 3125, 5000, 7938, 12000}; /* [11] */
  for (int i = 0; i < 11; i++) {
    if (i % step) continue;
    int64_t n = mixed[i], half = n / 2 + 1;
    mfft_fft_spec s = {.precision = i % 2, .scale = 0.5, .naxes = 1, .axis[0] = {n, 1, 1}, .nloops = 1};
    s.loop[0] = (mfft_dim){64, n, n};
    all_kernels(&s);
    s.type = MFFT_FFT_R2C;
    s.loop[0] = (mfft_dim){64, n, half};
    all_kernels(&s);
    s.type = MFFT_FFT_C2R, s.direction = MFFT_BACKWARD;
    s.loop[0] = (mfft_dim){64, half, n};
    all_kernels(&s);
  }
  for (int i = 0; i < (test_all() ? 2 : 1) * DEVICES; i++) { /* long columns in clusters, if a device has them */
    mfft_fft_spec s = {
        .precision = (mfft_precision)((i + i / DEVICES) % 2), .scale = 1, .naxes = 2, .nloops = 1, .columns = 8};
    s.axis[0] = (mfft_dim){4096, 32, 32};
    s.axis[1] = (mfft_dim){32, 1, 1};
    s.loop[0] = (mfft_dim){4, 1 << 22, 1 << 22};
    all_kernels(&s);
  }
  static const int64_t primes[] = {31, 1009, 10007}; /* a butterfly of its own, a convolution in a block, and in passes */
  for (int i = 0; i < 3; i++)
    for (int p = 0; p < (step == 1 ? 4 : 1); p++) {
      mfft_fft_spec s = {.precision = (mfft_precision)((i + p) % 4), .scale = 0.5, .naxes = 1, .nloops = 1};
      s.axis[0] = (mfft_dim){primes[i], 1, 1};
      s.loop[0] = (mfft_dim){64, primes[i], primes[i]};
      all_kernels(&s);
    }
  mfft_kernel wrong = {.engine = MFFT_ENGINE_BUTTERFLY, .chain = {.n = -5, .merges = 1, .lines = 1, .threads = 1}};
  mfft_cubin none = {0};
  CHECK_FAILS(compile(&wrong, 90, &none), MFFT_ERR_CUDA, "pass.cu");
  return test_end();
}
#endif
