/* scatter.c: scattered outputs on the host: the result of a transform is copied to its shares.  Between processes of a node
 * a transform that stores there directly would take as long.  The copy exists so that plans which store into windows of
 * peers on a GPU also run, and are tested, on a CPU. */
#include "base/box.h"
#include "local/fftw/fft.h"
#include "local/host/host.h"

enum { MOST_DIMS = 4 }; /* loops of a block */

int mfft_fftw_fuses(const mfft_fft_spec *spec) {
  return spec->scatter.count && !spec->filtered && !mfft_fft_pads(spec) && spec->type != MFFT_FFT_C2R &&
         spec->naxes + spec->nloops <= MOST_DIMS;
}

/* The copy of share s of the output of a transform, from `out` to the start of the share. */
static mfft_block share_of(const mfft_fft_spec *spec, int s) {
  const int dims = spec->naxes + spec->nloops, count = spec->scatter.count;
  const int cut = spec->scatter.axis;
  const int64_t n = mfft_fft_length(spec, cut, 1), first = mfft_part(n, s, count);
  mfft_block block = {.n = {1, 1, 1, 1}, .in_offset = first * spec->axis[cut].os};
  for (int d = 0; d < dims; d++) {
    const int at = MOST_DIMS - dims + d;
    const mfft_dim *dim = d < spec->naxes ? &spec->axis[d] : &spec->loop[d - spec->naxes];
    block.n[at] = d == cut ? mfft_part(n, s + 1, count) - first : d < spec->naxes ? mfft_fft_length(spec, d, 1) : dim->n;
    block.is[at] = dim->os;
    block.os[at] = spec->scatter.stride[s][d];
  }
  return block;
}

mfft_status mfft_fftw_scatter(const mfft_fft *fft, const void *in, void *out, void *const *to, void *work, void *stream) {
  const mfft_fftw_fft *f = (const mfft_fftw_fft *)fft;
  MFFT_TRY(fft->backend->fft_execute(fft, in, out, work, stream));
  for (int s = 0; s < f->spec.scatter.count; s++) {
    const mfft_block block = share_of(&f->spec, s);
    if (!f->empty && block.n[MOST_DIMS - f->spec.naxes - f->spec.nloops + f->spec.scatter.axis] > 0)
      MFFT_TRY(mfft_host_copy(&block, 1, (int64_t)f->out_element, out, to[s], stream));
  }
  return MFFT_SUCCESS;
}
