// radial.cu: multiplies an array by a function of |k| (mfft_radial in mfft_spectrum.h).  Each row along the innermost loop
// has 2^a.shift threads, as in filter.cu.
#include "loops.cuh"
#include "normal.h"
#include "spectrum_args.h"
#include "stored.cuh"

namespace mfft {

// Cubic interpolation between the four nearest values of the table.
__device__ __forceinline__ double value_at(const mfft_radial_args &a, double square) {
  if (!(square > 0)) return a.at_zero;
  const double last = (double)(a.count - 1), at = a.per_log * mfft_normal_log(square),
               place = at < 0      ? 0
                       : at > last ? last
                                   : at;
  long long node = (long long)place;
  node = node < 1 ? 1 : node > a.count - 3 ? a.count - 3 : node;
  const double u = place - (double)node, *v = a.value + node - 1;  // the values at u = -1, 0, 1, 2
  return -u * (u - 1) * (u - 2) * (1 / 6.) * v[0] + (u + 1) * (u - 1) * (u - 2) * 0.5 * v[1] -
         (u + 1) * u * (u - 2) * 0.5 * v[2] + (u + 1) * u * (u - 1) * (1 / 6.) * v[3];
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_radial_args a) {
  visit_rows(a, [&](unsigned long long r, u32 lane, u32 width) {
    long long at = 0;
    double others = 0;
    visit_loops<3>(r, a.n, [&](int d, unsigned long long i) {
      at += (long long)i * a.stride[d];
      if (a.table[d] >= 0) others += a.square[a.table[d] + i];
    });
    for (unsigned long long i = lane; i < a.n[3]; i += width) {
      const double value = value_at(a, others + (a.table[3] >= 0 ? a.square[a.table[3] + i] : 0));
      const long long here = at + (long long)i * a.stride[3];
      const mfft::value x = widen(((const stored *)a.in)[here]);
      ((stored *)a.out)[here] = narrow({(real)(x.re * value), (real)(x.im * value)});
    }
  });
}

}  // namespace mfft
