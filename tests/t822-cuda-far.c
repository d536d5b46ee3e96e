// TEST labels=cuda timeout=120
// TEST labels=emulated timeout=120
/* Elements more than 2^32 apart: lines, columns, lines of several passes, of every precision and engine, real ends, copies
 * of blocks.  The arrays are large and mostly empty; a case is skipped if the device has too little memory. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"

static const mfft_backend *const b = &mfft_backend_cuda;
static int done;

/* Copies line `l` of a side, packed on the host, element by element to or from the device. */
static void move(const mfft_fft_spec *s, int output, int to_device, int64_t l, void *host, char *device) {
  const int real = s->type == (output ? MFFT_FFT_C2R : MFFT_FFT_R2C), half = s->type != MFFT_FFT_C2C && !real;
  const int64_t n = half ? s->axis[0].n / 2 + 1 : s->axis[0].n, step = output ? s->axis[0].os : s->axis[0].is,
                apart = output ? s->loop[0].os : s->loop[0].is;
  const size_t bytes = (real ? 1 : 2) * mfft_real_bytes(s->precision);
  for (int64_t i = 0; i < n; i++) {
    const CUdeviceptr there = (CUdeviceptr)(device + (l * apart + i * step) * (int64_t)bytes);
    char *here = (char *)host + (size_t)i * bytes;
    const CUresult moved = to_device ? gpu->copy_to_device(there, here, bytes) : gpu->copy_to_host(here, there, bytes);
    CHECK(moved == CUDA_SUCCESS, "element %lld of line %lld", (long long)i, (long long)l);
  }
}

static void far(const mfft_fft_spec *s) {
  enum { LINES = 4 };
  const size_t real = mfft_real_bytes(s->precision);
  transform_case line[LINES]; /* [loop[0].n] each alone */
  mfft_fft_spec alone = *s;
  mfft_fft *fft = NULL;
  char *in = NULL, *out = NULL;
  void *work = NULL;
  double worst = 0;
  alone.axis[0].is = alone.axis[0].os = 1;
  alone.nloops = alone.in_place = 0;
  if (!test_sampled() || compile_only(s)) return;
  for (int64_t l = 0; l < s->loop[0].n; l++) CHECK(case_make(&line[l], &alone, (uint64_t)l), "FFTW");
  CHECK_OK(b->fft_create(s, &fft));
  if (!fft || b->alloc((size_t)case_reals(s, 0) * real, (void **)&in) != MFFT_SUCCESS) goto end;
  if (s->in_place)
    out = in;
  else if (b->alloc((size_t)case_reals(s, 1) * real, (void **)&out) != MFFT_SUCCESS)
    goto end;
  if (fft->work_bytes) CHECK_OK(b->alloc(fft->work_bytes, &work));
  for (int64_t l = 0; l < s->loop[0].n; l++) move(s, 0, 1, l, line[l].in, in);
  CHECK_OK(b->fft_execute(fft, in, out, work, NULL));
  CHECK(gpu->context_synchronize() == CUDA_SUCCESS, "running %s", spec_words(s));
  for (int64_t l = 0; l < s->loop[0].n; l++) {
    move(s, 1, 0, l, line[l].out, out);
    const double error = case_error(&line[l], line[l].out);
    if (!(error <= worst)) worst = error;
  }
  CHECK(worst <= case_bound(s), "error %.2e of %s", worst, spec_words(s));
  done++;
end:
  for (int64_t l = 0; l < s->loop[0].n; l++) case_free(&line[l]);
  b->fft_destroy(fft);
  b->free(in);
  if (!s->in_place) b->free(out);
  b->free(work);
}

