// TEST labels=cuda timeout=300
// TEST labels=emulated timeout=300
/* Guarantees of the cuda backend other than right numbers: the same bits alone and inside a batch and in every run, no
 * overflow within a scaled half transform, pointers aligned to an element only, work inside a captured graph and replayed
 * from one, copies of blocks, the four-step twiddle, and refusals with a reason. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include <complex.h>
#include <dlfcn.h>

#include "gpu_case.h"

static const mfft_backend *const b = &mfft_backend_cuda;

static void *device_copy(const void *host, size_t bytes) {
  void *pointer = NULL;
  CHECK_OK(b->alloc(bytes, &pointer));
  if (pointer) CHECK(gpu->copy_to_device((CUdeviceptr)pointer, host, bytes) == CUDA_SUCCESS, "copy");
  return pointer;
}

/* Executes a new plan of the spec on new copies; the arrays start at these offsets in bytes of their allocations. */
static void transform(const mfft_fft_spec *spec, const void *in, size_t in_bytes, void *out, size_t out_bytes,
                      size_t in_shift, size_t out_shift) {
  mfft_fft *fft = NULL;
  char *from = NULL, *to = NULL;
  void *work = NULL;
  CHECK_OK(b->fft_create(spec, &fft));
  CHECK_OK(b->alloc(in_bytes + 64, (void **)&from));
  CHECK_OK(b->alloc(out_bytes + 64, (void **)&to));
  if (fft && fft->work_bytes) CHECK_OK(b->alloc(fft->work_bytes, &work));
  if (fft && from && to) {
    gpu->copy_to_device((CUdeviceptr)(from + in_shift), in, in_bytes);
    CHECK_OK(b->fft_execute(fft, from + in_shift, to + out_shift, work, NULL));
    CHECK(gpu->context_synchronize() == CUDA_SUCCESS, "running");
    gpu->copy_to_host(out, (CUdeviceptr)(to + out_shift), out_bytes);
  }
  b->fft_destroy(fft);
  b->free(from);
  b->free(to);
  b->free(work);
}

static void same_bits(mfft_fft_type type, mfft_precision p, int64_t n, int64_t batch) {
  mfft_fft_spec s = packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, p, 1, &n, batch, 0);
  if (!test_sampled() || compile_only(&s)) return;
  const int64_t reals = case_reals(&s, 0) / batch; /* of a line */
  const size_t line = (size_t)reals * mfft_real_bytes(p), to = (size_t)(case_reals(&s, 1) / batch) * mfft_real_bytes(p),
               in_bytes = line * (size_t)batch, out_bytes = to * (size_t)batch;
  char *in = malloc(in_bytes), *out = malloc(out_bytes), *again = malloc(out_bytes);
  uint64_t seed = 4;
  for (int64_t i = 0; i < reals; i++) store_value(p, in, i, test_random(&seed));
  for (int64_t k = 1; k < batch; k++) memcpy(in + (size_t)k * line, in, line);
  transform(&s, in, in_bytes, out, out_bytes, 0, 0);
  transform(&s, in, in_bytes, again, out_bytes, 0, 0);
  int different = 0;
  for (int64_t k = 1; k < batch; k++) different += memcmp(out, out + (size_t)k * to, to) != 0;
  CHECK(different == 0, "%s: %d lines of a batch differ", spec_words(&s), different);
  CHECK(!memcmp(out, again, out_bytes), "%s: two runs differ", spec_words(&s));
  for (int64_t i = reals; i < reals * batch; i++) store_value(p, in, i, test_random(&seed) / (double)(1 + i / reals));
  transform(&s, in, in_bytes, again, out_bytes, 0, 0);
  CHECK(!memcmp(out, again, to), "%s: a line differs in a batch of other lines", spec_words(&s));
  memset(in + line, 0xff, line * (size_t)(batch - 1)); /* NaN */
  transform(&s, in, in_bytes, again, out_bytes, 0, 0);
  CHECK(!memcmp(out, again, to), "%s: a line differs in a batch with NaN", spec_words(&s));
  free(in);
  free(out);
  free(again);
}

