// TEST labels=cuda timeout=120
// TEST labels=emulated timeout=120
/* A plan of the public interface on the cuda backend: workspace, both directions, scales, destroyed inputs; against FFTW.
 * Arrays that are not aligned to an element are refused before any launch. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "mfft_inspect.h"

static void there_and_back(mfft_kind kind, int rank, const int64_t *n, int64_t batch) {
  if (!test_sampled()) return;
  mfft_desc desc;
  mfft_options options;
  mfft_desc_init(&desc);
  mfft_options_init(&options);
  desc.rank = rank;
  for (int a = 0; a < rank; a++) desc.n[a] = n[a];
  desc.batch = batch;
  desc.kind = kind;
  desc.precision = MFFT_SINGLE;
  desc.scale[MFFT_BACKWARD] = MFFT_SCALE_FULL;
  options.backend = "cuda";
  mfft_plan plan = NULL;
  CHECK_OK(mfft_plan_create(&desc, &options, &plan));
  if (!plan) return;

  mfft_fft_type type = kind == MFFT_C2C ? MFFT_FFT_C2C : MFFT_FFT_R2C;
  mfft_fft_spec spec = packed_spec(type, MFFT_FORWARD, MFFT_SINGLE, rank, n, batch, 0);
  transform_case c;
  CHECK(case_make(&c, &spec, 6), "FFTW");
  size_t in_bytes = 0, out_bytes = 0;
  CHECK_OK(mfft_plan_bytes(plan, MFFT_IN, &in_bytes));
  CHECK_OK(mfft_plan_bytes(plan, MFFT_OUT, &out_bytes));
  CHECK(in_bytes == (size_t)c.in_reals * 4 && out_bytes == (size_t)c.out_reals * 4, "%zu and %zu bytes", in_bytes,
        out_bytes);
  void *in = NULL, *out = NULL;
  CHECK_OK(mfft_backend_cuda.alloc(in_bytes, &in));
  CHECK_OK(mfft_backend_cuda.alloc(out_bytes, &out));
  gpu->copy_to_device((CUdeviceptr)in, c.in, in_bytes);
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, in, (float *)out + 1), MFFT_ERR_ARG, "out is ");
  CHECK_FAILS(mfft_execute(plan, MFFT_BACKWARD, (float *)out + 1, in), MFFT_ERR_ARG, "aligned to the 8 bytes");
  CHECK_FAILS(mfft_execute(plan, MFFT_FORWARD, (char *)in + 2, out), MFFT_ERR_ARG, "in is ");
  CHECK_OK(mfft_execute(plan, MFFT_FORWARD, in, out));
  gpu->context_synchronize();
  gpu->copy_to_host(c.out, (CUdeviceptr)out, out_bytes);
  CHECK(case_error(&c, c.out) <= case_bound(&spec), "%s: error %.2e", spec_words(&spec), case_error(&c, c.out));
  CHECK_OK(mfft_execute(plan, MFFT_BACKWARD, out, in));
  gpu->context_synchronize();
  float *back = malloc(in_bytes);
  gpu->copy_to_host(back, (CUdeviceptr)in, in_bytes);
  double worst = 0;
  for (int64_t i = 0; i < c.in_reals; i++) {
    double error = fabs((double)back[i] - (double)((float *)c.in)[i]);
    if (!(error <= worst)) worst = error;
  }
  CHECK(worst < 3e-6, "there and back: %.2e", worst);
  mfft_backend_cuda.free(in);
  mfft_backend_cuda.free(out);
  mfft_plan_destroy(plan);
  free(back);
  case_free(&c);
}

int main(void) {
  if (!gpu_here()) return TEST_SKIPPED;
  char why[256] = "";
  CHECK(mfft_backend_usable("cuda", why, sizeof why), "%s", why);
  int64_t line = 1 << 15, plane[2] = {128, 100}, cube[3] = {32, 48, 50};
  there_and_back(MFFT_C2C, 1, &line, 3);
  there_and_back(MFFT_R2C, 1, &line, 3);
  there_and_back(MFFT_C2C, 2, plane, 5);
  there_and_back(MFFT_R2C, 2, plane, 5);
  there_and_back(MFFT_C2C, 3, cube, 2);
  there_and_back(MFFT_R2C, 3, cube, 2);
  return test_end();
}
#endif