/* A few lines whose elements and starts are this far apart, on both sides. */
static void one(mfft_fft_type type, mfft_precision p, mfft_compute compute, int64_t n, int64_t step, int64_t lines,
                int64_t apart) {
  mfft_fft_spec s = {.effort = MFFT_ESTIMATE, .type = type, .precision = p, .compute = compute, .scale = 1, .naxes = 1};
  s.direction = type == MFFT_FFT_C2R ? MFFT_BACKWARD : MFFT_FORWARD;
  s.in_place = type == MFFT_FFT_C2C;
  s.nloops = 1;
  s.axis[0] = (mfft_dim){n, step, step};
  s.loop[0] = (mfft_dim){lines, apart, apart};
  far(&s);
}

static void copies(void) {
  enum { N = 3 };
  const int64_t apart = (1ll << 31) + 5;
  char *from = NULL, *to = NULL;
  float in[2 * N], out[2 * N];
  const mfft_block block = {{1, 1, N, 1}, 2, {0, 0, apart, 1}, 4, {0, 0, apart - 3, 1}};
  if (b->alloc((size_t)(2 * apart + 8) * 8, (void **)&from) == MFFT_SUCCESS &&
      b->alloc((size_t)(2 * apart + 8) * 8, (void **)&to) == MFFT_SUCCESS) {
    for (int i = 0; i < 2 * N; i++) in[i] = (float)(i + 1);
    for (int i = 0; i < N; i++) gpu->copy_to_device((CUdeviceptr)(from + 8 * (2 + i * apart)), &in[2 * i], 8);
    CHECK_OK(b->copy(&block, 1, 8, from, to, NULL));
    CHECK(gpu->context_synchronize() == CUDA_SUCCESS, "running");
    for (int i = 0; i < N; i++) gpu->copy_to_host(&out[2 * i], (CUdeviceptr)(to + 8 * (4 + i * (apart - 3))), 8);
    CHECK(!memcmp(in, out, sizeof in), "a block");
    done++;
  }
  b->free(from);
  b->free(to);
}

int main(void) {
  if (test_small()) setenv("MFFT_EMULATED_BYTES", "274877906944", 1); /* of which hardly any is touched */
  if (!gpu_or_compiler_here()) return TEST_SKIPPED;
  const int64_t apart = (1ll << 31) + 68, step = (1ll << 27) + 4;
  for (int p = 0; p < 4; p++) {
    one(MFFT_FFT_C2C, (mfft_precision)p, MFFT_COMPUTE_AUTO, 64, 1, 3, apart);
    one(MFFT_FFT_C2C, (mfft_precision)p, MFFT_COMPUTE_AUTO, 64, step / 2, 4, 1); /* columns */
    one(MFFT_FFT_R2C, (mfft_precision)p, MFFT_COMPUTE_AUTO, 64, 1, 3, apart);
    one(MFFT_FFT_C2R, (mfft_precision)p, MFFT_COMPUTE_AUTO, 64, 1, 3, apart);
  }
  for (int p = MFFT_DOUBLE; p <= MFFT_HALF; p++) {
    one(MFFT_FFT_C2C, (mfft_precision)p, MFFT_COMPUTE_TENSOR, 64, 1, 3, apart);
    one(MFFT_FFT_C2C, (mfft_precision)p, MFFT_COMPUTE_TENSOR, 64, step / 2, 4, 1);
  }
  one(MFFT_FFT_C2C, MFFT_SINGLE, MFFT_COMPUTE_AUTO, 1 << 15, (1 << 17) + 3, 2, 1); /* several passes */
  one(MFFT_FFT_C2C, MFFT_HALF, MFFT_COMPUTE_TENSOR, 1 << 15, (1 << 17) + 4, 2, 1);
  one(MFFT_FFT_C2C, MFFT_SINGLE, MFFT_COMPUTE_AUTO, 15, (1 << 28) + (1 << 26), 3, 1);
  one(MFFT_FFT_R2C, MFFT_SINGLE, MFFT_COMPUTE_AUTO, 21, (1 << 28) + 5, 2, 1); /* an odd length */
  if (compiles_only()) return test_end();
  copies();
  CHECK(done, "no array of this size");
  return test_end();
}
#endif
