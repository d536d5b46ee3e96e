/* sixteen.c: see sixteen.h. */
#include "local/cuda/engines/sixteen.h"

#include <math.h>

#include "local/cuda/engines/tiles.h"

mfft_status mfft_merge_by_sixteen(mfft_kernel *k) {
  int merges = 0;
  for (int i = k->named ? k->chain.merges : 0; i < MFFT_MAX_MERGES; i++) k->chain.radix[i] = 1;
  for (int rest = k->chain.n; rest > 1; merges++) {
    const int radix = rest < 16 ? rest : 16;
    if (k->named && (merges >= k->chain.merges || k->chain.radix[merges] != radix))
      return mfft_fail(
          MFFT_ERR_UNSUPPORTED,
          "cuda: tensor cores merge %d elements by 16 and at last by what is left; merge %d is named otherwise (with "
          "MFFT_COMPUTE_BUTTERFLY it may be)",
          k->chain.n, merges + 1);
    k->chain.radix[merges] = radix;
    rest /= radix;
  }
  k->chain.merges = merges;
  return MFFT_SUCCESS;
}

/* Whether precision and spec call for tensor cores, which single and double have only where the spec asks for them.  16-bit
 * numbers are merged by butterflies in single, whose results are rounded once, as they are stored: tensor cores compute with
 * halves, and more than double the error of half (docs/lab/tensor-half.md).  Exceptions are the shortest lines, where
 * butterflies are slower, and resident tiles of bfloat16, which save a pass and so a rounding, or are asked for. */
static int compute_suits(const mfft_pass_request *r) {
  const mfft_fft_spec *spec = r->spec;
  if (spec->compute != MFFT_COMPUTE_AUTO) return spec->compute == MFFT_COMPUTE_TENSOR;
  if (!is_sixteen_bit(spec->precision)) return 0;
  return spec->tile_bytes > 0 || r->whole < mfft_tuned_for(r->limits)->sixteen_tensor_below ||
         mfft_tile_known(r->limits, spec, r->n, r->whole, r->strided);
}

/* Packed real ends, and lines of which a part exists, are for butterflies, which load elements one by one. */
int mfft_prefers_tensor_cores(const mfft_pass_request *r) {
  const int complex = r->load == MFFT_FORM_COMPLEX && r->store == MFFT_FORM_COMPLEX;
  return mfft_is_plain_request(r) && !r->given && r->n >= 16 && is_power(r->n) && complex && compute_suits(r);
}

/* Whether a tensor-core pass can access 16 bytes at a time: their elements are contiguous, and all other strides are
 * multiples of 16 bytes. */
static int sixteens(const mfft_pass *pass, mfft_map map, int64_t stride, const long long *loop_stride) {
  int first = 0, count = 16 / complex_bytes(pass->kernel.precision);
  if (count == 1) return 0; /* an element is 16 bytes */
  if (map == MFFT_MAP_ELEMENT) {
    if (stride != 1) return 0;
  } else {
    if (loop_stride[0] != 1 || pass->args.loop_n[0] % (unsigned)count || stride % count) return 0;
    first = 1;
  }
  for (int i = first; i < pass->kernel.loops; i++)
    if (pass->args.loop_n[i] > 1 && loop_stride[i] % count) return 0;
  return 1;
}

/* The same for the output, or for every share of a scattered output.  If shares divide lines, they must begin at multiples
 * of 16 bytes too. */
static int sixteens_out(const mfft_pass *pass) {
  const mfft_kernel *k = &pass->kernel;
  if (!k->scatter.shares) return sixteens(pass, k->out.map, pass->args.out_stride, pass->args.loop_out);
  if (k->out.map == MFFT_MAP_ELEMENT && (k->chain.n % k->scatter.shares || k->chain.n / k->scatter.shares % 4)) return 0;
  for (int s = 0; s < k->scatter.shares; s++)
    if (!sixteens(pass, k->out.map, pass->args.scatter.stride[s], pass->args.scatter.loop[s])) return 0;
  return 1;
}

void mfft_sixteen_ends(mfft_pass_draft *d, int staged_below) {
  mfft_pass *pass = d->pass;
  mfft_kernel *k = &pass->kernel;
  const int staged = k->chain.n < staged_below;
  k->in.staging = k->in.map == MFFT_MAP_ELEMENT && staged;
  k->out.staging = k->out.map == MFFT_MAP_ELEMENT && staged;
  pass->vector_in = sixteens(pass, k->in.map, pass->args.in_stride, pass->args.loop_in) ? 16 : 0;
  pass->vector_out = sixteens_out(pass) ? 16 : 0;
  k->tile.lines_in_fours = pass->args.loop_n[0] % 4 == 0;
}

void mfft_share_scale_of_merges(mfft_pass_draft *d) {
  mfft_pass *pass = d->pass;
  const mfft_kernel *k = &pass->kernel;
  const double whole = pass->args.scale;
  if (!k->scaled || k->precision != MFFT_HALF) return;
  for (int m = 0; m < k->chain.merges; m++) {
    const double share = pow(whole, log((double)k->chain.radix[m]) / log((double)k->chain.n));
    if (m < k->chain.merges - 1)
      pass->args.merge_scale[m] = (float)share;
    else
      pass->args.scale = share;
  }
}