/* A constant line with some noise: its sum is in one output, and the scale must keep intermediate results in range. */
static void no_overflow(mfft_precision p, int64_t n, double scale, double peak) {
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, p, 1, &n, 1, 0);
  s.scale = scale;
  if (compile_only(&s)) return;
  size_t bytes = (size_t)n * 2 * mfft_real_bytes(p);
  char *in = calloc(1, bytes), *out = malloc(bytes);
  uint64_t seed = 8;
  for (int64_t i = 0; i < 2 * n; i++) store_value(p, in, i, i % 2 ? 0 : 0.75 + test_random(&seed) / 2);
  double mean = 0, worst = 0;
  for (int64_t i = 0; i < n; i++) mean += stored_value(p, in, 2 * i) / (double)n;
  transform(&s, in, bytes, out, bytes, 0, 0);
  for (int64_t i = 0; i < 2 * n; i++) {
    double v = fabs(stored_value(p, out, i));
    if (!(v <= worst)) worst = v;
  }
  double first = stored_value(p, out, 0), want = mean * peak;
  CHECK(isfinite(worst) && fabs(first - want) <= 0.02 * want, "precision %d n %lld: X[0] = %g, should be %g; largest %g", p,
        (long long)n, first, want, worst);
  free(in);
  free(out);
}

/* Numbers near the largest half, which may not overflow within a scaled transform wherever two of them are added: a
 * constant, alternating signs, and two numbers half an array apart alone.  n1 1: a line of n2.  parts: executed in parts, as
 * if all were large. */
static void near_overflow(int64_t n1, int64_t n2, int64_t batch, int parts) {
  enum { CONSTANT, ALTERNATING, TWO, KINDS };
  const int64_t n[2] = {n1 > 1 ? n1 : n2, n2}, all = n1 * n2, total = all * batch;
  const double largest = 60000;
  size_t bytes = (size_t)total * 2 * mfft_real_bytes(MFFT_HALF);
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_HALF, n1 > 1 ? 2 : 1, n, batch, 0);
  if (parts) s.part_bytes = (int64_t)bytes / 4;
  s.scale = 1 / (double)all;
  if (!test_sampled() || compile_only(&s)) return;
  char *in = malloc(bytes), *out = malloc(bytes);
  for (int kind = 0; kind < KINDS; kind++) {
    s.scale = kind == TWO ? 1 / sqrt((double)all) : 1 / (double)all;
    memset(in, 0, bytes);
    for (int64_t i = 0; i < total; i++)
      if (kind != TWO || i % (all / 2) == 0)
        store_value(MFFT_HALF, in, 2 * i, kind == ALTERNATING && i % 2 ? -largest : largest);
    transform(&s, in, bytes, out, bytes, 0, 0);
    int64_t wrong = 0;
    for (int64_t i = 0; i < 2 * total; i++) {
      const int64_t k = i / 2 % all, slow = n1 > 1 ? k / n2 : k; /* element `all` / 2 has the phase pi slow */
      const double peak = kind == TWO ? 2 * largest * s.scale : largest;
      const int there = kind == TWO ? slow % 2 == 0 : k == (kind == CONSTANT ? 0 : n2 / 2);
      const double v = stored_value(MFFT_HALF, out, i);
      wrong += !(fabs(v - (there && i % 2 == 0 ? peak : 0)) <= 4e-3 * peak);
    }
    CHECK(wrong == 0, "half %lld x %lld, input %d: %lld reals of %lld are wrong", (long long)n1, (long long)n2, kind,
          (long long)wrong, (long long)(2 * total));
  }
  free(in);
  free(out);
}

/* The same transform from pointers that are aligned to one element only. */
static void any_alignment(mfft_precision p, mfft_fft_type type, int64_t n, size_t in_shift, size_t out_shift) {
  mfft_fft_spec s = packed_spec(type, type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD, p, 1, &n, 40, 0);
  s.scale = 1.0 / 16;
  if (!test_sampled() || compile_only(&s)) return;
  transform_case c;
  CHECK(case_make(&c, &s, 2), "FFTW");
  void *out = malloc((size_t)c.out_reals * mfft_real_bytes(p));
  memcpy(out, c.out, (size_t)c.out_reals * mfft_real_bytes(p));
  transform(&s, c.in, (size_t)c.in_reals * mfft_real_bytes(p), out, (size_t)c.out_reals * mfft_real_bytes(p), in_shift,
            out_shift);
  CHECK(case_error(&c, out) <= case_bound(&s), "%s shifted by %zu and %zu: error %.2e", spec_words(&s), in_shift, out_shift,
        case_error(&c, out));
  free(out);
  case_free(&c);
}

