/* schedule_case.h: runs the passes of a schedule one by one on the GPU, so that the schedule may be that of another device
 * than this one; an emulated GPU can run threads in two orders.  Results are compared with FFTW. */
#ifndef MFFT_TESTS_SCHEDULE_CASE_H
#define MFFT_TESTS_SCHEDULE_CASE_H

#include <dlfcn.h>

#include "gpu_case.h"
#include "local/cuda/backend.h"
#include "local/cuda/ops/filter.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "local/cuda/planner/tables.h"

/* 1: threads from first to last, 2: from last to first, 0: random.  Only an emulated GPU can be set. */
static inline void choose_order(int order) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW), *symbol = library ? dlsym(library, "emulated_choose_order") : NULL;
  void (*choose)(int);
  memcpy(&choose, &symbol, sizeof choose);
  if (symbol) choose(order);
}

static inline mfft_status load(const mfft_kernel *kernel, CUfunction *function) {
  mfft_cuda_current here;
  MFFT_TRY(mfft_cuda_find_current(&here));
  return mfft_load_kernel(&here, kernel, function);
}

/* New device memory with a copy of host memory. */
static inline char *on_device(const void *host, size_t bytes) {
  void *made = NULL;
  CHECK_OK(mfft_backend_cuda.alloc(bytes, &made));
  if (made && bytes) CHECK(gpu->copy_to_device((CUdeviceptr)made, host, bytes) == CUDA_SUCCESS, "%zu bytes", bytes);
  return made;
}

static int unaligned; /* kernels for pointers that are not aligned for wide accesses */

static inline void run_pass(mfft_pass *pass, const char *const place[MFFT_PLACES]) {
  if (unaligned) pass->kernel.in.wide = pass->kernel.out.wide = 0;
  mfft_table table[MFFT_TABLES];
  const void *address[MFFT_TABLES] = {0};
  CUfunction function;
  const mfft_kernel *k = &pass->kernel;
  CHECK_OK(load(k, &function));
  CHECK_OK(mfft_tables_make(pass, table));
  for (int i = 0; i < MFFT_TABLES; i++)
    if (table[i].bytes) address[i] = on_device(table[i].data, table[i].bytes);
  mfft_tables_place(pass, address);
  pass->args.in = place[pass->src];
  pass->args.out = (void *)(uintptr_t)place[pass->dst];
  CHECK_OK(mfft_launch_clusters(gpu, function, mfft_limits_sm90.arch, k->cluster.blocks, (unsigned)pass->blocks, 1,
                                (unsigned)(k->chain.lines * k->chain.threads), (unsigned)k->tile.shared_bytes, &pass->args,
                                NULL, "a pass"));
  CHECK(gpu->context_synchronize() == CUDA_SUCCESS, "running");
  for (int i = 0; i < MFFT_TABLES; i++) mfft_backend_cuda.free((void *)(uintptr_t)address[i]);
  mfft_tables_free(table);
}

/* Packed lines of n1 n2 complex numbers of `bytes` each from natural to scrambled order. */
static inline void scramble(void *data, int64_t n, int64_t n1, int64_t batch, size_t bytes) {
  char *natural = malloc((size_t)(n * batch) * bytes), *to = data;
  memcpy(natural, data, (size_t)(n * batch) * bytes);
  for (int64_t b = 0; b < batch; b++)
    for (int64_t k = 0; k < n; k++)
      memcpy(to + (size_t)(b * n + k % n1 * (n / n1) + k / n1) * bytes, natural + (size_t)(b * n + k) * bytes, bytes);
  free(natural);
}

/* An addition to a case before it runs, such as a filter. */
typedef struct case_extra {
  void (*prepare)(const mfft_fft_spec *spec, mfft_schedule *schedule, transform_case *c, struct case_extra *extra);
  void *host; /* [bytes] copied to the device as the tables of the filter; freed */
  size_t bytes;
} case_extra;

