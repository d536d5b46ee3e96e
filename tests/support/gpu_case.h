/* gpu_case.h: runs a transform_case on the GPU through the backend table. */
#ifndef MFFT_TESTS_GPU_CASE_H
#define MFFT_TESTS_GPU_CASE_H

#include "local/cuda/backend.h"
#include "local/cuda/engines/table.h"
#include "local/cuda/planner/phases.h"
#include "local/cuda/planner/print.h"
#include "local/cuda/planner/schedule.h"
#include "local/cuda/runtime/compile.h"
#include "local/cuda/runtime/driver.h"
#include "local/cuda/runtime/load.h"
#include "transform_case.h"

static const mfft_cuda_driver *gpu;

/* MFFT_TEST_COMPILE=part/parts: only compiles, so that many processes can fill the cache at once before a run. */
static inline int compiles_only(void) { return getenv("MFFT_TEST_COMPILE") != NULL; }

/* 1 if a GPU can be used; otherwise prints the reason, and the test is skipped. */
static inline int gpu_here(void) {
  if (compiles_only()) return printf("MFFT_TEST_COMPILE: this test compiles its kernels as it runs\n"), 0;
  if (mfft_backend_cuda.probe() == MFFT_SUCCESS && mfft_cuda_open(&gpu) == MFFT_SUCCESS) return 1;
  printf("%s\n", mfft_last_error());
  return 0;
}

/* The same for tests that call compile_only before they use the GPU, or whose gpu_check does. */
static inline int gpu_or_compiler_here(void) { return compiles_only() || gpu_here(); }

static inline const char *spec_words(const mfft_fft_spec *s) {
  static char text[512];
  static const char *const precision[] = {"double", "single", "half", "bfloat16"}, *const type[] = {"c2c", "r2c", "c2r",
                                                                                                    "r2r"};
  mfft_schedule schedule;
  int used = snprintf(text, sizeof text, "%s %s", type[s->type], precision[s->precision]);
  for (int a = 0; a < s->naxes; a++)
    used += snprintf(text + used, sizeof text - (size_t)used, " %lld(%lld,%lld)", (long long)s->axis[a].n,
                     (long long)s->axis[a].is, (long long)s->axis[a].os);
  for (int l = 0; l < s->nloops; l++)
    used += snprintf(text + used, sizeof text - (size_t)used, " x%lld(%lld,%lld)", (long long)s->loop[l].n,
                     (long long)s->loop[l].is, (long long)s->loop[l].os);
  used += snprintf(text + used, sizeof text - (size_t)used, "%s%s: ", s->in_place ? " in place" : "",
                   s->direction == MFFT_BACKWARD ? " backward" : "");
  if (mfft_schedule_make(s, &mfft_limits_sm90, &schedule) == MFFT_SUCCESS)
    mfft_schedule_print(&schedule, text + used, sizeof text - (size_t)used);
  return text;
}

/* Arrays on the GPU with a pattern before and after them; without one if an emulated GPU or a sanitizer checks every access,
 * since a read of the pattern would not be detected. */
enum { GPU_GUARD = 256 };
static inline size_t gpu_guard(void) { return test_small() ? 0 : GPU_GUARD; }
static inline void *gpu_alloc(size_t bytes) {
  char guard[GPU_GUARD], *base = NULL;
  const size_t side = gpu_guard();
  memset(guard, 0xa5, sizeof guard);
  if (mfft_backend_cuda.alloc(bytes + 2 * side, (void **)&base) != MFFT_SUCCESS) return NULL;
  CHECK(!side || (!gpu->copy_to_device((CUdeviceptr)base, guard, side) &&
                  !gpu->copy_to_device((CUdeviceptr)(base + side + bytes), guard, side)),
        "guards");
  return base + side;
}
static inline void gpu_free(const transform_case *c, char *data, size_t bytes) {
  unsigned char guard[2 * GPU_GUARD];
  const size_t side = data ? gpu_guard() : 0;
  int unchanged = !side || (!gpu->copy_to_host(guard, (CUdeviceptr)(data - side), side) &&
                            !gpu->copy_to_host(guard + side, (CUdeviceptr)(data + bytes), side));
  for (size_t i = 0; unchanged && i < 2 * side; i++) unchanged = guard[i] == 0xa5;
  CHECK(unchanged, "%s: memory outside an array was changed", spec_words(&c->spec));
  mfft_backend_cuda.free(data ? data - side : NULL);
}

static inline int gpu_transform(const transform_case *c, void *result) {
  const mfft_backend *b = &mfft_backend_cuda;
  size_t in_bytes = (size_t)c->in_reals * mfft_real_bytes(c->spec.precision),
         out_bytes = (size_t)c->out_reals * mfft_real_bytes(c->spec.precision);
  void *in = NULL, *out = NULL, *work = NULL;
  mfft_fft *fft = NULL;
  int good = 0;
  if (b->fft_create(&c->spec, &fft) != MFFT_SUCCESS) goto done;
  if (!(in = gpu_alloc(in_bytes))) goto done;
  if (!(out = c->spec.in_place ? in : gpu_alloc(out_bytes))) goto done;
  if (fft->work_bytes && !(work = gpu_alloc(fft->work_bytes))) goto done;
  if (gpu->copy_to_device((CUdeviceptr)in, c->in, in_bytes)) goto done;
  if (!c->spec.in_place && gpu->copy_to_device((CUdeviceptr)out, c->out, out_bytes)) goto done;
  if (b->fft_execute(fft, in, out, work, NULL) != MFFT_SUCCESS) goto done;
  CUresult ran = gpu->context_synchronize();
  if (ran != CUDA_SUCCESS) {
    mfft_cuda_failed(gpu, ran, "running");
    goto done;
  }
  good = gpu->copy_to_host(result, (CUdeviceptr)out, out_bytes) == CUDA_SUCCESS;
  if (good && !c->spec.in_place) { /* the input is unchanged, or, in place, the gaps between its elements */
    void *back = malloc(in_bytes);
    good = back && gpu->copy_to_host(back, (CUdeviceptr)in, in_bytes) == CUDA_SUCCESS;
    CHECK(good && (c->spec.destroy_input ? case_gaps_unchanged(c, 0, c->in, back) : !memcmp(back, c->in, in_bytes)),
          "%s: the input was changed", spec_words(&c->spec));
    free(back);
  }
done:
  gpu_free(c, work, fft ? fft->work_bytes : 0);
  if (!c->spec.in_place) gpu_free(c, out, out_bytes);
  gpu_free(c, in, in_bytes);
  b->fft_destroy(fft);
  return good;
}

