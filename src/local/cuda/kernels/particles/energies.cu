// energies.cu: exact sums of the energies and momenta of particles (mfft_motion.h).  blockIdx.y is the sum, in the sequence
// of mfft_motion_sum; its terms have the bits of the host's.
#include "exact_sum.cuh"
#include "motion.h"
#include "motion_args.h"

namespace mfft {

enum motion_sum { KINETIC = 0, POTENTIAL, MOMENTUM_X, MAGNITUDE = 5 };

__device__ __forceinline__ double whole_momentum(const mfft_motion_args &a, unsigned long long i, int axis) {
  const double p = a.momentum[axis][i];
  return a.first[axis] ? mfft_n_add(p, mfft_lpt_part(a.lpt, a.first[axis][i], a.second[axis][i])) : p;
}

__device__ __forceinline__ double term_of(const mfft_motion_args &a, unsigned long long i, int sum) {
  const double mass = a.mass ? a.mass[i] : 1;
  if (sum == POTENTIAL) return mfft_n_mul(mass, a.potential[i]);
  if (sum >= MOMENTUM_X && sum < MAGNITUDE) return mfft_n_mul(mass, whole_momentum(a, i, sum - MOMENTUM_X));
  const double p[3] = {whole_momentum(a, i, 0), whole_momentum(a, i, 1), whole_momentum(a, i, 2)};
  const double square = mfft_square_of(p);
  return mfft_n_mul(mass, sum == MAGNITUDE ? mfft_n_sqrt(square) : square);
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_motion_args a) {
  __shared__ block_state s;
  const int sum = (int)blockIdx.y;
  begin_sum(s);
  for (unsigned long long tile = (unsigned long long)blockIdx.x << TILE_BITS; tile < a.count;
       tile += (unsigned long long)gridDim.x << TILE_BITS) {
    double x[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      const unsigned long long index = tile + i * THREADS_OF_SUM + threadIdx.x;
      x[i] = index < a.count && (sum != POTENTIAL || a.potential) ? term_of(a, index, sum) : 0;
    }
    add_numbers(s, x);
  }
  end_sum(s, a.result + (unsigned long long)sum * gridDim.x + blockIdx.x);
}

}  // namespace mfft
