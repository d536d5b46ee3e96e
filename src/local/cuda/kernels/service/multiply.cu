// multiply.cu: a spectrum times that of a kernel (mfft_convolution.h), in place.  Threads go along the innermost loop,
// 2^a.shift of them a row, as in filter.cu.
#include "loops.cuh"
#include "spectrum_args.h"
#include "stored.cuh"

namespace mfft {

constexpr int FLIGHT = 4;  // loads that a thread issues at once

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_multiply_args a) {
  const stored *kernel = (const stored *)a.kernel;
  stored *array = (stored *)a.array;
  const unsigned long long count = a.n[3];
  visit_rows(a, [&](unsigned long long r, u32 lane, u32 width) {
    long long at = 0, from = 0;
    visit_loops<3>(r, a.n, [&](int d, unsigned long long i) {
      at += (long long)i * a.stride[d];
      from += (long long)i * a.kernel_stride[d];
    });
    for (unsigned long long i = lane; i < count; i += FLIGHT * width) {
      value x[FLIGHT], k[FLIGHT];
#pragma unroll
      for (int u = 0; u < FLIGHT; u++) {
        const long long j = (long long)(i + u * width);
        if (i + u * width >= count) break;
        x[u] = widen(array[at + j * a.stride[3]]);
        k[u] = widen(kernel[from + j * a.kernel_stride[3]]);
        if (a.conjugate) k[u].im = -k[u].im;
      }
#pragma unroll
      for (int u = 0; u < FLIGHT; u++) {
        const long long j = (long long)(i + u * width);
        if (i + u * width >= count) break;
        array[at + j * a.stride[3]] = narrow(x[u] * k[u]);
      }
    }
  });
}

}  // namespace mfft
