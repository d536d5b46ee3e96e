// weights.cu: reduces the weights of particles to what determines their scale (particles/scale.h).  PARTICLE_STEP 0: finds
// the largest magnitude, and the first weight that is not finite; 1: sums the magnitudes in a unit, each rounded up to an
// integer; 2: sums the integers that a deposit makes of the weights, modulo 2^64.
#include "deposit.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_weights_args a) {
  const u64 step = (u64)gridDim.x * PARTICLE_BLOCK;
  u64 found = 0;
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < a.count; i += step) {
#if PARTICLE_STEP == 2
    found += bits_of_share(find_weight(a.value, a.value_double, a.value_stride, a.unit, i));
    continue;
#endif
    const double weight = fabs(load_value(a.value, a.value_double, a.value_stride, i));
#if PARTICLE_STEP == 0
    if (!(weight - weight == 0)) atomicMax(&a.words->nonfinite, ~i);
    const u64 bits = mfft_n_bits(weight);  // those of positive numbers have the order of the numbers
    if (bits > found) found = bits;
#else
    const double scaled = mfft_n_mul(mfft_n_mul(weight, a.unit[0]), a.unit[1]);
    const long long below = (long long)scaled;
    found += (u64)below + ((double)below < scaled);
#endif
  }
#pragma unroll
  for (int step = 16; step; step /= 2) {
    const u64 other = __shfl_xor_sync(0xffffffff, found, step);
    found = PARTICLE_STEP ? found + other : found > other ? found : other;
  }
  if (threadIdx.x % 32 || !found) return;
  if (PARTICLE_STEP)
    atomicAdd(&a.words->total, found);
  else
    atomicMax(&a.words->largest, found);
}

}  // namespace mfft
