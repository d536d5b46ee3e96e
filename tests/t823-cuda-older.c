// TEST labels=emulated+nightly args=80 timeout=300
// TEST labels=emulated args=89 timeout=300
// TEST labels=emulated+nightly args=120 timeout=300
/* GPUs without clusters, without launches that overlap, with less shared memory: transforms that use these on an H200 are
 * planned without them, and are right.  On an emulated GPU of the named architecture. */
#include "check.h"

#ifndef MFFT_HAVE_CUDA
int main(void) { return TEST_SKIPPED; }
#else
#include "gpu_case.h"
#include "local/cuda/runtime/context.h"

static void lines(mfft_precision p, mfft_compute compute, int64_t n, int64_t batch) {
  mfft_fft_spec s = packed_spec(MFFT_FFT_C2C, (mfft_direction)(batch % 2), p, 1, &n, batch, (int)(batch % 2));
  s.compute = compute;
  gpu_check(&s, (uint64_t)n);
}

int main(int argc, char **argv) {
  if (argc < 2) return TEST_SKIPPED;
  setenv("MFFT_EMULATED_ARCH", argv[1], 1);
  mfft_cuda_current here;
  if (!gpu_here() || mfft_cuda_find_current(&here) != MFFT_SUCCESS) return TEST_SKIPPED;
  CHECK(here.limits->arch == atoi(argv[1]), "architecture %d", here.limits->arch);
  CHECK((here.limits->cluster > 0) == (here.limits->arch >= 90), "clusters of %d", here.limits->cluster);
  for (int p = 0; p < 4; p++) {
    if (here.limits->arch != 80 && (here.limits->arch + p) % 2) continue; /* each precision on one of the others, too */
    lines((mfft_precision)p, MFFT_COMPUTE_AUTO, 1 << 14, 3);
    lines((mfft_precision)p, MFFT_COMPUTE_AUTO, 1 << 16, 2);
    static const int64_t planes[][2] = {{64, 64}, {512, 80}, {1024, 20}, {2048, 16}}; /* [4] */
    for (int i = 0; i < (here.limits->arch == 80 ? 4 : 2); i++)
      for (int type = 0; type < 3; type++) {
        if (i != 1 && type) continue;
        mfft_fft_spec s = packed_spec((mfft_fft_type)type, type == 2 ? MFFT_BACKWARD : MFFT_FORWARD, (mfft_precision)p, 2,
                                      planes[i], 3, 0);
        if (p >= MFFT_HALF) s.scale = 1.0 / 64;
        gpu_check(&s, 2);
      }
  }
  lines(MFFT_SINGLE, MFFT_COMPUTE_TENSOR, 4096, 3);
  lines(MFFT_DOUBLE, MFFT_COMPUTE_TENSOR, 4096, 3);
  return test_end();
}
#endif
