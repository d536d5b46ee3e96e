// twiddle.cu: multiplies element (b, j, k) by the four-step twiddle of a distributed line, exp(SIGN 2 pi i (row0 + j)
// (col0 + k) / length).  The product is reduced modulo `length` in integers, so that the angle is exact.
#include "stored.cuh"
#include "twiddle_args.h"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_twiddle_args_device a) {
  const unsigned long long rows = a.n[1], columns = a.n[2], count = a.n[0] * rows * columns;
  stored *data = (stored *)a.data;
  for (unsigned long long at = blockIdx.x * 256ull + threadIdx.x; at < count; at += gridDim.x * 256ull) {
    const unsigned long long k = at % columns, j = at / columns % rows, length = (unsigned long long)a.length;
    const unsigned __int128 product = (unsigned __int128)(a.row0 + j) * (a.col0 + k);
    const unsigned long long power =
        product >> 64 ? (unsigned long long)(product % length) : (unsigned long long)product % length;
    double s, c;
    sincospi(2.0 * SIGN * ((double)power / (double)a.length), &s, &c);
    data[at] = narrow(widen(data[at]) * value{(real)c, (real)s});
  }
}

}  // namespace mfft
