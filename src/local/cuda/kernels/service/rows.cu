// rows.cu: products of the rows of an array with vectors, and its numbers shifted and scaled (mfft_rows in mfft_array.h).
//
// A warp takes one row after another.  Each lane adds up every 32nd number of the row, and the sums of the lanes are added
// by a butterfly, so that the results of a row depend on no other row.  The vectors, at most 8 of doubles, stay in the first
// cache, and the array is read once.
#include "checksum_term.h"
#include "loops.cuh"
#include "number_args.h"
#include "stored.cuh"

namespace mfft {

constexpr u32 WARP = 32, ROWS_AT_ONCE = MFFT_ARRAY_THREADS / WARP;
constexpr double LARGEST_FINITE = 0x1.fffffffffffffp1023;

template <class T>
__device__ __forceinline__ T add_lanes(T x) {
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

// The place of the first number of a row: in memory, and in the array of all processes.
__device__ __forceinline__ long long start_of(const mfft_rows_args &a, unsigned long long row, unsigned long long *index) {
  long long at = 0;
  *index = a.index;
  visit_loops<3>(row, a.n, [&](int loop, unsigned long long here) {
    at += (long long)here * a.stride[loop];
    *index += here * a.weight[loop];
  });
  return at;
}

// The term of a number in the checksum (base/checksum.h), given its index in the array of all processes.
__device__ __forceinline__ unsigned long long checksum_term(stored_real x, unsigned long long index) {
  const mfft_u64 j = index * MFFT_CHECKSUM_STEP;
#if PASS_PRECISION == 0
  return mfft_checksum_term8((mfft_u64)__double_as_longlong(x), j);
#elif PASS_PRECISION == 1
  return mfft_checksum_term4(__float_as_uint(x), j);
#else
  return mfft_checksum_term4((mfft_u32)x, j);
#endif
}

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_rows_args a) {
  const double infinity = __longlong_as_double(0x7ff0000000000000ll);
  const u32 lane = threadIdx.x % WARP;
  for (unsigned long long r = blockIdx.x * (unsigned long long)ROWS_AT_ONCE + threadIdx.x / WARP; r < a.count;
       r += gridDim.x * (unsigned long long)ROWS_AT_ONCE) {
    unsigned long long index, checksum = 0;
    stored_real *row = (stored_real *)a.array + start_of(a, a.first + r, &index);
    double product[MFFT_ROW_VECTORS_MOST], squares = 0, largest = 0;
#pragma unroll
    for (int v = 0; v < MFFT_ROW_VECTORS_MOST; v++) product[v] = 0;
    for (unsigned long long i = lane; i < a.length; i += WARP) {
      stored_real *place = row + (long long)i * a.step;
      stored_real bits = *place;
      double x = widen_real(bits);
      const double y = ((x - a.shift[0]) - a.shift[1]) * a.factor;
      squares += y * y;
      if (a.store) {
        *place = bits = narrow_real((real)y);
        x = widen_real(bits);
      }
      if (a.checksum) checksum += checksum_term(bits, index + i);
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
    if (a.checksum) checksum = add_lanes(checksum);
    if (lane) continue;
    if (a.checksum) a.checksum[r] = checksum;
    result[a.vectors] = squares;
    result[a.vectors + 1] = largest;
  }
}

}  // namespace mfft
