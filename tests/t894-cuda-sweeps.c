// TEST labels=cuda timeout=120
/* The times of sweeps over an array without computation: a lower bound of any transform with as many passes.
 *
 *   t894-cuda-sweeps [bits of the bytes, 26]
 *
 * Tiles of 32 KB go through the registers of 256 threads, contiguous or as rows of a few segments of memory, over the whole
 * array or in parts that stay in the L2 cache, on one to three streams, the launches one by one or as a CUDA graph.  Data
 * that is needed only once is marked to leave the cache first, as in stored.cuh.  One line for each variant: median
 * milliseconds of 9, and passes, which is the time over that of a copy by the driver.  Each sweep adds 1 to every word, so
 * that a test can tell whether all were made.  `scripts/gpu sweeps` runs it over 512 MiB; docs/lab/sweeps.md has the
 * results. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"

/* A warp handles 32 units of 16 bytes at a time: in the order of memory, or as tensor cores need them, the lanes of a quad
 * in four rows.  SWEEP_ROW: units of a row; SWEEP_QUADS: 1 for the latter. */
static const char source[] =
    "struct sweep { const uint4 *in; uint4 *out; long long pitch; int once; };\n"
    "__device__ __forceinline__ long long place(const sweep &s, int i) {\n"
    "  constexpr int wide = SWEEP_ROW < 8 ? SWEEP_ROW : 8, runs = SWEEP_ROW / wide;\n"
    "  const int warp = i * 8 + threadIdx.x / 32, lane = threadIdx.x % 32, unit = warp * 32 + lane;\n"
    "  if (!SWEEP_QUADS) return unit / SWEEP_ROW * s.pitch + unit % SWEEP_ROW;\n"
    "  const int row = (warp / runs * (8 / wide) + lane / 4 / wide) * 4 + lane % 4;\n"
    "  return row * s.pitch + warp % runs * wide + lane / 4 % wide;\n"
    "}\n"
    "extern \"C\" __global__ void __launch_bounds__(256, 4) sweep_tile(sweep s) {\n"
    "  const long long across = s.pitch / SWEEP_ROW, tile = blockIdx.x;\n"
    "  const long long first = tile / across * (2048 / SWEEP_ROW) * s.pitch + tile % across * SWEEP_ROW;\n"
    "  uint4 v[8];\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 8; i++) {\n"
    "    const uint4 *from = s.in + first + place(s, i);\n"
    "    v[i] = s.once & 1 ? __ldcs(from) : *from;\n"
    "  }\n"
    "#pragma unroll\n"
    "  for (int i = 0; i < 8; i++) {\n"
    "    uint4 *to = s.out + first + place(s, i);\n"
    "    v[i].x++, v[i].y++, v[i].z++, v[i].w++;\n"
    "    if (s.once & 2) __stcs(to, v[i]); else *to = v[i];\n"
    "  }\n"
    "}\n";

typedef struct sweep { /* as in the kernel */
  CUdeviceptr in, out;
  long long pitch; /* of rows, in units */
  int once;
} sweep;

enum { UNIT = 16, TILE = 32768, ROW = 1024, STREAMS = 3, REPEATS = 9, DEEP = 3 };
static CUdeviceptr in, out, work[STREAMS];
static CUstream stream[STREAMS];
static CUevent from, till, joined[STREAMS];
static int64_t bytes;

/* A variant: parts of so many bytes (the array: one part), each swept `count` times, the last `stays` of which are in place.
 */
typedef struct variant {
  const char *name;
  int64_t part;
  int count, stays, streams, graph, quads;
  int row[DEEP]; /* [count] bytes of a row segment; ROW: contiguous */
} variant;

