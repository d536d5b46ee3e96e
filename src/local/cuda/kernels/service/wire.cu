// wire.cu: the half-width format of messages (local/wire.h).  WIRE_DOUBLE: double sent as single, otherwise single as half;
// WIRE_PACKS: from array to segment, otherwise back; WIRE_COMPONENTS: numbers of an element.  A thread block processes
// several tiles, one after the other.
#include "blocks.cuh"

namespace mfft {

// TILE: elements that share an exponent.  EACH: elements of a thread in a tile.  TOP: the largest magnitude of a tile is
// scaled to [2^(TOP - 1), 2^TOP), within the range of the narrow type.
enum { TILE = 1024, THREADS = 256, EACH = TILE / THREADS, TOP = WIRE_DOUBLE ? 120 : 15 };
#if WIRE_DOUBLE
typedef double wide;
typedef float narrow;
__device__ __forceinline__ narrow to_narrow(wide x) { return (float)x; }
__device__ __forceinline__ wide to_wide(narrow x) { return x; }
__device__ __forceinline__ wide scale(wide x, int e) { return scalbn(x, e); }
#else
typedef float wide;
typedef unsigned short narrow;
__device__ __forceinline__ narrow to_narrow(wide x) { return (narrow)pack_half(x, 0); }
__device__ __forceinline__ wide to_wide(narrow x) { return half_to_float(x); }
__device__ __forceinline__ wide scale(wide x, int e) { return scalbnf(x, e); }
#endif
struct __align__(WIRE_COMPONENTS * sizeof(wide)) element {
  wide part[WIRE_COMPONENTS];
};
struct __align__(WIRE_COMPONENTS * sizeof(narrow)) small_element {
  narrow part[WIRE_COMPONENTS];
};

// The e with 2^(e-1) <= most < 2^e; 0 for 0, infinities and NaN.
__device__ __forceinline__ int exponent_of(wide most) {
  if (!(most > 0) || most - most != 0) return 0;  // infinity minus infinity is NaN
#if WIRE_DOUBLE
  return ilogb(most) + 1;
#else
  return ilogbf(most) + 1;
#endif
}

// Offset of element `at` of the segment in the array.
template <class COUNT>
__device__ __forceinline__ long long place(const mfft_wire_args &a, int b, COUNT at) {
  return block_indices<COUNT>(a.n[b], at).offset(a.stride[b]);
}

// The largest of the numbers of all threads of the block.
__device__ wide block_most(wide mine) {
  __shared__ wide part[THREADS / 32];
  for (int step = 16; step; step /= 2) {
    wide other = __shfl_xor_sync(0xffffffff, mine, step);
    mine = other > mine ? other : mine;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = mine;
  __syncthreads();
  for (int i = 0; i < THREADS / 32; i++) mine = part[i] > mine ? part[i] : mine;
  return mine;
}

extern "C" __global__ void __launch_bounds__(THREADS) mfft_pass(const __grid_constant__ mfft_wire_args a) {
  int b = blockIdx.y;
  wait_for_previous();
  element *array = (element *)a.array[b];
  const long long count = a.n[b][0] * a.n[b][1] * a.n[b][2] * a.n[b][3], tiles = (count + TILE - 1) / TILE;
  int *exponents = (int *)a.segment[b];
  small_element *packed = (small_element *)((char *)a.segment[b] + (tiles * 4 + 63) / 64 * 64);
  const bool few = count <= 0x7fffffffll;
  for (long long tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
    const long long first = tile * TILE + threadIdx.x;
    long long at[EACH];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      long long e = first + i * THREADS;
      at[i] = e >= count ? -1 : few ? place<u32>(a, b, (u32)e) : place<unsigned long long>(a, b, e);
    }
#if WIRE_PACKS
    element v[EACH];
    wide most = 0;
#pragma unroll
    for (int i = 0; i < EACH; i++)
      if (at[i] >= 0) v[i] = array[at[i]];
#pragma unroll
    for (int i = 0; i < EACH; i++)
      for (int c = 0; c < WIRE_COMPONENTS && at[i] >= 0; c++) {
        wide size = v[i].part[c] < 0 ? -v[i].part[c] : v[i].part[c];
        most = size > most ? size : most;
      }
    most = block_most(most);
    int exponent = most > 0 ? exponent_of(most) - TOP : 0;
    if (threadIdx.x == 0) exponents[tile] = exponent;
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      if (at[i] < 0) continue;
      small_element s;
      for (int c = 0; c < WIRE_COMPONENTS; c++) s.part[c] = to_narrow(scale(v[i].part[c], -exponent));
      packed[first + i * THREADS] = s;
    }
#else
    int exponent = exponents[tile];
#pragma unroll
    for (int i = 0; i < EACH; i++) {
      if (at[i] < 0) continue;
      small_element s = packed[first + i * THREADS];
      element v;
      for (int c = 0; c < WIRE_COMPONENTS; c++) v.part[c] = scale(to_wide(s.part[c]), exponent);
      array[at[i]] = v;
    }
#endif
  }
}

}  // namespace mfft
