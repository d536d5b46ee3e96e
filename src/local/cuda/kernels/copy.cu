// copy.cu: strided copies of blocks, one launch for a list.  COPY_BYTES is the size of an element: 2, 4, 8 or 16.
#include "args.h"

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

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_copy_args a) {
  int b = blockIdx.y;
  const element *in = (const element *)a.in + a.in_offset[b];
  element *out = (element *)a.out + a.out_offset[b];
  unsigned long long n1 = a.n[b][1], n2 = a.n[b][2], n3 = a.n[b][3], count = a.n[b][0] * n1 * n2 * n3;
  for (unsigned long long at = blockIdx.x * 256ull + threadIdx.x; at < count; at += gridDim.x * 256ull) {
    unsigned long long i3 = at % n3, rest = at / n3, i2 = rest % n2;
    rest /= n2;
    unsigned long long i1 = rest % n1, i0 = rest / n1;
    out[i0 * a.os[b][0] + i1 * a.os[b][1] + i2 * a.os[b][2] + i3 * a.os[b][3]] =
        in[i0 * a.is[b][0] + i1 * a.is[b][1] + i2 * a.is[b][2] + i3 * a.is[b][3]];
  }
}

}  // namespace mfft