/* Runs a case and returns its error, or 0 if the case is not sampled. */
static inline double play_with(const mfft_fft_spec *spec, case_input input, const mfft_device_limits *limits, int backwards,
                               case_extra *extra) {
  if (!test_sampled()) return 0;
  mfft_schedule schedule;
  transform_case c;
  CHECK_OK(mfft_schedule_make(spec, limits, &schedule));
  if (backwards) mfft_schedule_in_parts(&mfft_tuned_for(limits)->parts, spec, &schedule);
  CHECK(case_make_of(&c, spec, input, 42), "FFTW");
  if (spec->scrambled) {
    int forward = spec->direction == MFFT_FORWARD;
    scramble(forward ? c.truth : c.in, spec->axis[0].n, spec->scrambled, spec->loop[0].n,
             forward ? 16 : 2 * mfft_real_bytes(spec->precision));
  }
  if (extra) extra->prepare(spec, &schedule, &c, extra);
  const size_t in_bytes = (size_t)c.in_reals * mfft_real_bytes(spec->precision),
               out_bytes = (size_t)c.out_reals * mfft_real_bytes(spec->precision);
  char *in = on_device(c.in, in_bytes), *out = spec->in_place ? in : on_device(c.out, out_bytes), *work = NULL,
       *tables = extra ? on_device(extra->host, extra->bytes) : NULL;
  CHECK_OK(mfft_backend_cuda.alloc(2 * schedule.work_bytes, (void **)&work));
  const char *place[MFFT_PLACES];
  mfft_schedule_places(&schedule, in, out, work, place);
  choose_order(backwards ? 2 : 1);
  for (int i = 0; i < schedule.count; i++) {
    schedule.pass[i].args.filter.tables = tables;
    run_pass(&schedule.pass[i], place);
  }
  choose_order(0);
  char *back = malloc(in_bytes), text[512];
  gpu->copy_to_host(back, (CUdeviceptr)in, in_bytes);
  gpu->copy_to_host(c.out, (CUdeviceptr)out, out_bytes);
  const double error = case_error(&c, c.out);
  mfft_schedule_print(&schedule, text, sizeof text);
  CHECK(error <= (extra ? 2 : 1) * case_bound(spec) + case_spacing(&c),
        "type %d n %lld %lld %lld in place %d precision %d input %d: error %.2e by %s", spec->type,
        (long long)spec->axis[0].n, (long long)spec->axis[1].n, (long long)spec->axis[2].n, spec->in_place, spec->precision,
        (int)input, error, text);
  if (!spec->in_place && !spec->destroy_input) CHECK(!memcmp(back, c.in, in_bytes), "the input of %s was changed", text);
  if (getenv("MFFT_TEST_VERBOSE")) printf("%.2e of %.2e %s\n", error, case_bound(spec), text);
  mfft_backend_cuda.free(in);
  if (!spec->in_place) mfft_backend_cuda.free(out);
  mfft_backend_cuda.free(work);
  mfft_backend_cuda.free(tables);
  if (extra) free(extra->host);
  free(back);
  case_free(&c);
  return error;
}

static inline double play_of(const mfft_fft_spec *spec, case_input input, const mfft_device_limits *limits, int backwards) {
  return play_with(spec, input, limits, backwards, NULL);
}
static inline double play(const mfft_fft_spec *spec, const mfft_device_limits *limits, int backwards) {
  return play_of(spec, CASE_NOISE, limits, backwards);
}

static mfft_compute packed_compute; /* compute engine of the specs that packed() returns */

/* A packed batch of rank-dimensional arrays, in the direction that its type has. */
static inline mfft_fft_spec packed(mfft_fft_type type, int rank, const int64_t *n, int64_t batch, int in_place,
                                   mfft_precision precision) {
  mfft_fft_spec s =
      packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, precision, rank, n, batch, in_place);
  s.scale = 0.5;
  s.compute = packed_compute;
  return s;
}

/* A device with little shared memory splits lengths that a test can afford: 1024 elements of double, 2048 of single. */
static inline mfft_device_limits small_device(void) {
  mfft_device_limits small = mfft_limits_sm90;
  small.shared_bytes = 8192 + 17 * 16 * 64;
  return small;
}

#endif