static inline void only_compile(const mfft_kernel *kernel) {
  mfft_compile_options options;
  mfft_cubin cubin = {0};
  mfft_engine_options(kernel, &options);
  CHECK_OK(mfft_compile(&options, 90, &cubin));
  free(cubin.data);
}

/* The kernels of a transform. */
static inline void only_compile_all(const mfft_phases *phases) {
  for (int p = 0; p < phases->count; p++)
    for (int i = 0; i < phases->phase[p].schedule.count; i++) {
      mfft_kernel kernel = phases->phase[p].schedule.pass[i].kernel;
      only_compile(&kernel);
      if (!kernel.in.wide && !kernel.out.wide) continue;
      kernel.in.wide = kernel.out.wide = 0; /* for pointers that are less aligned */
      only_compile(&kernel);
    }
}

/* Whether the next transform is in the share of this process, which only compiles. */
static inline int compiles_next(void) {
  static int part, parts, count;
  const char *words = getenv("MFFT_TEST_COMPILE");
  const int good = parts || (sscanf(words, "%d/%d", &part, &parts) == 2 && part >= 0 && part < parts);
  CHECK(good, "MFFT_TEST_COMPILE is \"%s\", not part/parts", words);
  if (!good) exit(test_end());
  return count++ % parts == part;
}

/* Whether the kernels of this spec, if they are in this process's share, have been compiled instead of being run. */
static inline int compile_only(const mfft_fft_spec *spec) {
  static mfft_phases phases;
  if (!compiles_only()) return 0;
  if (compiles_next() && mfft_phases_make(spec, &mfft_limits_sm90, &phases) == MFFT_SUCCESS) only_compile_all(&phases);
  return 1;
}

/* Compares one transform with its truth; returns its error, or infinity. */
static inline double gpu_check_of(const mfft_fft_spec *spec, case_input input, uint64_t seed) {
  transform_case c;
  double error = INFINITY;
  if (compile_only(spec)) return 0;
  if (!case_make_of(&c, spec, input, seed)) {
    CHECK(0, "no memory or no FFTW plan");
    case_free(&c);
    return error;
  }
  void *result = malloc((size_t)c.out_reals * mfft_real_bytes(spec->precision));
  int ran = gpu_transform(&c, result);
  CHECK(ran, "%s: %s", spec_words(spec), mfft_last_error());
  if (ran) {
    double bound = case_bound(spec) + case_spacing(&c);
    double largest;
    error = case_errors(&c, result, &largest);
    CHECK(error <= bound, "%s, input %d: error %.2e, bound %.2e", spec_words(spec), (int)input, error, bound);
    if (input <= CASE_HUGE) /* others make numbers of very different size */
      CHECK(largest <= 8 * bound, "%s, input %d: largest error %.2e, bound %.2e", spec_words(spec), (int)input, largest,
            8 * bound);
    if (spec->in_place)
      CHECK(case_gaps_unchanged(&c, 1, c.in, result), "%s: the gaps between the elements were changed", spec_words(spec));
    if (getenv("MFFT_TEST_VERBOSE")) printf("%.2e, %.2e of %.2e %s\n", error, largest, bound, spec_words(spec));
  }
  free(result);
  case_free(&c);
  return error;
}
static inline void gpu_check(const mfft_fft_spec *spec, uint64_t seed) {
  if (test_sampled()) gpu_check_of(spec, CASE_NOISE, seed);
}

/* A packed batch of rank-dimensional arrays. */
static inline mfft_fft_spec packed_spec(mfft_fft_type type, mfft_direction direction, mfft_precision precision, int rank,
                                        const int64_t *n, int64_t batch, int in_place) {
  mfft_fft_spec s = {.effort = MFFT_ESTIMATE, /* what the rules make, untimed */
                     .type = type,
                     .direction = direction,
                     .precision = precision,
                     .scale = 1,
                     .naxes = rank,
                     .nloops = 1,
                     .in_place = in_place};
  int64_t half = n[rank - 1] / 2 + 1, real_row = in_place ? 2 * half : n[rank - 1], is = 1, os = 1;
  for (int a = rank - 1; a >= 0; a--) {
    s.axis[a] = (mfft_dim){n[a], is, os};
    int last = a == rank - 1;
    is *= !last || type == MFFT_FFT_C2C ? n[a] : type == MFFT_FFT_R2C ? real_row : half;
    os *= !last || type == MFFT_FFT_C2C ? n[a] : type == MFFT_FFT_R2C ? half : real_row;
  }
  s.loop[0] = (mfft_dim){batch, is, os};
  return s;
}

#endif
