// resize.cu: copies blocks of complexes between an array and one of half the width (half_width.cuh).  RESIZE_DOUBLE: the
// full width is double, otherwise single; RESIZE_NARROWS: the output has half the width, otherwise the input.
#include "blocks.cuh"
#include "half_width.cuh"

namespace mfft {

enum { THREADS = 256, FLIGHT = 4 };

#if RESIZE_DOUBLE
typedef double real;
typedef double2 whole;
#else
typedef float real;
typedef float2 whole;
#endif
typedef half_width<real>::bits half_width_bits;

#if RESIZE_NARROWS
typedef whole source;
typedef half_width_bits target;
__device__ __forceinline__ target resized(source x) { return to_half_width<real>(x.x, x.y); }
#else
typedef half_width_bits source;
typedef whole target;
__device__ __forceinline__ target resized(source x) {
  whole v;
  from_half_width<real>(x, &v.x, &v.y);
  return v;
}
#endif

extern "C" __global__ void __launch_bounds__(THREADS) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  move_blocks<source, target, THREADS, FLIGHT>(a, [](source x) { return resized(x); });
}

}  // namespace mfft