static void captured(const mfft_fft_spec *s) {
  if (compile_only(s)) return;
  void *cuda = dlopen("libcuda.so.1", RTLD_NOW);
  CUresult (*begin)(CUstream, int), (*end)(CUstream, void **), (*instantiate)(void **, void *, unsigned long long),
      (*launch)(void *, CUstream);
  void *f[] = {dlsym(cuda, "cuStreamBeginCapture_v2"), dlsym(cuda, "cuStreamEndCapture"),
               dlsym(cuda, "cuGraphInstantiateWithFlags"), dlsym(cuda, "cuGraphLaunch")};
  memcpy(&begin, &f[0], sizeof begin);
  memcpy(&end, &f[1], sizeof end);
  memcpy(&instantiate, &f[2], sizeof instantiate);
  memcpy(&launch, &f[3], sizeof launch);
  size_t bytes = (size_t)case_reals(s, 0) * mfft_real_bytes(s->precision);
  char *host = malloc(bytes), *plain = malloc(bytes), *graphed = malloc(bytes);
  uint64_t seed = 3;
  for (int64_t i = 0; i < case_reals(s, 0); i++) store_value(s->precision, host, i, test_random(&seed));
  void *in = device_copy(host, bytes), *out = device_copy(host, bytes), *work = NULL, *graph = NULL, *ready = NULL;
  mfft_fft *fft = NULL;
  CUstream stream = NULL;
  char text[1024];
  CHECK_OK(b->fft_create(s, &fft));
  b->fft_print(fft, text, sizeof text);
  CHECK(strstr(text, "parts of"), "one stream is enough for %s", text);
  CHECK_OK(b->alloc(fft->work_bytes + 64, &work));
  CHECK(gpu->stream_create(&stream, CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS, "stream");
  CHECK_OK(b->fft_execute(fft, in, out, work, stream));
  gpu->stream_synchronize(stream);
  gpu->copy_to_host(plain, (CUdeviceptr)out, bytes);
  gpu->copy_to_device((CUdeviceptr)out, host, bytes);
  CHECK(begin(stream, 0) == CUDA_SUCCESS, "begin capture");
  CHECK_OK(b->fft_execute(fft, in, out, work, stream));
  CHECK(end(stream, &graph) == CUDA_SUCCESS && instantiate(&ready, graph, 0) == CUDA_SUCCESS, "capture of %s",
        spec_words(s));
  for (int i = 0; ready && i < 2; i++) CHECK(launch(ready, stream) == CUDA_SUCCESS, "graph launch");
  gpu->stream_synchronize(stream);
  gpu->copy_to_host(graphed, (CUdeviceptr)out, bytes);
  CHECK(!memcmp(plain, graphed, bytes), "a graph of %s gives other numbers", spec_words(s));
  b->fft_destroy(fft);
  gpu->stream_destroy(stream);
  b->free(in);
  b->free(out);
  b->free(work);
  free(host);
  free(plain);
  free(graphed);
}

/* The same plan repeatedly, on more arrays than it has graphs for, on two streams: always the bits of plain launches. */
static void replayed(const mfft_fft_spec *s, int rounds, int arrays) {
  enum { ARRAYS = 40 };
  if (compile_only(s)) return;
  size_t in_bytes = (size_t)case_reals(s, 0) * mfft_real_bytes(s->precision),
         out_bytes = (size_t)case_reals(s, 1) * mfft_real_bytes(s->precision);
  size_t most_bytes = in_bytes > out_bytes ? in_bytes : out_bytes;
  char *host = calloc(1, most_bytes), *plain = malloc(out_bytes), *got = malloc(out_bytes);
  void *in[ARRAYS], *out[ARRAYS], *work = NULL; /* [ARRAYS] */
  uint64_t seed = 6;
  CUstream stream[2] = {NULL, NULL};
  mfft_fft *fft = NULL, *graphed = NULL;
  setenv("MFFT_GRAPHS", "0", 1);
  CHECK_OK(b->fft_create(s, &fft));
  unsetenv("MFFT_GRAPHS");
  CHECK_OK(b->fft_create(s, &graphed));
  CHECK_OK(b->alloc(fft->work_bytes + 64, &work));
  CHECK(gpu->stream_create(&stream[1], CU_STREAM_NON_BLOCKING) == CUDA_SUCCESS, "stream");
  for (int64_t i = 0; i < case_reals(s, 0); i++) store_value(s->precision, host, i, test_random(&seed));
  for (int k = 0; k < arrays; k++) in[k] = device_copy(host, in_bytes), out[k] = device_copy(host, out_bytes);
  for (int round = 0; round < rounds; round++) /* two alternating pairs are replayed, 40 evict each other */
    for (int k = 0; k < (round < 2 && arrays > 2 ? 2 : arrays); k++) {
      ((char *)host)[(size_t)(17 * round + k)] ^= 1;
      gpu->copy_to_device((CUdeviceptr)in[k], host, in_bytes);
      CHECK_OK(b->fft_execute(fft, in[k], out[k], work, NULL));
      gpu->context_synchronize();
      gpu->copy_to_host(plain, (CUdeviceptr)out[k], out_bytes);
      for (int again = 0; again < 3; again++) {
        CUstream at = stream[(round + again) % 2];
        gpu->copy_to_device((CUdeviceptr)in[k], host, in_bytes);
        gpu->copy_to_device((CUdeviceptr)out[k], host, out_bytes);
        gpu->context_synchronize();
        CHECK_OK(b->fft_execute(graphed, in[k], out[k], work, at));
        CHECK(gpu->stream_synchronize(at) == CUDA_SUCCESS, "running");
        gpu->copy_to_host(got, (CUdeviceptr)out[k], out_bytes);
        CHECK(!memcmp(plain, got, out_bytes), "round %d array %d run %d of %s", round, k, again, spec_words(s));
      }
    }
  b->fft_destroy(fft);
  b->fft_destroy(graphed);
  gpu->stream_destroy(stream[1]);
  for (int k = 0; k < arrays; k++) b->free(in[k]), b->free(out[k]);
  b->free(work);
  free(host);
  free(plain);
  free(got);
}

static void copies(void) {
  enum { N = 5000, BLOCKS = 40 };
  float in[2 * N], out[2 * N], want[2 * N];
  uint64_t seed = 1;
  for (int i = 0; i < 2 * N; i++) in[i] = (float)test_random(&seed), out[i] = want[i] = 7;
  mfft_block blocks[BLOCKS];
  for (int k = 0; k < BLOCKS; k++) {
    blocks[k] = (mfft_block){{1, 2, 5, 3}, 61 * k, {0, 30, 6, 2}, 100 * k, {0, 50, 1, 7}};
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 5; j++)
        for (int l = 0; l < 3; l++) {
          int from = 61 * k + 30 * i + 6 * j + 2 * l, to = 100 * k + 50 * i + j + 7 * l;
          want[2 * to] = in[2 * from], want[2 * to + 1] = in[2 * from + 1];
        }
  }
  void *from = device_copy(in, sizeof in), *to = device_copy(out, sizeof out);
  CHECK_OK(b->copy(blocks, BLOCKS, 8, from, to, NULL));
  gpu->context_synchronize();
  gpu->copy_to_host(out, (CUdeviceptr)to, sizeof out);
  CHECK(!memcmp(out, want, sizeof out), "blocks");
  CHECK_FAILS(b->copy(blocks, 1, 3, from, to, NULL), MFFT_ERR_UNSUPPORTED, "3 bytes");
  b->free(from);
  b->free(to);
}

