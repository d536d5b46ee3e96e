// modes.cu: white noise by wave number (mfft_mode_noise in mfft_array.h); a thread computes a mode.
#include "mode_noise.h"
#include "number_args.h"
#include "stored.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_modes_args a) {
  const unsigned long long all = a.extent[0] * a.extent[1] * a.extent[2];
  stored_real *out = (stored_real *)a.out;
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < all; i += gridDim.x * 256ull) {
    const unsigned long long row = i / a.extent[2], x = row / a.extent[1];
    const long long own[3] = {(long long)x, (long long)(row - x * a.extent[1]), (long long)(i - row * a.extent[2])};
    const long long index[3] = {a.lo[0] + own[0], a.lo[1] + own[1], a.lo[2] + own[2]};
    double number[2];
    mfft_mode_noise_at(a.key, a.n, index, a.deviation, a.squares, number);
    stored_real *to = out + 2 * (own[0] * a.stride[0] + own[1] * a.stride[1] + own[2] * a.stride[2]);
    to[0] = narrow_real((real)number[0]);
    to[1] = narrow_real((real)number[1]);
  }
}

}  // namespace mfft
