// product.cu: an array plus the product of two, element by element (mfft_plan_multiply_add in mfft_array.h).
#include "loops.cuh"
#include "number_args.h"
#include "rounded.h"
#include "stored.cuh"

namespace mfft {

extern "C" __global__ void __launch_bounds__(256) mfft_pass(const __grid_constant__ mfft_product_args a) {
  for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < a.count; i += gridDim.x * 256ull) {
    const long long at = place_of_number(i, a.count, a.n, a.stride);
    const double x = widen_real(((const stored_real *)a.a)[at]), y = widen_real(((const stored_real *)a.b)[at]);
    stored_real *to = (stored_real *)a.c + at;
    double sum = mfft_n_mul(a.alpha, mfft_n_mul(x, y));
    if (a.beta != 0) sum = mfft_n_add(mfft_n_mul(a.beta, (double)widen_real(*to)), sum);
    *to = narrow_real((real)sum);
  }
}

}  // namespace mfft