/* The kernel for rows of so many bytes; NULL if it cannot be made. */
static CUfunction kernel_for(int row, int quads) {
  static CUfunction made[ROW + 1][2]; /* [bytes of a row][quads] */
  const mfft_nvrtc *rtc;
  nvrtcProgram program = NULL;
  CUmodule module;
  char words[3][32], *cubin = NULL;
  const char *const options[] = {words[0], words[1], words[2]};
  size_t size = 0;
  int major = 0, minor = 0;
  if (made[row][quads]) return made[row][quads];
  CHECK_OK(mfft_nvrtc_open(&rtc));
  gpu->device_attribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 0);
  gpu->device_attribute(&minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, 0);
  snprintf(words[0], sizeof words[0], "--gpu-architecture=sm_%d%d", major, minor);
  snprintf(words[1], sizeof words[1], "-DSWEEP_ROW=%d", row / UNIT);
  snprintf(words[2], sizeof words[2], "-DSWEEP_QUADS=%d", quads);
  if (rtc->create(&program, source, "sweep.cu", 0, NULL, NULL) == NVRTC_SUCCESS &&
      rtc->compile(program, 3, options) == NVRTC_SUCCESS && rtc->cubin_size(program, &size) == NVRTC_SUCCESS &&
      (cubin = malloc(size)) && rtc->cubin(program, cubin) == NVRTC_SUCCESS &&
      gpu->module_load(&module, cubin) == CUDA_SUCCESS)
    gpu->module_function(&made[row][quads], module, "sweep_tile");
  CHECK(made[row][quads] != NULL, "no kernel for rows of %d bytes", row);
  free(cubin);
  rtc->destroy(&program);
  return made[row][quads];
}

static void launch(const sweep *s, CUfunction kernel, int64_t part, CUstream on) {
  void *arguments[] = {(void *)s};
  const CUlaunchConfig config = {.gridDimX = (unsigned)(part / TILE),
                                 .gridDimY = 1,
                                 .gridDimZ = 1,
                                 .blockDimX = 256,
                                 .blockDimY = 1,
                                 .blockDimZ = 1,
                                 .hStream = on};
  CHECK(gpu->launch(&config, kernel, arguments, NULL) == CUDA_SUCCESS, "launching");
}

/* All parts, distributed to the streams cyclically, which begin and end at the first one. */
static void make_sweeps(const variant *w) {
  const int64_t part = w->part < bytes ? w->part : bytes;
  if (!w->count) gpu->copy_on_device(out, in, (size_t)bytes, stream[0]);
  if (!w->count) return;
  gpu->event_record(joined[0], stream[0]);
  for (int s = 1; s < w->streams; s++) gpu->stream_wait(stream[s], joined[0], 0);
  int queue = 0;
  for (int64_t first = 0; first < bytes; first += part, queue = (queue + 1) % w->streams) {
    CUdeviceptr at = in + (CUdeviceptr)first;
    for (int i = 0; i < w->count; i++) {
      const int last = i == w->count - 1, here = i >= w->count - w->stays;
      const CUdeviceptr to = last || here || i == w->count - w->stays - 1 ? out + (CUdeviceptr)first : work[queue];
      const sweep s = {.in = at, .out = to, .pitch = ROW / UNIT, .once = (at != to ? 1 : 0) | (last ? 2 : 0)};
      launch(&s, kernel_for(w->row[i], w->quads), part, stream[queue]);
      at = to;
    }
  }
  for (int s = 1; s < w->streams; s++) {
    gpu->event_record(joined[s], stream[s]);
    gpu->stream_wait(stream[0], joined[s], 0);
  }
}

