// normal.cu: white noise (mfft_normal in mfft_array.h).  A thread computes a pair of numbers of a row along the caller's
// last axis.  Pairs are counted from the start of the whole axis, so that the row may contain only one number of its first
// and last pair.
#include "loops.cuh"
#include "normal.h"
#include "number_args.h"
#include "stored.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_normal_args a) {
  const long long first = a.lo[3], end = first + (long long)a.n[3] * a.components;
  const unsigned long long pairs = (unsigned long long)((end + 1) / 2 - first / 2), all = a.n[0] * a.n[1] * a.n[2] * pairs;
  stored_real *out = (stored_real *)a.out;
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < all; i += gridDim.x * 256ull) {
    const unsigned long long row = i / pairs;
    const long long pair = first / 2 + (long long)(i - row * pairs);
    long long at = 0;
    u32 counter[4] = {(u32)pair, 0, 0, 0}, random[4];
    visit_loops<3>(row, a.n, [&](int loop, unsigned long long index) {
      at += (long long)index * a.stride[loop];
      counter[3 - loop] = (u32)(index + a.lo[loop]);
    });
    double number[2];
    mfft_normal_philox(counter, a.key, random);
    mfft_normal_pair(random, number);
#pragma unroll
    for (int j = 0; j < 2; j++) {
      const long long along = 2 * pair + j - first;
      if (along < 0 || 2 * pair + j >= end) continue;
      const long long element = along / a.components;
      out[at + element * a.stride[3] + (along - element * a.components)] =
          narrow_real((real)mfft_n_mul(number[j], a.deviation));
    }
  }
}

}  // namespace mfft
