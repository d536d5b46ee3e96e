// sums.cu: exact sums over an array (mfft_sums in mfft_array.h), by blocks of 256 threads.
#include "exact_sum.cuh"
#include "loops.cuh"
#include "memory.cuh"

namespace mfft {

constexpr long long NO_INDEX = 0x7fffffffffffffff;

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_sums_args a) {
  __shared__ block_state s;
  const stored_real *in = (const stored_real *)a.in;
  const double infinity = __longlong_as_double(0x7ff0000000000000ll);
  special_numbers special = {{0, 0}, 0};
  long long nonfinite = 0, first = NO_INDEX;
  double min = infinity, max = -infinity;
  begin_sum(s);

  for (unsigned long long tile = (unsigned long long)blockIdx.x << TILE_BITS; tile < a.count;
       tile += (unsigned long long)gridDim.x << TILE_BITS) {
    double x[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const unsigned long long index = tile + i * THREADS_OF_SUM + threadIdx.x;
      x[i] = 0;
      if (index >= a.count) continue;
      const double number = widen_real(in[place_of_number(index, a.count, a.n, a.stride)]);
      if (number - number == 0) {
        min = number < min ? number : min;
        max = number > max ? number : max;
      } else {
        nonfinite++;
        first = first < (long long)index ? first : (long long)index;
      }
      x[i] = number;
      if (a.squares) {
        const double rest = (number - a.centre) - a.centre_rest;
        x[i] = __dmul_rn(rest, rest);
      }
    }
    add_numbers(s, x, special);
  }

  mfft_block_sums *result = a.result + blockIdx.x;
  min = -combine<larger>(-min, s.warps);
  max = combine<larger>(max, s.warps);
  // Counts and indices are below 2^53, so that doubles represent them exactly.
  const double others = combine<plus>((double)nonfinite, s.warps);
  const double earliest = -combine<larger>(first == NO_INDEX ? -infinity : -(double)first, s.warps);
  end_sum(s, special, result);
  if (threadIdx.x) return;
  result->nonfinite = (long long)others;
  result->first = others > 0 ? (long long)earliest : NO_INDEX;
  result->min = min;
  result->max = max;
}

}  // namespace mfft
