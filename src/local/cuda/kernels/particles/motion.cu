// motion.cu: kicks (PARTICLE_STEP 0) and drifts (1) of particles (mfft_motion.h), by a thread for each particle.
#include "motion.h"
#include "motion_args.h"
#include "ptx.cuh"

namespace mfft {

#if PARTICLE_STEP == 0
__device__ __forceinline__ void move_particle(const mfft_motion_args &a, unsigned long long i, int axis) {
  double g = a.force[axis][i];
  if (a.first[axis]) g = mfft_residual(g, a.lpt, a.first[axis][i], a.second[axis][i]);
  a.momentum[axis][i] = mfft_kicked(a.momentum[axis][i], a.keep, a.kick, g);
}
#else
__device__ __forceinline__ void move_particle(const mfft_motion_args &a, unsigned long long i, int axis) {
  const double p = a.momentum[axis][i];
  const double moved =
      a.first[axis] ? mfft_drifted_beside(a.drift, p, a.lpt, a.first[axis][i], a.second[axis][i]) : mfft_n_mul(a.drift, p);
  a.position[axis][i] += mfft_fixed_of(mfft_n_div(moved, a.length[axis]));  // wraps by overflow
}
#endif

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_motion_args a) {
  const unsigned long long step = (unsigned long long)gridDim.x * MFFT_PARTICLE_THREADS;
  for (unsigned long long i = (unsigned long long)blockIdx.x * MFFT_PARTICLE_THREADS + threadIdx.x; i < a.count; i += step)
#pragma unroll
    for (int axis = 0; axis < 3; axis++) move_particle(a, i, axis);
}

}  // namespace mfft
