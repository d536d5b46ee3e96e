// shells.cu: sums of |x|^2 over shells of wave numbers (mfft_shells in mfft.h), with the same bits in every run.
//
// A block is one warp, which processes its rows in order, 32 neighbours at a time.  Each lane finds the shell of its
// element. The first lane of each shell adds up the elements of all its lanes, in the order of lanes, and adds the sum to
// that of the block.  A second launch adds up the sums of blocks in order.  No sum depends on the order in which threads
// run.
#include "spectrum_args.h"
#include "stored.cuh"

namespace mfft {

constexpr int LANES = MFFT_SHELL_THREADS;

#if PASS_GATHERS

// Adds up the sums of blocks: each thread computes one number of the result.
extern "C" __global__ void __launch_bounds__(32) mfft_pass(const __grid_constant__ mfft_shells_args a) {
  const long long i = blockIdx.x * (long long)LANES + threadIdx.x, words = 3 * a.count;
  if (i >= words) return;
  if (i < a.count) {
    long long modes = 0;
    for (unsigned b = 0; b < a.blocks; b++) modes += ((const long long *)a.partial)[b * words + i];
    ((long long *)a.result)[i] = modes;
  } else {
    double sum = 0;
    for (unsigned b = 0; b < a.blocks; b++) sum += a.partial[b * words + i];
    a.result[i] = sum;
  }
}

#else

struct shell_index {
  double radius, weight, modes;
};

// Finds the shell of a radius by bisection; -1: none.
__device__ __forceinline__ long long find_shell(const double *edge, long long count, double radius) {
  if (!(radius >= edge[0]) || radius >= edge[count]) return -1;
  long long lo = 0, hi = count;  // edge[lo] <= radius < edge[hi]
  while (hi - lo > 1) {
    const long long middle = (lo + hi) / 2;
    if (radius < edge[middle])
      hi = middle;
    else
      lo = middle;
  }
  return lo;
}

extern "C" __global__ void __launch_bounds__(32) mfft_pass(const __grid_constant__ mfft_shells_args a) {
  __shared__ long long shell[LANES];
  __shared__ double modes[LANES], radius[LANES], power[LANES];
  const shell_index *index = (const shell_index *)a.index;
  const stored *in = (const stored *)a.in;
  double *sums = a.partial + blockIdx.x * 3 * a.count;
  const u32 lane = threadIdx.x;
  for (long long b = lane; b < 3 * a.count; b += LANES)
    sums[b] = 0;  // valid for the integer counts of modes, too: 0 and 0.0 have the same bits
  __syncthreads();

  const unsigned long long all = a.n[0] * a.n[1] * a.n[2], first = blockIdx.x * a.rows;
  const unsigned long long end = first + a.rows < all ? first + a.rows : all;
  for (unsigned long long r = first; r < end; r++) {
    const unsigned long long plane = r / a.n[2], j = r - plane * a.n[2], array = plane / a.n[1], i = plane - array * a.n[1];
    const shell_index x = index[a.table[0] + i], y = index[a.table[1] + j];
    const double row = x.radius * x.radius + y.radius * y.radius, weight = x.weight * y.weight;
    const stored *line = in + (array * a.stride[0] + i * a.stride[1] + j * a.stride[2]);
    for (unsigned long long start = 0; start < a.n[3]; start += LANES) {
      const unsigned long long k = start + lane;
      long long mine = -1;
      if (k < a.n[3]) {
        const shell_index z = index[a.table[2] + k];
        const value v = widen(line[(long long)k * a.stride[3]]);
        const double re = v.re, im = v.im, times = x.modes * y.modes * z.modes;
        const double far = sqrt(row + z.radius * z.radius);
        mine = find_shell(a.edge, a.count, far);
        modes[lane] = times;
        radius[lane] = times * far;
        power[lane] = times * (re * re + im * im) * weight * z.weight;
      }
      shell[lane] = mine;
      __syncthreads();
      bool leads = mine >= 0;
      double m = 0, p = 0, s = 0;
      for (u32 other = 0; other < LANES; other++) {
        if (shell[other] != mine) continue;
        leads = leads && other >= lane;
        if (mine < 0) continue;
        m += modes[other];
        s += radius[other];
        p += power[other];
      }
      if (leads) {
        ((long long *)sums)[mine] += (long long)m;
        sums[a.count + mine] += s;
        sums[2 * a.count + mine] += p;
      }
      __syncthreads();
    }
  }
}

#endif

}  // namespace mfft
