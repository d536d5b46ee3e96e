// rows.cu: products of the rows of an array with vectors, and its numbers shifted and scaled (mfft_rows in mfft_array.h).
//
// A warp takes one row after another.  Each lane adds up every 32nd number of the row, and the sums of the lanes are added
// by a butterfly, so that the results of a row depend on no other row.  The vectors, at most 8 of doubles, stay in the first
// cache, and the array is read once.
#include "memory.cuh"

namespace mfft {

constexpr u32 WARP = 32, ROWS_AT_ONCE = MFFT_ARRAY_THREADS / WARP;
constexpr double LARGEST_FINITE = 0x1.fffffffffffffp1023;

__device__ __forceinline__ double add_lanes(double x) {
#pragma unroll
  for (int step = WARP / 2; step; step /= 2) x += __shfl_xor_sync(0xffffffff, x, step);
  return x;
}

__device__ __forceinline__ double largest_of_lanes(double x) {
#pragma unroll
  for (int step = WARP / 2; step; step /= 2) {
    const double other = __shfl_xor_sync(0xffffffff, x, step);
    x = other > x ? other : x;
  }
  return x;
}

__device__ __forceinline__ long long start_of(const mfft_rows_args &a, unsigned long long row) {
  long long at = 0;
#pragma unroll
  for (int loop = 2; loop >= 0; loop--) {
    const unsigned long long rest = row / a.n[loop];
    at += (long long)(row - rest * a.n[loop]) * a.stride[loop];
    row = rest;
  }
  return at;
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_rows_args a) {
  const double infinity = __longlong_as_double(0x7ff0000000000000ll);
  const u32 lane = threadIdx.x % WARP;
  for (unsigned long long r = blockIdx.x * (unsigned long long)ROWS_AT_ONCE + threadIdx.x / WARP; r < a.count;
       r += gridDim.x * (unsigned long long)ROWS_AT_ONCE) {
    stored_real *row = (stored_real *)a.array + start_of(a, a.first + r);
    double product[MFFT_ROW_VECTORS_MOST], squares = 0, largest = 0;
#pragma unroll
    for (int v = 0; v < MFFT_ROW_VECTORS_MOST; v++) product[v] = 0;
    for (unsigned long long i = lane; i < a.length; i += WARP) {
      stored_real *place = row + (long long)i * a.step;
      double x = widen_real(*place);
      const double y = ((x - a.shift[0]) - a.shift[1]) * a.factor;
      squares += y * y;
      if (a.store) {
        const stored_real rounded = narrow_real((real)y);
        *place = rounded;
        x = widen_real(rounded);
      }
      const double size = fabs(x);
      largest = !(size <= LARGEST_FINITE) ? infinity : size > largest ? size : largest;
#pragma unroll
      for (int v = 0; v < MFFT_ROW_VECTORS_MOST; v++)
        if (v < a.vectors) product[v] += x * a.vector[v * a.length + i];
    }
    double *result = a.result + r * (unsigned long long)(a.vectors + 2);
#pragma unroll
    for (int v = 0; v < MFFT_ROW_VECTORS_MOST; v++)
      if (v < a.vectors) {
        const double sum = add_lanes(product[v]);
        if (lane == 0) result[v] = sum;
      }
    squares = add_lanes(squares);
    largest = largest_of_lanes(largest);
    if (lane) continue;
    result[a.vectors] = squares;
    result[a.vectors + 1] = largest;
  }
}

}  // namespace mfft
