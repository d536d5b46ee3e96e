// fold.cu: adds blocks of 64-bit integers to an array.  Blocks may meet in a cell: a window that is wider than the mesh has
// several ghost cells of one own cell.
#include "blocks.cuh"
#include "particle.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  const int b = blockIdx.y;
  const u64 count = (u64)(a.n[b][0] * a.n[b][1] * a.n[b][2] * a.n[b][3]);
  const u64 *in = (const u64 *)a.in[b];
  u64 *out = (u64 *)a.out[b];
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < count; i += (u64)gridDim.x * PARTICLE_BLOCK) {
    const block_indices<u64> at(a.n[b], i);
    const u64 sum = in[at.offset(a.is[b])];
    if (sum) atomicAdd(out + at.offset(a.os[b]), sum);
  }
}

}  // namespace mfft