static void twiddles(void) {
  enum { B = 2, R = 3, C = 5 };
  double complex data[B * R * C], got[B * R * C];
  uint64_t seed = 1;
  for (int i = 0; i < B * R * C; i++) data[i] = test_random(&seed) + I * test_random(&seed);
  int64_t n[3] = {B, R, C}, row0 = (1ll << 33) + 1, col0 = (1ll << 32) + 7, length = 1ll << 40;
  void *device = device_copy(data, sizeof data);
  CHECK_OK(b->twiddle(MFFT_DOUBLE, MFFT_BACKWARD, n, row0, col0, length, device, NULL));
  gpu->context_synchronize();
  gpu->copy_to_host(got, (CUdeviceptr)device, sizeof got);
  double worst = 0;
  for (int i = 0; i < B * R * C; i++) {
    unsigned __int128 product = (unsigned __int128)(row0 + i / C % R) * (unsigned __int128)(col0 + i % C);
    double turn = (double)(uint64_t)(product % (unsigned __int128)length) / (double)length, error;
    error = cabs(got[i] - data[i] * cexp(2 * I * 3.14159265358979323846 * turn));
    if (!(error <= worst)) worst = error;
  }
  CHECK(worst < 1e-14, "error %.2e", worst);
  b->free(device);
}

