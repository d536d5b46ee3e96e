// fold.cu: adds blocks of 64-bit integers to an array.  Blocks may meet in a cell: a window that is wider than the mesh has
// several ghost cells of one own cell.
#include "block_args.h"
#include "particle.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  const int b = blockIdx.y;
  const u64 n1 = (u64)a.n[b][1], n2 = (u64)a.n[b][2], n3 = (u64)a.n[b][3], count = (u64)a.n[b][0] * n1 * n2 * n3;
  const u64 *in = (const u64 *)a.in[b];
  u64 *out = (u64 *)a.out[b];
  for (u64 i = (u64)blockIdx.x * PARTICLE_BLOCK + threadIdx.x; i < count; i += (u64)gridDim.x * PARTICLE_BLOCK) {
    const u64 row = i / n3, plane = row / n2, box = plane / n1;
    const long long at[4] = {(long long)box, (long long)(plane - box * n1), (long long)(row - plane * n2),
                             (long long)(i - row * n3)};
    long long from = 0, to = 0;
#pragma unroll
    for (int d = 0; d < 4; d++) from += at[d] * a.is[b][d], to += at[d] * a.os[b][d];
    if (in[from]) atomicAdd(out + to, in[from]);
  }
}

}  // namespace mfft