static int by_value(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static double median(const variant *w) {
  CUgraph made = NULL;
  CUgraphExec ready = NULL;
  float times[REPEATS];
  if (w->graph) {
    CHECK(gpu->capture_begin(stream[0], CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS, "capturing");
    make_sweeps(w);
    CHECK(gpu->capture_end(stream[0], &made) == CUDA_SUCCESS && gpu->graph_instantiate(&ready, made, 0) == CUDA_SUCCESS,
          "a graph");
  }
  for (int i = -2; i < REPEATS; i++) {
    gpu->event_record(from, stream[0]);
    if (w->graph)
      gpu->graph_launch(ready, stream[0]);
    else
      make_sweeps(w);
    gpu->event_record(till, stream[0]);
    CHECK(gpu->event_synchronize(till) == CUDA_SUCCESS, "%s", w->name);
    if (i >= 0) gpu->event_elapsed(&times[i], from, till);
  }
  if (ready) gpu->graph_exec_destroy(ready);
  if (made) gpu->graph_destroy(made);
  qsort(times, REPEATS, sizeof *times, by_value);
  return times[REPEATS / 2];
}

/* The first and last words of every tile have been through all sweeps. */
static void check_words(const variant *w) {
  for (int64_t tile = 0; tile < bytes; tile += TILE)
    for (int side = 0; side < 2; side++) {
      unsigned word = 0;
      gpu->copy_to_host(&word, out + (CUdeviceptr)(tile + side * (TILE - 4)), 4);
      CHECK(word == 0x01010101u + (unsigned)w->count, "%s: %#x at %lld", w->name, word,
            (long long)(tile + side * (TILE - 4)));
      if (word != 0x01010101u + (unsigned)w->count) return;
    }
}

static const int64_t whole = INT64_MAX, sixteen = 1 << 24;
static const variant plain_copy = {"a copy by the driver", .streams = 1};
static const variant variants[] = {
    {"one sweep, contiguous", whole, 1, 0, 1, 0, 0, {ROW}},
    {"one sweep, rows of 256 bytes", whole, 1, 0, 1, 0, 0, {256}},
    {"one sweep, rows of 128 bytes", whole, 1, 0, 1, 0, 0, {128}},
    {"one sweep, rows of 64 bytes", whole, 1, 0, 1, 0, 0, {64}},
    {"one sweep, rows of 32 bytes", whole, 1, 0, 1, 0, 0, {32}},
    {"one sweep, rows of 128 bytes, by quads", whole, 1, 0, 1, 0, 1, {128}},
    {"two in parts, second in place", sixteen, 2, 1, 1, 0, 0, {ROW, 128}},
    {"two in parts, second in place", sixteen, 2, 1, 1, 1, 0, {ROW, 128}},
    {"two in parts, second in place", sixteen, 2, 1, 2, 0, 0, {ROW, 128}},
    {"two in parts, second in place", sixteen, 2, 1, 2, 1, 0, {ROW, 128}},
    {"two in parts, second in place", sixteen, 2, 1, 3, 0, 0, {ROW, 128}},
    {"two in parts, second in place", sixteen, 2, 1, 3, 1, 0, {ROW, 128}},
    {"two in parts of 8.4 MB, second in place", sixteen / 2, 2, 1, 2, 1, 0, {ROW, 128}},
    {"two in parts of 33.6 MB, second in place", 2 * sixteen, 2, 1, 2, 1, 0, {ROW, 128}},
    {"two in parts, second in place, 64 bytes", sixteen, 2, 1, 2, 1, 0, {ROW, 64}},
    {"two in parts, second in place, 256 bytes", sixteen, 2, 1, 2, 1, 0, {ROW, 256}},
    {"two in parts by the workspace", sixteen, 2, 0, 2, 1, 0, {ROW, 128}},
    {"two in parts by the workspace, both strided", sixteen, 2, 0, 2, 1, 0, {128, 128}},
    {"three in parts, last in place", sixteen, 3, 1, 2, 1, 0, {ROW, 128, 128}},
    {"three in parts, two in place", sixteen, 3, 2, 2, 1, 0, {ROW, 128, 128}},
    {"two in parts, second in place, by quads", sixteen, 2, 1, 2, 1, 1, {ROW, 128}},
}; /* [21] */

int main(int argc, char **argv) {
  if (!gpu_here()) return TEST_SKIPPED;
  bytes = INT64_C(1) << (argc > 1 ? atoi(argv[1]) : 26);
  if (bytes < 2 * sixteen) bytes = 2 * sixteen;
  CHECK_OK(mfft_backend_cuda.alloc((size_t)bytes, (void **)&in));
  CHECK_OK(mfft_backend_cuda.alloc((size_t)bytes, (void **)&out));
  for (int s = 0; s < STREAMS; s++) {
    CHECK_OK(mfft_backend_cuda.alloc((size_t)(2 * sixteen), (void **)&work[s]));
    gpu->stream_create(&stream[s], CU_STREAM_NON_BLOCKING);
    gpu->event_create(&joined[s], CU_EVENT_DISABLE_TIMING);
  }
  gpu->event_create(&from, 0);
  gpu->event_create(&till, 0);
  gpu->memory_set(in, 1, (size_t)bytes);
  for (int i = 0; i < 20; i++) median(&variants[0]); /* clocks rise */
  const double copy = median(&plain_copy);
  printf("copy: %.4f ms\n%-45s %7s %8s %9s %7s\n", copy, "", "streams", "launches", "ms", "passes");
  for (size_t i = 0; i < sizeof variants / sizeof *variants; i++) {
    gpu->memory_set(out, 0, (size_t)bytes);
    const double ms = median(&variants[i]);
    printf("%-45s %7d %8s %9.4f %7.2f\n", variants[i].name, variants[i].streams, variants[i].graph ? "graph" : "single", ms,
           ms / copy);
    check_words(&variants[i]);
  }
  return test_end();
}
#endif