int main(void) {
  const int small = test_small();
  if (small) setenv("MFFT_EMULATED_CACHE", "2400000", 1); /* so that small arrays are done in parts too */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  for (int p = 0; p < 4; p++) {
    same_bits(MFFT_FFT_C2C, (mfft_precision)p, 16, small ? 100 : 1000);
    same_bits(MFFT_FFT_C2C, (mfft_precision)p, 4096, small ? 3 : 37);
    if (p < 2) /* odd lines that a thread has whole, and not */
      for (int type = MFFT_FFT_R2C; type <= MFFT_FFT_C2R; type++)
        same_bits((mfft_fft_type)type, (mfft_precision)p, type == MFFT_FFT_R2C ? 9 : 81, 100);
    if (small) {
      if (p < 2) same_bits(MFFT_FFT_C2C, (mfft_precision)p, 1 << 15, 4); /* in clusters */
    } else {
      same_bits(MFFT_FFT_C2C, (mfft_precision)p, 1 << 17, 96); /* in parts */
      same_bits(MFFT_FFT_C2C, (mfft_precision)p, 1 << 15, 37); /* in clusters, of single and double */
      same_bits(MFFT_FFT_C2C, (mfft_precision)p, 1 << 16, 160);
    }
    if (small && p % 2 == 0) continue;
    size_t real = mfft_real_bytes((mfft_precision)p);
    any_alignment((mfft_precision)p, MFFT_FFT_C2C, 256, 2 * real, 2 * real);
    any_alignment((mfft_precision)p, MFFT_FFT_C2C, 32, 0, 2 * real);
    any_alignment((mfft_precision)p, MFFT_FFT_R2C, 128, real, 2 * real);
    any_alignment((mfft_precision)p, MFFT_FFT_C2R, 128, 2 * real, real);
  }
  no_overflow(MFFT_HALF, 1 << 16, 0x1p-8, 256);
  for (int bits = 4; bits <= (small ? 15 : 20); bits += small ? 3 : 1) near_overflow(1, 1 << bits, 3, 0);
  for (int64_t n1 = 16; n1 <= (small ? 64 : 4096); n1 *= small ? 4 : 2)
    for (int64_t n2 = 64; n2 <= (small ? 256 : 1024); n2 *= 4) near_overflow(n1, n2, 2, 0);
  for (int64_t n1 = 64; n1 <= (small ? 256 : 1024); n1 *= 2) near_overflow(n1, 64, 8, 1);
  if (!small) {
    no_overflow(MFFT_HALF, 1 << 20, 0x1p-20, 1);
    no_overflow(MFFT_HALF, 1 << 24, 0x1p-24, 1);
    no_overflow(MFFT_HALF, 1 << 27, 0x1p-27, 1);
    no_overflow(MFFT_HALF, 1 << 27, 1 / sqrt(0x1p27), sqrt(0x1p27));
    no_overflow(MFFT_BFLOAT16, 1 << 22, 1, 0x1p22);
  }
  const int64_t line = 60000, cube[3] = {256, 128, 128}, small_cube[3] = {60, 60, 100};
  mfft_fft_spec parts = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 1, &line, small ? 12 : 512, 0);
  mfft_fft_spec phases =
      packed_spec(MFFT_FFT_C2C, MFFT_BACKWARD, MFFT_DOUBLE, 3, small ? small_cube : cube, small ? 1 : 4, 0);
  phases.cluster = -1; /* which may be faster */
  captured(&parts);
  captured(&phases);
  int64_t box[3] = {32, small ? 16 : 64, 32};
  mfft_fft_spec few = packed_spec(MFFT_FFT_R2C, MFFT_FORWARD, MFFT_SINGLE, 3, box, 1, 0);
  replayed(&few, small ? 3 : 4, 40);
  replayed(&parts, 1, 1);
  if (compiles_only()) return test_end();
  copies();
  twiddles();
  mfft_fft_spec prime = packed_spec(MFFT_FFT_C2C, MFFT_FORWARD, MFFT_SINGLE, 1, (int64_t[]){2147483647}, 1, 0);
  mfft_fft *none = NULL;
  CHECK_FAILS(b->fft_create(&prime, &none), MFFT_ERR_UNSUPPORTED, "length 2147483647");
  CHECK(none == NULL, "an output of a failed call");
  void *much = NULL;
  CHECK_FAILS(b->alloc((size_t)1 << 50, &much), MFFT_ERR_MEMORY, "bytes of device memory");
  b->fft_destroy(NULL);
  return test_end();
}
#endif
