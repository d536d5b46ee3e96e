// twiddle.cu: element (b, i, j) times exp(SIGN 2 pi i (row0 + i)(col0 + j) / length), the angle reduced in integers.
#include "memory.cuh"
#include "twiddle_args.h"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_twiddle_args_device a) {
  unsigned long long rows = a.n[1], columns = a.n[2], count = a.n[0] * rows * columns;
  stored *data = (stored *)a.data;
  for (unsigned long long at = blockIdx.x * 256ull + threadIdx.x; at < count; at += gridDim.x * 256ull) {
    unsigned long long j = at % columns, i = at / columns % rows;
    unsigned __int128 product = (unsigned __int128)(a.row0 + i) * (a.col0 + j);
    unsigned long long k = (product >> 64) ? (unsigned long long)(product % (unsigned long long)a.length)
                                           : (unsigned long long)product % (unsigned long long)a.length;
    double s, c;
    sincospi(2.0 * SIGN * ((double)k / (double)a.length), &s, &c);
    data[at] = narrow(widen(data[at]) * value{(real)c, (real)s});
  }
}

}  // namespace mfft
