// copy.cu: strided copies of blocks, one launch for a list.  COPY_BYTES: bytes of one access, 2, 4, 8 or 16.
#include "blocks.cuh"

namespace mfft {

#if COPY_BYTES == 16
typedef uint4 element;
#elif COPY_BYTES == 8
typedef uint2 element;
#elif COPY_BYTES == 4
typedef unsigned int element;
#else
typedef unsigned short element;
#endif

enum { THREADS = 256, FLIGHT = 8 };

extern "C" __global__ void __launch_bounds__(THREADS) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  move_blocks<element, element, THREADS, FLIGHT>(a, [](element x) { return x; });
}

}  // namespace mfft
