// sums.cu: exact sums over an array (mfft_sums in mfft_array.h), by blocks of 256 threads.
#include "exact_sum.cuh"
#include "loops.cuh"
#include "number_args.h"
#include "stored.cuh"

namespace mfft {

constexpr long long NO_INDEX = 0x7fffffffffffffff;

// Numbers of a block that are not finite: their count, and the complement of the least index; 0: none.  They are in shared
// memory as those of block_state are.
struct others {
  unsigned long long count, complement;
};

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_sums_args a) {
  __shared__ block_state s;
  __shared__ others rest;
  const stored_real *in = (const stored_real *)a.in;
  const double infinity = __longlong_as_double(0x7ff0000000000000ll);
  double min = infinity, max = -infinity;
  if (threadIdx.x == 0) rest.count = rest.complement = 0;
  begin_sum(s);
  for (unsigned long long tile = (unsigned long long)blockIdx.x << TILE_BITS; tile < a.count;
       tile += (unsigned long long)gridDim.x << TILE_BITS) {
    double x[EACH];
    u32 count = 0;
    unsigned long long complement = 0;
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
        if (!count++) complement = ~index;
      }
      x[i] = number;
      if (a.squares) {
        const double difference = (number - a.centre) - a.centre_rest;
        x[i] = __dmul_rn(difference, difference);
      }
    }
    if (count) {
      atomicAdd(&rest.count, (unsigned long long)count);
      atomicMax(&rest.complement, complement);
    }
    add_numbers(s, x);
  }

  mfft_block_sums *result = a.result + blockIdx.x;
  min = -combine<larger>(-min, s.warps);
  max = combine<larger>(max, s.warps);
  end_sum(s, result);
  if (threadIdx.x) return;
  result->nonfinite = (long long)rest.count;
  result->first = rest.count ? (long long)~rest.complement : NO_INDEX;
  result->min = min;
  result->max = max;
}

}  // namespace mfft
